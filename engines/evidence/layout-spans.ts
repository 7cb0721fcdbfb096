/** UTF-16 offsets, `end` exclusive. */
export interface Span {
  start: number;
  end: number;
}

/** Without white space at both ends. */
export function trimmed(text: string, { start, end }: Span): Span {
  let [from, to] = [start, end];
  while (from < to && /\s/.test(text[from]!)) from += 1;
  while (to > from && /\s/.test(text[to - 1]!)) to -= 1;
  return { start: from, end: to };
}
