import { createHash } from 'node:crypto';
import { keyWords, nameKey } from '../text/names.ts';
import { featuresOf } from './directory-features.ts';
import type { Apart } from './directory-names.ts';
import { personKey } from './directory-groups.ts';
import { organisationsOf } from './directory-organisations.ts';
import { peopleOf } from './directory-people.ts';
import type { CountedClue, Directory } from './types.ts';

/**
 * Puts the clues of all documents together. Deterministic, and independent of the order of the clues. Clues of people
 * have a weight above 1 and win over all others.
 */
export function directoryOf(clues: readonly CountedClue[]): Directory {
  const sorted = withoutThings([...clues].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)));
  const apart = apartIn(sorted);
  const taken = takenKeys(sorted);
  const { features, unsure: nicknames } = featuresOf(sorted, (key) => taken.has(key), apart);
  const owned = new Set(features.flatMap(({ name, aliases }) => [name, ...aliases].map(nameKey)));
  const organisations = organisationsOf(sorted, (key) => owned.has(key), apart);
  const { people, unsure } = peopleOf(sorted, organisations);
  const body = { organisations: organisations.list, people, features, unsure: [...organisations.unsure, ...nicknames, ...unsure] };
  return { version: createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 16), ...body };
}

const keyOf = ({ kind, subject, object, day, weight, documents }: CountedClue): string =>
  [kind, subject, object ?? '', day ?? '', weight, documents].join('\n');

const roles: ReadonlySet<CountedClue['kind']> = new Set(['customer', 'vendor', 'competitor', 'feature', 'alias', 'renamed']);

/** A name that people call a mere thing has no other role, and no aliases. */
function withoutThings(clues: readonly CountedClue[]): CountedClue[] {
  const things = new Set(clues.flatMap(({ kind, subject }) => (kind === 'thing' ? [nameKey(subject)] : [])));
  if (things.size === 0) return [...clues];
  return clues.filter(
    ({ kind, subject, object }) => !roles.has(kind) || ![subject, object ?? ''].some((name) => things.has(nameKey(name))),
  );
}

/** Pairs of keys that people keep apart. */
function apartIn(clues: readonly CountedClue[]): Apart {
  const pair = (a: string, b: string): string => [a, b].sort().join('\n');
  const pairs = new Set(
    clues.flatMap(({ kind, subject, object }) => (kind === 'apart' && object !== null ? [pair(nameKey(subject), nameKey(object))] : [])),
  );
  return (a, b) => pairs.size > 0 && pairs.has(pair(a, b));
}

/** Names of people and organisations: they cannot be features. */
function takenKeys(clues: readonly CountedClue[]): Set<string> {
  const keys = new Map<string, number>();
  const add = (key: string, weight: number): void => void keys.set(key, (keys.get(key) ?? 0) + weight);
  for (const { kind, subject, object, weight, documents } of clues) {
    const sum = weight * documents * (weight > 1 ? 100 : 1);
    if (kind === 'person' || kind === 'staff') {
      add(personKey(subject), sum);
      if (object !== null && weight >= 0.5) add(nameKey(object), sum);
      if (keyWords(personKey(subject)).length > 1) add(nameKey(subject), sum);
    } else if (kind === 'customer' || kind === 'vendor') add(nameKey(subject), sum);
    else if (kind === 'competitor' && weight >= 0.9) add(nameKey(subject), sum);
    else if (kind === 'feature') add(nameKey(subject), -sum);
  }
  return new Set([...keys].filter(([, weight]) => weight > 0).map(([key]) => key));
}
