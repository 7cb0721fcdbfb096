/** Which found statement is which gold statement: the rules of the corpora's own scorer, `score.py`. */
import { basename } from 'node:path';
import { tokens, type Gold } from './evidence-gold.ts';

/** What the scores need to know of a found statement. */
export interface Said {
  /** Name or path of the file. */
  file: string;
  text: string;
}

/** What a found statement turned out to be, with indices into the gold. */
export type Verdict =
  | { is: 'right'; /** Best first. */ gold: number[] }
  | { is: 'trap'; trap: number }
  /** Neither a statement nor a trap: also wrong. */
  | { is: 'nothing' };

export interface Matching {
  /** One per found statement. */
  verdicts: Verdict[];
  /** By gold statement, the found statement that fits it best. */
  pairs: Map<number, number>;
}

/** Share of the shorter text that must be common. */
const share = 0.5;
/** Characters of a longer text are not a statement. */
const longest = 600;

interface Fit {
  dice: number;
  share: number;
  at: number;
}

/**
 * A statement belongs to the gold statement or trap of the same file that it shares most with (Dice). Several
 * statements may belong to one gold statement, and one may cover several.
 */
export function match(found: readonly Said[], gold: Gold): Matching {
  const statements = gold.statements.map(({ file, text, parts = [text] }) => ({
    file,
    forms: [...new Set([text, parts.join(' '), ...parts])].map(tokens),
  }));
  const traps = gold.traps.map(({ file, text }) => ({ file, forms: [tokens(text)] }));
  const best = new Map<number, { dice: number; found: number }>();
  const verdicts = found.map((each, i): Verdict => {
    const file = basename(each.file);
    const said = each.text.length > longest ? [] : tokens(each.text);
    const hits = fitting(said, file, statements);
    const trap = fitting(said, file, traps)[0];
    if (trap && !(hits[0] && hits[0].dice >= trap.dice)) return { is: 'trap', trap: trap.at };
    if (hits.length === 0) return { is: 'nothing' };
    for (const { dice, at } of hits) if (dice > (best.get(at)?.dice ?? -1)) best.set(at, { dice, found: i });
    return { is: 'right', gold: hits.map(({ at }) => at) };
  });
  return { verdicts, pairs: new Map([...best].map(([at, { found: i }]) => [at, i])) };
}

function fitting(said: string[], file: string, items: readonly { file: string; forms: string[][] }[]): Fit[] {
  const least = said.length < 3 ? 0.5 : 0;
  return items
    .flatMap((item, at) =>
      item.file !== file
        ? []
        : item.forms
            .map((form) => ({ ...overlap(said, form), at }))
            .filter((fit) => fit.share >= share && fit.dice >= least)
            .sort(byFit)
            .slice(0, 1),
    )
    .sort(byFit);
}

const byFit = (a: Fit, b: Fit): number => b.dice - a.dice || b.share - a.share || b.at - a.at;

/** Words count only in common runs of two or more, so that stray common words match nothing; a text of up to three words must occur whole. */
export function overlap(a: readonly string[], b: readonly string[]): { share: number; dice: number } {
  const short = Math.min(a.length, b.length);
  if (short === 0) return { share: 0, dice: 0 };
  const least = short <= 3 ? short : 2;
  const common = commonRuns(a, b).reduce((sum, length) => sum + (length >= least ? length : 0), 0);
  return { share: common / short, dice: (2 * common) / (a.length + b.length) };
}

/** Lengths of the common runs: the longest one, then the same on both sides of it (`SequenceMatcher` in Python). */
function commonRuns(a: readonly string[], b: readonly string[]): number[] {
  const runs: { i: number; j: number; length: number }[] = [];
  const open = [{ a: [0, a.length], b: [0, b.length] }];
  for (let range = open.pop(); range; range = open.pop()) {
    const [from, to] = range.a as [number, number];
    const [start, end] = range.b as [number, number];
    let run = { i: from, j: start, length: 0 };
    let before: number[] = [];
    for (let i = from; i < to; i += 1) {
      const lengths: number[] = [];
      for (let j = start; j < end; j += 1) {
        if (a[i] !== b[j]) continue;
        const length = (before[j - 1] ?? 0) + 1;
        lengths[j] = length;
        if (length > run.length) run = { i: i - length + 1, j: j - length + 1, length };
      }
      before = lengths;
    }
    if (run.length === 0) continue;
    runs.push(run);
    open.push({ a: [from, run.i], b: [start, run.j] }, { a: [run.i + run.length, to], b: [run.j + run.length, end] });
  }
  runs.sort((x, y) => x.i - y.i);
  const joined: typeof runs = [];
  for (const run of runs) {
    const last = joined.at(-1);
    if (last && last.i + last.length === run.i && last.j + last.length === run.j) last.length += run.length;
    else joined.push({ ...run });
  }
  return joined.map(({ length }) => length);
}
