/** Pure: what is marked in the passages of a document. */
import type { OutlineEntry, ReadPassage } from '../../../../contracts/knowledge/reading.ts';
import { placeOf } from '../../ui/marks.ts';
import type { PassageMark } from '../../ui/Passage.tsx';

/** The passage that the address names behind its `#`; null: none. */
export const ordinalOf = (hash: string): number | null => (/^\d{1,9}$/.test(hash) ? Number(hash) : null);

/**
 * What of the passage that was followed to is quoted: what the address says, else what drafts quote, else nothing in
 * particular: then the whole passage is meant.
 */
export function quoted({ content, cited_by }: ReadPassage, quote: string): PassageMark[] {
  const wanted = quote === '' ? cited_by.map(({ excerpt }) => excerpt) : [quote];
  const found = wanted.map((excerpt) => placeOf(content, excerpt)).filter((mark) => mark !== null);
  return (found.length > 0 ? found : [{ start: 0, end: content.length }]).map((mark) => ({ ...mark, is: 'quote' as const }));
}

export const marksOf = (passage: ReadPassage, target: boolean, quote: string): PassageMark[] => [
  ...(target ? quoted(passage, quote) : []),
  ...passage.signals.map(({ start, end }) => ({ start, end, is: 'signal' as const })),
  ...(passage.mentions ?? []).map(({ start, end, entity_id: id, name, type }) => ({
    start,
    end,
    is: 'name' as const,
    entity: { id, name, type },
  })),
];

/** The entry of the outline that a passage stands under. */
export const entryAt = (outline: readonly OutlineEntry[], ordinal: number): number =>
  outline.findLastIndex((entry) => entry.ordinal <= ordinal);

/** The next passage that something cites, after this one; from the top again at the end. */
export function nextCited(passages: readonly ReadPassage[], from: number): number | null {
  const cited = passages.filter(({ cited_by, signals }) => cited_by.length + signals.length > 0).map(({ ordinal }) => ordinal);
  return cited.find((ordinal) => ordinal > from) ?? cited[0] ?? null;
}
