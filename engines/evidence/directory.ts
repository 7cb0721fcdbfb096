import { createHash } from 'node:crypto';
import { keyWords, nameKey } from '../text/names.ts';
import { featuresOf } from './directory-features.ts';
import { organisationsOf, personKey } from './directory-organisations.ts';
import { peopleOf } from './directory-people.ts';
import type { CountedClue, Directory } from './types.ts';

/**
 * Puts the clues of all documents together. Deterministic, and independent of the order of the clues. Clues of people
 * have a weight above 1 and win over all others.
 */
export function directoryOf(clues: readonly CountedClue[]): Directory {
  const sorted = [...clues].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const taken = takenKeys(sorted);
  const { features, unsure: nicknames } = featuresOf(sorted, (key) => taken.has(key));
  const owned = new Set(features.flatMap(({ name, aliases }) => [name, ...aliases].map(nameKey)));
  const organisations = organisationsOf(sorted, (key) => owned.has(key));
  const { people, unsure } = peopleOf(sorted, organisations);
  const body = { organisations: organisations.list, people, features, unsure: [...organisations.unsure, ...nicknames, ...unsure] };
  return { version: createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 16), ...body };
}

const keyOf = ({ kind, subject, object, day, weight, documents }: CountedClue): string =>
  [kind, subject, object ?? '', day ?? '', weight, documents].join('\n');

/** Names of people and organisations: they cannot be features. */
function takenKeys(clues: readonly CountedClue[]): Set<string> {
  const keys = new Map<string, number>();
  const add = (key: string, weight: number): void => void keys.set(key, (keys.get(key) ?? 0) + weight);
  for (const { kind, subject, object, weight, documents } of clues) {
    if (kind === 'person' || kind === 'staff') {
      add(personKey(subject), weight * documents);
      if (object !== null && weight >= 0.5) add(nameKey(object), weight * documents);
      if (keyWords(personKey(subject)).length > 1) add(nameKey(subject), weight * documents);
    } else if (kind === 'customer' || kind === 'vendor') add(nameKey(subject), weight * documents);
    else if (kind === 'competitor' && weight >= 0.9) add(nameKey(subject), weight * documents);
    else if (kind === 'feature') add(nameKey(subject), -weight * documents);
  }
  return new Set([...keys].filter(([, weight]) => weight > 0).map(([key]) => key));
}
