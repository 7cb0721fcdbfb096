import { bare, contextIn, type Sentence } from './statements-join.ts';
import type { Draft, DocumentKind, Judge, Shares } from './types.ts';

/**
 * Least share on both sides of a turn. The classifier by words alone costs microseconds and finds one group of five
 * that may have a turn; only these are put to the whole classifier. Chosen on the six corpora of `eval -- evidence`;
 * shares of .5 to .8 differ by .004 of class.
 */
const bounds = { words: 0.25, sure: 0.6 };
/** Shorter sentences follow the one before: "Never again.", "Love it." */
const fewestWords = 3;

/**
 * Parts groups of sentences where the classifier is sure of praise on one side and of a fault, a complaint, a wish or a
 * threat on the other: grammar does not show the turn in "The rota is rock solid. The letters are a lottery."
 * @param groups of each unit
 * @param contextOf what stands before a group, given as its unit and its place in it
 * @returns the groups of each unit
 */
export async function apart(
  groups: readonly (readonly Sentence[][])[],
  contextOf: (unit: number, group: number) => string,
  kind: DocumentKind,
  judge: Judge,
): Promise<Sentence[][][]> {
  const divisible = groups.flatMap((unit, u) =>
    unit.flatMap((group, g) => {
      const solid = group.filter(isSolid);
      return solid.length < 2 ? [] : [{ solid, context: contextOf(u, g) }];
    }),
  );
  const drafts = new Map<Sentence, Draft>();
  for (const { solid, context } of divisible)
    for (const [i, { text }] of solid.entries())
      drafts.set(solid[i]!, { text, context: i === 0 ? context : contextIn(solid.slice(0, i)), kind });
  const byWords = await sharesOf(drafts, (asked) => judge(asked, 'words'));
  const likely = divisible.filter(({ solid }) => solid.some((each, i) => i > 0 && turns(byWords, solid[i - 1]!, each, bounds.words)));
  const asked = new Map(likely.flatMap(({ solid }) => solid.map((each) => [each, drafts.get(each)!])));
  const shares = await sharesOf(asked, judge);
  return groups.map((unit) => unit.flatMap((group) => partsOf(group, shares)));
}

type SharesBy = ReadonlyMap<Sentence, Shares>;

const isSolid = ({ filler, words }: Sentence): boolean => !filler && words >= fewestWords;

async function sharesOf(drafts: ReadonlyMap<Sentence, Draft>, judge: Judge): Promise<SharesBy> {
  const shares = drafts.size === 0 ? [] : await judge([...drafts.values()]);
  return new Map([...drafts.keys()].map((sentence, i) => [sentence, shares[i]!]));
}

function partsOf(group: readonly Sentence[], shares: SharesBy): Sentence[][] {
  const parts: Sentence[][] = [[]];
  let last: Sentence | null = null;
  for (const sentence of group) {
    if (last && isSolid(sentence) && turns(shares, last, sentence, bounds.sure)) parts.push([]);
    parts.at(-1)!.push(sentence);
    if (isSolid(sentence)) last = sentence;
  }
  return parts.map(bare);
}

function turns(shares: SharesBy, before: Sentence, after: Sentence, least: number): boolean {
  const [a, b] = [shares.get(before), shares.get(after)];
  if (!a || !b) return false;
  return Math.min(praise(a), trouble(b)) >= least || Math.min(trouble(a), praise(b)) >= least;
}

const praise = ({ class: shares }: Shares): number => shares.praise;
const trouble = ({ class: shares }: Shares): number => shares.bug + shares.complaint + shares.churn_risk + shares.request;
