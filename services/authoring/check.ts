/** Pure: whether a statement is supported by its sources; for assembled statements and a model's. */
import { terms } from '../../engines/retrieval/terms.ts';
import { daysSaid } from './days-said.ts';
import { classNames, dateOf, severityName, sourceNames } from './names.ts';
import { scaffold, shortened } from './phrases.ts';
import type { Cited, Figure, OtherSource, Statement } from './types.ts';

/** A source in its current state. */
export interface SourceText {
  ref: string;
  kind: 'signal' | 'fact' | 'opportunity' | 'passage';
  /** The original words. */
  excerpt: string;
  /** Words said just before, which may be quoted with it. */
  before?: string | null;
  /** Its metadata: speaker, date, subject. */
  context: string;
  at: string;
  weight: number;
}

export interface CheckedAgainst {
  sources: ReadonlyMap<string, SourceText>;
  /** Current counts of figures; the key is `figureKey`. */
  counted: ReadonlyMap<string, number>;
  windowDays: number;
  /** Cosine of a model's statement and its nearest source; absent for assembled ones, whose words must all be covered. */
  cosine?: number | undefined;
  written?: boolean;
}

/** Minimum share of a model's words in the sources; lower if the meaning is close. */
const coveredFrom = 0.6;
const coveredWhenNear = 0.35;
const nearFrom = 0.8;

export const figureKey = (figure: Figure): string => {
  const { n: _, ...what } = figure;
  return JSON.stringify(Object.entries(what).toSorted(([a], [b]) => a.localeCompare(b)));
};

export const sourceOfSignal = (cited: Cited): SourceText => ({
  ref: cited.ref,
  kind: 'signal',
  excerpt: cited.statement,
  before: cited.before,
  context: [
    ...cited.names,
    ...cited.customers,
    cited.author ?? '',
    ...classNames[cited.class],
    severityName(cited.severity),
    sourceNames[cited.source],
    dateOf(cited.at),
    cited.at.slice(0, 10),
    dateOf(cited.documentAt),
    ...daysSaid(cited.statement, cited.at),
    cited.severity >= 3 ? 'severity' : '',
  ].join(' · '),
  at: cited.at,
  weight: 1,
});

/** @param text a sentence about names, as it is known now */
export const sourceOfOther = ({ ref, kind, excerpt, at, weight, text = '' }: OtherSource & { text?: string }): SourceText => ({
  ref,
  kind,
  excerpt,
  context: `${dateOf(at)} ${at.slice(0, 10)} ${text}`,
  at,
  weight,
});

const own = new Set(terms(scaffold));
const quoted = /“([^”]*)”/g;
const spelt = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const negations = /(?<!\p{L})(?:no|not|never|nobody|nothing|none|without|cannot|\p{L}+n['’]t)(?!\p{L})/iu;

/** @returns null when it is supported, else the reason */
export function unsupported({ text, sources: refs, figures }: Statement, against: CheckedAgainst): string | null {
  const found = refs.map((ref) => against.sources.get(ref));
  if (refs.length === 0) return 'it has no source';
  if (found.includes(undefined)) return 'a source is gone';
  const sources = found as SourceText[];
  const off = figures.find((figure) => against.counted.get(figureKey(figure)) !== figure.n);
  if (off) return `counted again, ${off.n} is ${against.counted.get(figureKey(off)) ?? 'nothing'}`;

  const excerpts = sources.flatMap(({ excerpt, before }) => [flat(excerpt), ...(before ? [flat(before)] : [])]);
  const names = flat(sources.map(({ context }) => context).join(' · '));
  for (const [, span = ''] of text.matchAll(quoted)) {
    const words = flat(span.replace(/…$/, ''));
    if (!excerpts.some((excerpt) => excerpt.includes(words)) && !names.includes(words)) return 'it quotes what its source does not say';
  }
  const rest = text.replace(quoted, ' ');
  const all = [...excerpts, names].join(' · ');
  const numbers = new Set([...figures.map(({ n }) => n), against.windowDays, ...numbersIn(all)]);
  const foreign = numbersIn(rest).find((number) => !numbers.has(number));
  if (foreign !== undefined) return `its sources do not have the number ${foreign}`;
  const miscounted = [...rest.matchAll(/(\d+) (customers?|accounts?|statements?|signals?)(?!\p{L})/gu)].find(
    ([, n, what]) =>
      !figures.some((figure) => figure.n === Number(n) && (figure.of === 'customers') === /^[ca]/.test(what!)) &&
      !all.includes(`${n} ${what}`),
  );
  if (miscounted) return `nothing counts ${miscounted[0]}`;

  const wanted = [...new Set(terms(rest))].filter((term) => !own.has(term) && !/^\d/.test(term));
  const has = new Set(terms(all));
  const missing = wanted.filter((term) => !has.has(term));
  if (!against.written) return missing.length === 0 ? null : `its sources do not speak of ${missing.join(', ')}`;
  const proper = new Set(terms([...rest.matchAll(/(?<=[\p{L}\p{N},;:] )\p{Lu}[\p{L}\p{N}-]*/gu)].join(' ')));
  const stranger = missing.find((term) => proper.has(term));
  if (stranger) return `its sources do not name ${stranger}`;
  if (negations.test(rest) && !negations.test(sources.map(({ excerpt }) => excerpt).join(' '))) return 'its sources deny nothing';
  const covered = wanted.length === 0 ? 1 : 1 - missing.length / wanted.length;
  if (covered >= coveredFrom || (covered >= coveredWhenNear && (against.cosine ?? 0) >= nearFrom)) return null;
  return `its sources have ${Math.round(covered * 100)} % of its words`;
}

const flat = (text: string): string => shortened(text, Number.MAX_SAFE_INTEGER).normalize('NFKC').toLowerCase();

/** Digits, and small numbers in words. */
function numbersIn(text: string): number[] {
  const digits = [...text.matchAll(/(?<![\p{L}\p{N}.])\d+(?:[.,]\d+)*/gu)].map(([number]) => Number(number.replaceAll(',', '')));
  const words = [...text.toLowerCase().matchAll(/(?<!\p{L})\p{L}+(?!\p{L})/gu)].map(([word]) => spelt.indexOf(word)).filter((n) => n > 1);
  return [...digits.filter(Number.isFinite), ...words];
}
