import type { Place } from '../../adapters/parsers/index.ts';
import { canonicalJson, derivedId } from '../../contracts/ids.ts';
import type { CitedPlace } from '../../contracts/knowledge/knowledge.ts';

/** Text of up to this size is taken in within seconds, beside the large contents and not behind them. */
export const lightBytes = 64 * 1024;

/** What decides whether a submission is new, a repeat, or a new version of something known. */
export interface Content {
  tenant: string;
  kbId: string;
  /** What makes it the same source: where the file lies, or what a pasted text is called. */
  identity: string;
  contentHash: string;
  format: string | null;
  title: string | null;
  chunkSize: number;
}

export const sourceIdOf = ({ tenant, kbId, identity }: Pick<Content, 'tenant' | 'kbId' | 'identity'>): string =>
  derivedId('source', tenant, kbId, identity);

/** The same for the same content under the same name, cut the same way: a repeat is the same job and the same process. */
export const contentKeyOf = ({ tenant, kbId, identity, contentHash, format, title, chunkSize }: Content): string =>
  derivedId('content', tenant, kbId, identity, contentHash, canonicalJson({ format, title, chunkSize }));

export const jobIdOf = (contentKey: string): string => derivedId('job', contentKey);

/** A document of its own for each time the content is built anew: what a late activity of a former time does, misses. */
export const documentIdOf = (contentKey: string, revision: number): string => derivedId('doc', contentKey, String(revision));

export const citationOf = (documentId: string, ordinal: number): string => `${documentId}#${ordinal}`;

/** Begin and end of a passage as it is cited. */
export function citedPlace(start: Place, end: Place): CitedPlace {
  const endMs = end.endMs ?? end.startMs;
  const { page, slide, sheet, speaker, headings } = start;
  return {
    ...(start.line === undefined ? {} : { start_line: start.line }),
    ...(end.line === undefined ? {} : { end_line: end.line }),
    ...(page === undefined ? {} : { page }),
    ...(slide === undefined ? {} : { slide }),
    ...(sheet === undefined ? {} : { sheet }),
    ...(start.startMs === undefined ? {} : { start_time: clock(start.startMs) }),
    ...(endMs === undefined ? {} : { end_time: clock(endMs) }),
    ...(speaker === undefined ? {} : { speaker }),
    ...(headings === undefined || headings.length === 0 ? {} : { headings }),
  };
}

const clock = (ms: number): string => {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}.${String(Math.round(ms) % 1000).padStart(3, '0')}`;
};

/**
 * What a query asks for by its words, each with its number of occurrences. At most `max` of them: every term costs
 * its whole posting list, and a text of that length says more by its meaning anyway.
 */
export function queryTerms(words: readonly string[], max = 64): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  if (counts.size <= max) return counts;
  return new Map([...counts].sort((a, b) => b[1] - a[1]).slice(0, max));
}
