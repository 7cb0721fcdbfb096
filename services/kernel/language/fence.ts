import { createHash } from 'node:crypto';

/** Controls, formats (bidirectional marks, tags, zero widths), private use, and selectors of variants. */
const unseen = /[\p{Cc}\p{Cf}\p{Co}]|[\u{fe00}-\u{fe0e}]|[\u{e0100}-\u{e01ef}]/gu;
/** Line ends and tabs; the joiners that Persian, Indic scripts and emoji are written with. */
const needed = new Set(['\n', '\t', '\u200c', '\u200d']);

/** Without what no reader sees and a model reads all the same. */
export const visible = (text: string): string => text.replaceAll(unseen, (mark) => (needed.has(mark) ? mark : ''));

/**
 * Records of strangers as a data block: one JSON line each, between marks with a code that follows from the
 * records themselves, so that nobody can write the end of the block into one. The same records give the same block.
 */
export function fence(records: readonly Record<string, string | number | null>[]): string {
  const lines = records.map((record) =>
    JSON.stringify(record, (_key, value: unknown) => (typeof value === 'string' ? visible(value) : value))
      // Still the same JSON; no line of data looks like a mark.
      .replaceAll('<', String.raw`\u003c`)
      .replaceAll('>', String.raw`\u003e`),
  );
  const code = createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 24);
  return `<<<data ${code}\n${lines.join('\n')}\ndata ${code}>>>`;
}
