import type { SignalClass } from '../../contracts/signals/signals.ts';
import { comparison, type Comparison } from './links-compare.ts';
import { reliefIn } from './state.ts';
import { lowerOf, wordsIn } from './statements-words.ts';
import { monthOf } from './when-dates.ts';
import type { Link, Linkable } from './types.ts';

/** An end is told soon after the trouble; later ones are about other troubles more often than not. */
const mostDays = 200;
/** Earlier statements of a customer that are looked at, so that the effort stays linear. */
const lookedAt = 300;

/** What a statement tells about its matter. */
type Stand = 'trouble' | 'wish' | 'leaving' | 'relief' | 'praise' | 'fact';

/**
 * Later statements that repeat, settle or take back earlier ones of the same customer. A wrong link hides an open
 * problem, a missing one only repeats it, so the matter must be the same and not only the feature. Repetitions refer to
 * the first statement of their content.
 * @param statements in order of time; their vectors are of one model
 * @param shipped moves a cosine of that model to the scale of the shipped one
 */
export function linksOf(statements: readonly Linkable[], shipped?: (cosine: number) => number): Link[] {
  const byCustomer = new Map<string, number[]>();
  statements.forEach(({ customer }, i) => {
    if (customer === null) return;
    const own = byCustomer.get(customer);
    if (own) own.push(i);
    else byCustomer.set(customer, [i]);
  });
  const standing = statements.map(standOf);
  const insists = statements.map(({ text }) => {
    const lower = lowerOf(text);
    return insistence.test(lower) ? monthsIn(lower) : null;
  });
  const days = statements.map(({ day }) => Date.parse(day.slice(0, 10)) / 86_400_000);
  const links: Link[] = [];
  for (const own of byCustomer.values()) {
    const at = new Map(own.map((i, k) => [i, k]));
    const alike = comparison(
      own.map((i) => statements[i]!),
      shipped,
    );
    const compare: Comparison = (a, b) => alike(at.get(a)!, at.get(b)!);
    /** First statement of the content of each. */
    const roots = new Map<number, number>();
    own.forEach((from, k) => {
      const link = linkOf(from, own.slice(Math.max(0, k - lookedAt), k), { statements, days, standing, insists, compare, roots });
      if (link === null) return;
      if (link.kind === 'repeats') roots.set(from, link.to);
      links.push(link);
    });
  }
  return links;
}

interface Known {
  statements: readonly Linkable[];
  days: readonly number[];
  standing: readonly Stand[];
  /** Months that a statement names which says that it was said before; null: says nothing of the kind. */
  insists: readonly (readonly number[] | null)[];
  compare: Comparison;
  roots: ReadonlyMap<number, number>;
}

function linkOf(from: number, before: readonly number[], known: Known): Link | null {
  const { statements, days, standing, roots } = known;
  const later = statements[from]!;
  const earlier = before.filter((i) => Math.abs(days[from]! - days[i]!) <= mostDays);
  /** Not about different features: what is settled must be the same. */
  const near = earlier.filter((i) => agree(later, statements[i]!));
  // One wrong link must not draw all later ones with it.
  const root = (i: number): number => {
    const first = roots.get(i);
    return first !== undefined && likeness(from, first, 1, known) >= bounds.root ? first : i;
  };
  const link = (to: number | undefined, kind: Link['kind']): Link | null => (to === undefined ? null : { from, to: root(to), kind });
  const best = (candidates: readonly number[], least: number): number | undefined => {
    const rivals = candidates.filter((i) => sharesTopic(later, statements[i]!)).length;
    const [first] = candidates
      .map((i) => ({ i, alike: likeness(from, i, rivals, known) }))
      .filter(({ alike }) => alike >= least)
      .sort((a, b) => b.alike - a.alike || a.i - b.i);
    return first?.i;
  };
  if (later.state === 'withdrawn') {
    // "Found it, never mind" takes back no threat, which would then be hidden.
    const threats = later.class === 'churn_risk' ? near.filter((i) => standing[i] === 'leaving' && statements[i]!.state === 'open') : [];
    const open = near.filter((i) => statements[i]!.state === 'open' && standing[i] !== 'praise');
    const last = open.at(-1);
    const justSaid = last !== undefined && last === before.at(-1) && days[last] === days[from] && waves.test(lowerOf(later.text));
    // The last one, unless another one is plainly the matter.
    const odds = new Map(threats.map((i) => [i, likeness(from, i, 0, known)]));
    const meant = threats.reduceRight<number | undefined>(
      (a, b) => (a === undefined || odds.get(b)! > odds.get(a)! + bounds.meant ? b : a),
      undefined,
    );
    return link(meant, 'withdraws') ?? link(justSaid ? last : best(open, bounds.withdraws), 'withdraws');
  }
  const stand = standing[from]!;
  const reaffirmed = reaffirms.test(lowerOf(later.text));
  const same = best(
    earlier.filter(
      (i) =>
        (compatible(stand, standing[i]!) || (reaffirmed && !good(standing[i]!))) &&
        (statements[i]!.state === 'withdrawn') === (later.state === 'withdrawn'),
    ),
    bounds.repeats,
  );
  if (stand !== 'relief') return link(same, 'repeats');
  const settled = best(
    near.filter((i) => settles(standing[i]!)),
    bounds.resolves,
  );
  // Who says again that it is over repeats that, unless the trouble came back in between.
  return same !== undefined && (settled === undefined || settled < same) ? link(same, 'repeats') : link(settled, 'resolves');
}

/** Log odds above which two statements are about the same: a logistic regression over labelled pairs of both development corpora. */
const bounds = { repeats: -0.8, root: -1, resolves: -0.8, withdraws: -1.2, meant: 0.8 };
const weights = {
  words: 7.2,
  rarest: 0.7,
  meaning: 5.5,
  topic: 1.5,
  alone: 0.6,
  elsewhere: -1.6,
  insistence: 0.9,
  month: 0.8,
  alike: 0.8,
  none: -8.3,
};

/** @param rivals earlier statements about the same topic */
function likeness(from: number, to: number, rivals: number, { statements, standing, insists, compare }: Known): number {
  const [later, earlier] = [statements[from]!, statements[to]!];
  const { words, rarest, meaning } = compare(from, to);
  let odds = weights.none + weights.words * words + weights.rarest * rarest + weights.meaning * meaning;
  if (sharesTopic(later, earlier)) odds += weights.topic + weights.alone / Math.max(1, rivals);
  else if (!agree(later, earlier)) odds += weights.elsewhere;
  if (insists[from] !== null) {
    odds += weights.insistence;
    // "As I told you in July"
    if (insists[from]!.includes(Number(earlier.day.slice(5, 7)))) odds += weights.month;
  }
  if (standing[from] === standing[to]) odds += weights.alike;
  return odds;
}

function standOf({ text, class: kind, tone, state }: Linkable): Stand {
  const relief = reliefIn(text);
  if (relief === 'sure' || (relief === 'likely' && tone !== 'negative') || (state === 'resolved' && tone === 'positive')) return 'relief';
  return tone === 'positive' && kind !== 'churn_risk' ? 'praise' : stands[kind](tone === 'negative');
}

const stands: Record<SignalClass, (bad: boolean) => Stand> = {
  bug: () => 'trouble',
  complaint: () => 'trouble',
  request: () => 'wish',
  question: () => 'wish',
  churn_risk: () => 'leaving',
  praise: () => 'praise',
  information: (bad) => (bad ? 'trouble' : 'fact'),
};

const good = (stand: Stand): boolean => stand === 'relief' || stand === 'praise';

/** A trouble may be told as a wish or a fact, but never as its end. */
const compatible = (a: Stand, b: Stand): boolean => good(a) === good(b) && (a === 'leaving') === (b === 'leaving');
const settles = (earlier: Stand): boolean => earlier === 'trouble' || earlier === 'wish' || earlier === 'fact';

/** Said before: "as I said", "the third time", "still". */
const insistence =
  /(?<![\p{L}'])(?:as (?:i|we) (?:said|told|wrote|asked)|i (?:told|asked) you|(?:asked|said|wrote|told you|spoke) (?:about it )?(?:in|on|last|the)|again|still|same as|as ever|once more|(?:second|third|fourth|fifth) time|times (?:i|we)(?:'ve| have) asked|stands|in a row|either|wieder|erneut|nochmals|immer noch|zum (?:zweiten|dritten|vierten) mal|otra vez|de nuevo|siguen?|por (?:segunda|tercera|cuarta) vez|encore|toujours|à nouveau)(?![\p{L}'])/u;

/** "What I said about March stands": of whatever kind that was. */
const reaffirms =
  /(?<![\p{L}'])(?:what|everything|all) (?:i|we) (?:said|wrote|told you|asked)[^.!?]{0,60}? (?:stands|still (?:stands|holds|goes)|holds)(?![\p{L}'])|(?:es bleibt|bleibe|bleiben) (?:wir )?(?:dabei|bei)|sigo pensando lo mismo|mantengo lo (?:que|dicho)|je maintiens/u;

/** Waves aside what was said a moment ago. */
const waves =
  /(?<![\p{L}'])(?:never mind|scratch that|forget (?:it|that|i said)|(?:hat|haben) sich (?:\p{L}+ )?erledigt|vergiss es|vergessen sie es|olvíd(?:alo|elo)|laiss(?:e|ez) tomber|oubli(?:e|ez) ça)(?![\p{L}'])/u;

/** Months named in a text, 1 to 12. */
const monthsIn = (lower: string): number[] => wordsIn(lower).flatMap((word) => (word.length > 3 ? (monthOf(word) ?? []) : []));

const shares = (a: readonly string[], b: readonly string[]): boolean => a.some((each) => b.includes(each));
const sharesTopic = (a: Linkable, b: Linkable): boolean => shares(a.features, b.features) || shares(a.competitors, b.competitors);
/** Not about different features. */
const agree = (a: Linkable, b: Linkable): boolean => a.features.length === 0 || b.features.length === 0 || shares(a.features, b.features);
