import type { MatchSettings } from './index.ts';
import { scoreNames } from '../../engines/linkage/names.ts';
import type { NameMatch, NameModel } from '../../engines/linkage/types.ts';
import type { Candidates, KnownEntity } from './resolve-candidates.ts';

/** Mentions of one batch with one name and type. */
export interface Named {
  type: string;
  key: string;
  certain: boolean;
  /** The most frequent spelling. */
  surface: string;
}

export type Decision =
  /** An entity with exactly that name. */
  | { how: 'by_name'; entity: KnownEntity }
  /** Similar enough to be assigned without asking. */
  | { how: 'automatic'; entity: KnownEntity; match: NameMatch }
  /** Treated as new, and a person is asked whether it is that one. */
  | { how: 'reviewed'; entity: KnownEntity; match: NameMatch }
  | { how: 'fresh' };

/** Types whose matches are asked about. */
const asked = new Set(['customer', 'feature', 'issue', 'theme', 'stakeholder']);

/**
 * Chooses the entity of a name.
 * @param apart whether people have said that two names of a type are not the same
 */
export function decide(
  named: Named,
  candidates: Candidates,
  model: NameModel,
  settings: Pick<MatchSettings, 'autoMerge' | 'review'>,
  apart: (type: string, a: string, b: string) => boolean,
): Decision {
  const fits = (entity: KnownEntity): boolean => !entity.phrase || named.type === 'feature';
  const same = candidates.named(named.key).filter(fits);
  const exact = same.find((entity) => entity.type === named.type) ?? (named.certain ? same.find((entity) => !entity.certain) : same[0]);
  if (exact) return { how: 'by_name', entity: exact };

  const scored: { entity: KnownEntity; match: NameMatch }[] = [];
  for (const entity of candidates.near(named.key)) {
    if (!fits(entity)) continue;
    // A guessed type does not contradict another type.
    if (entity.type !== named.type && named.certain && entity.certain) continue;
    const type = named.certain ? named.type : entity.type;
    if (entity.keys.some((key) => apart(type, named.key, key))) continue;
    const other = { key: entity.keys[0]!, type, aliases: entity.keys.slice(1) };
    scored.push({ entity, match: scoreNames({ key: named.key, type }, other, model) });
  }
  scored.sort((a, b) => b.match.probability - a.match.probability || (a.entity.id < b.entity.id ? -1 : 1));
  const [best, second] = scored;
  if (!best || best.match.probability < settings.review) return { how: 'fresh' };
  // Two good candidates: ask a person.
  const alone = !second || second.match.probability < settings.autoMerge;
  if (best.match.probability >= settings.autoMerge && alone) return { how: 'automatic', ...best };
  const worthAsking = named.certain && best.entity.certain && asked.has(named.type);
  return worthAsking ? { how: 'reviewed', ...best } : { how: 'fresh' };
}
