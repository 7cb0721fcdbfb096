import type { SignalClass } from '../../contracts/signals/signals.ts';
import { contentOf, lowerOf } from './statements-words.ts';
import type { Link, Linkable } from './types.ts';

/** Statements that can say the same: of one kind, and with the same sign. */
const kinds: Record<SignalClass, 'trouble' | 'wish' | 'leaving' | 'rest'> = {
  bug: 'trouble',
  complaint: 'trouble',
  request: 'wish',
  question: 'wish',
  churn_risk: 'leaving',
  praise: 'rest',
  information: 'rest',
};

/** An end is told soon after the trouble; later ones are about other troubles more often than not. */
const mostDays = 200;
/** Earlier statements that one statement refers to. */
const mostLinks = 4;
/** Earlier statements of a customer that are looked at, so that the effort stays linear. */
const lookedAt = 300;

/**
 * Later statements that repeat, settle or take back earlier ones of the same customer. Candidates: a wrong link hides
 * an open problem, a missing one only repeats it, so both matter and feature must agree.
 * @param statements in order of time
 */
export function linksOf(statements: readonly Linkable[]): Link[] {
  const byCustomer = new Map<string, number[]>();
  statements.forEach(({ customer }, i) => {
    if (customer !== null) byCustomer.set(customer, [...(byCustomer.get(customer) ?? []), i]);
  });
  const compare = comparison(statements);
  return [...byCustomer.values()].flatMap((own) =>
    own.flatMap((from, k) => linksFrom(from, own.slice(Math.max(0, k - lookedAt), k), statements, compare)),
  );
}

/** Statements with and without a common topic that say the same. */
const leastAlike = { topic: 0.36, none: 0.55 };

type Compare = (a: number, b: number) => number;

function linksFrom(from: number, earlier: readonly number[], statements: readonly Linkable[], compare: Compare): Link[] {
  const later = statements[from]!;
  const close = (to: number, least: number): boolean =>
    daysBetween(statements[to]!.day, later.day) <= mostDays && compare(from, to) >= least;
  const link = (to: number, kind: Link['kind']): Link => ({ from, to, kind });
  const nearest = (candidates: number[]): number[] =>
    candidates.toSorted((a, b) => compare(from, b) - compare(from, a)).slice(0, mostLinks);

  if (later.state === 'withdrawn') {
    const threats = earlier.filter(
      (i) => statements[i]!.class === 'churn_risk' && statements[i]!.state === 'open' && agree(later, statements[i]!),
    );
    // What is taken back is the last threat, and what repeats it.
    const last = threats.at(-1);
    if (last !== undefined && later.class === 'churn_risk')
      return threats.filter((i) => i === last || compare(last, i) >= 0.5).map((i) => link(i, 'withdraws'));
    return nearest(earlier.filter((i) => statements[i]!.state === 'open' && sharesTopic(later, statements[i]!) && close(i, 0.45)))
      .slice(0, 1)
      .map((i) => link(i, 'withdraws'));
  }
  // A ticket may be resolved by its row, while its text tells the trouble: that settles nothing else.
  if (later.state === 'resolved' && kinds[later.class] === 'rest' && later.tone !== 'negative') {
    const open = earlier.filter(
      (i) => isOpenTrouble(statements[i]!) && sharesTopic(later, statements[i]!) && close(i, later.features.length > 0 ? 0.3 : 0.5),
    );
    const settled = nearest(open).map((i) => link(i, 'resolves'));
    if (settled.length > 0) return settled;
  }
  const same = earlier.filter(
    (i) =>
      kinds[statements[i]!.class] === kinds[later.class] &&
      sameSign(later, statements[i]!) &&
      agree(later, statements[i]!) &&
      close(i, sharesTopic(later, statements[i]!) ? leastAlike.topic : leastAlike.none),
  );
  // To the first one, so that all repetitions point to the same statement.
  return nearest(same)
    .slice(0, 1)
    .map((i) => link(i, 'repeats'));
}

const isOpenTrouble = ({ state, class: kind, tone }: Linkable): boolean =>
  state === 'open' && (kinds[kind] === 'trouble' || kinds[kind] === 'wish' || (kind === 'information' && tone === 'negative'));

const sameSign = (a: Linkable, b: Linkable): boolean => (a.tone === 'positive') === (b.tone === 'positive');

const shares = (a: readonly string[], b: readonly string[]): boolean => a.some((each) => b.includes(each));
const sharesTopic = (a: Linkable, b: Linkable): boolean => shares(a.features, b.features) || shares(a.competitors, b.competitors);
/** Not about different features. */
const agree = (a: Linkable, b: Linkable): boolean => a.features.length === 0 || b.features.length === 0 || shares(a.features, b.features);

const daysBetween = (a: string, b: string): number => Math.abs(Date.parse(b.slice(0, 10)) - Date.parse(a.slice(0, 10))) / 86_400_000;

/** How much two statements share, 0 to 1: by rare words, and by meaning if there are vectors. */
function comparison(statements: readonly Linkable[]): Compare {
  const terms = statements.map(({ text }) => new Set(contentOf(lowerOf(text)).map(stem)));
  const known = new Map<string, number>();
  for (const each of terms) for (const term of each) known.set(term, (known.get(term) ?? 0) + 1);
  const weight = (term: string): number => Math.log(1 + statements.length / known.get(term)!);
  const total = terms.map((each) => [...each].reduce((sum, term) => sum + weight(term), 0));
  return (a, b) => {
    const common = [...terms[a]!].filter((term) => terms[b]!.has(term));
    const least = Math.min(total[a]!, total[b]!);
    const words = least === 0 ? 0 : common.reduce((sum, term) => sum + weight(term), 0) / Math.sqrt(least * Math.max(total[a]!, total[b]!));
    const [va, vb] = [statements[a]!.vector, statements[b]!.vector];
    if (!va || !vb) return words;
    // Unrelated sentences of one subject are about 0.5 alike.
    const meaning = Math.max(0, (dot(va, vb) - 0.5) / 0.5);
    return Math.min(1, 0.6 * words + 0.75 * meaning);
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += a[i]! * b[i]!;
  return sum;
}

/** Without endings, roughly and in any language. */
const stem = (term: string): string => (/\p{N}/u.test(term) ? term : term.length > 5 ? term.slice(0, 5) : term.replace(/s$/, ''));
