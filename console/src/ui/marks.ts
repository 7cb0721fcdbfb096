/** Pure: stretches of a text that are marked, also where they overlap. */

export interface Mark {
  start: number;
  end: number;
}

export interface Piece<M extends Mark> {
  text: string;
  /** All marks that cover the piece. */
  marks: M[];
}

/** The text cut at every beginning and end of a mark. Marks outside the text are cut off. */
export function pieces<M extends Mark>(text: string, marks: readonly M[]): Piece<M>[] {
  const within = marks.map((mark) => ({ mark, start: Math.max(0, mark.start), end: Math.min(text.length, mark.end) }));
  const cuts = [...new Set([0, text.length, ...within.flatMap(({ start, end }) => (end > start ? [start, end] : []))])].sort(
    (a, b) => a - b,
  );
  return cuts.slice(0, -1).map((from, i) => ({
    text: text.slice(from, cuts[i + 1]),
    marks: within.filter(({ start, end }) => start <= from && end >= cuts[i + 1]! && end > start).map(({ mark }) => mark),
  }));
}

/** An excerpt begins and ends with "…" where something was left out. */
const bare = (excerpt: string): string => excerpt.replace(/^…\s*/, '').replace(/\s*…$/, '').trim();

/** Where the excerpt stands in the text, whatever the white space between its words; null: nowhere. */
export function placeOf(text: string, excerpt: string): Mark | null {
  const words = bare(excerpt).split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  const found = new RegExp(words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join(String.raw`\s+`), 'u').exec(
    text,
  );
  return found && { start: found.index, end: found.index + found[0].length };
}

/** A stretch of about this length around the first mark, cut between words, with the marks that are in it. */
export function around<M extends Mark>(text: string, marks: readonly M[], length: number): { text: string; marks: M[]; cut: boolean } {
  if (text.length <= length) return { text, marks: [...marks], cut: false };
  const first = marks[0]?.start ?? 0;
  let from = Math.max(0, Math.min(first - Math.floor(length / 4), text.length - length));
  if (from > 0) from += Math.max(0, text.slice(from, first).search(/\s\S/) + 1);
  const gap = text.slice(0, from + length).search(/\s\S*$/);
  const to = from + length >= text.length ? text.length : gap > from ? gap : from + length;
  const [before, after] = [from > 0 ? '… ' : '', to < text.length ? ' …' : ''];
  const shift = before.length - from;
  return {
    text: before + text.slice(from, to) + after,
    marks: marks.flatMap((mark) =>
      mark.start >= from && mark.end <= to ? [{ ...mark, start: mark.start + shift, end: mark.end + shift }] : [],
    ),
    cut: true,
  };
}
