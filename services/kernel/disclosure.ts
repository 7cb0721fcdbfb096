/** Pure: a big result is summarized by a line and its first items; another call returns the rest. */
export interface Disclosed<T> {
  /** One line of totals. */
  summary: string;
  top_items: T[];
  total_items: number;
  has_more: boolean;
  /** Which tool to call next. */
  drill_down_hint: string;
}

/**
 * @param total default: the number of items
 * @param top how many are shown
 */
export function disclose<T>(
  items: readonly T[],
  { summary, hint, total = items.length, top = 10 }: { summary: string; hint: string; total?: number; top?: number },
): Disclosed<T> {
  return {
    summary,
    top_items: items.slice(0, top),
    total_items: total,
    has_more: total > Math.min(items.length, top),
    drill_down_hint: hint,
  };
}

/**
 * "23 issues, 1 feature": zero counts are left out.
 * @param counts by the singular word
 */
export function countsLine(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).flatMap(([word, n]) => (n > 0 ? [`${n} ${n === 1 ? word : plural(word)}`] : []));
  return parts.length > 0 ? parts.join(', ') : 'nothing yet';
}

export const plural = (word: string): string => {
  const plain = word.replaceAll('_', ' ');
  if (/[^aeiou]y$/.test(plain)) return `${plain.slice(0, -1)}ies`;
  return /(s|x|ch|sh)$/.test(plain) ? `${plain}es` : `${plain}s`;
};
