import { keyWords, nameKey } from '../text/names.ts';
import type { Fused } from './fusion.ts';

/** Pure: in a conversation the reply stands beside the turn that the query's words find. */

/** A passage beside a found one in the same conversation, or the found one itself. */
export interface Neighbour {
  id: string;
  /** The found passage. */
  of: string;
  /** Distance in passages: 1 follows, −1 precedes, 0 is the found one. */
  step: number;
  /** Turns in the found passage, at least 1. */
  turns: number;
  /** Who speaks in it, each once. */
  speakers: readonly string[];
}

/** Number of best passages whose neighbours count. Those of weaker hits displace passages that were found themselves. */
export const sharing = 10;
/** Farthest neighbour. */
export const reach = 1;
/** Share of a hit's score above the last candidate's: a reply follows, a question precedes. */
const following = 0.5;
const preceding = 0.35;
/** Share of the best score above the last candidate's for a passage of a speaker that the query names. */
const spoken = 0.03;

/**
 * Gives neighbours in conversations a share of a hit's score (its own, before it was given anything), of their best
 * neighbour, and passages of a named speaker a little. Neighbours that were not found begin at the last candidate's
 * score. In a passage of several turns the reply mostly stands in it: then it shares by their number.
 * @param ranked best first; the same order if there are no neighbours
 */
export function shareWithNeighbours(ranked: readonly Fused[], neighbours: readonly Neighbour[], query: string): Fused[] {
  if (neighbours.length === 0) return [...ranked];
  const floor = ranked.length > 1 ? ranked.at(-1)!.score : 0;
  const above = new Map(ranked.map((hit) => [hit.id, hit.score - floor]));
  const best = ranked[0]!.score - floor;
  const shares = new Map<string, { share: number; from: string }>();
  for (const { id, of, step, turns } of neighbours) {
    if (step === 0 || Math.abs(step) > reach) continue;
    const share = ((above.get(of) ?? 0) * (step > 0 ? following : preceding)) / turns;
    if (share > (shares.get(id)?.share ?? 0)) shares.set(id, { share, from: of });
  }
  const names = speakersIn(query, new Set(neighbours.flatMap(({ speakers }) => speakers)));
  const spokenBy = new Set(neighbours.filter(({ speakers }) => speakers.some((each) => names.has(each))).map(({ id }) => id));
  const fresh = [...shares.keys()].filter((id) => !above.has(id)).map((id): Fused => ({ id, score: floor }));
  return [...ranked, ...fresh]
    .map((hit): Fused => {
      const beside = shares.get(hit.id);
      const share = (beside?.share ?? 0) + (spokenBy.has(hit.id) ? spoken * best : 0);
      if (share === 0) return hit;
      return { ...hit, score: Math.min(1, hit.score + share), beside: { share, ...(beside ? { from: beside.from } : {}) } };
    })
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

/** Speakers that the query names: by the whole label, or by a capitalised first name. */
export function speakersIn(query: string, speakers: ReadonlySet<string>): Set<string> {
  const key = ` ${nameKey(query)} `;
  const capitalised = new Set(
    query
      .split(/[^\p{L}\p{N}'’-]+/u)
      .filter((word) => /^\p{Lu}/u.test(word))
      .map((word) => nameKey(word)),
  );
  const named = (speaker: string): boolean => {
    const whole = nameKey(speaker);
    return whole !== '' && (key.includes(` ${whole} `) || capitalised.has(keyWords(whole)[0]!));
  };
  return new Set([...speakers].filter(named));
}
