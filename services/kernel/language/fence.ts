import { createHash } from 'node:crypto';

/** Control and format characters (bidirectional marks, tags, zero widths), private use, and variation selectors. */
const unseen = /[\p{Cc}\p{Cf}\p{Co}]|[\u{fe00}-\u{fe0e}]|[\u{e0100}-\u{e01ef}]/gu;
/** Line ends and tabs; the joiners used in Persian, Indic scripts and emoji. */
const needed = new Set(['\n', '\t', '\u200c', '\u200d']);

/** Removes characters that readers do not see but models read. */
export const visible = (text: string): string => text.replaceAll(unseen, (mark) => (needed.has(mark) ? mark : ''));

/**
 * Untrusted records as a data block: one JSON line each, between marks with a code derived from the records, so that
 * no record can forge the end of the block. Deterministic.
 */
export function fence(records: readonly Record<string, string | number | null>[]): string {
  const lines = records.map((record) =>
    JSON.stringify(record, (_key, value: unknown) => (typeof value === 'string' ? visible(value) : value))
      // Still the same JSON, but no line of data looks like a mark.
      .replaceAll('<', String.raw`\u003c`)
      .replaceAll('>', String.raw`\u003e`),
  );
  const code = createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 24);
  return `<<<data ${code}\n${lines.join('\n')}\ndata ${code}>>>`;
}
