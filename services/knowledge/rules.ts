import type { Place } from '../../adapters/parsers/index.ts';
import { AppError } from '../../contracts/errors.ts';
import { canonicalJson, derivedId } from '../../contracts/ids.ts';
import type { CitedPlace } from '../../contracts/knowledge/knowledge.ts';

/** Texts up to this size take only seconds, and have a separate queue. */
export const lightBytes = 64 * 1024;

/** The fields that decide whether a submission is new, a repeat, or a new version. */
export interface Content {
  tenant: string;
  kbId: string;
  /** Identity of the source: the path of a file, or the title of a pasted text. */
  identity: string;
  contentHash: string;
  format: string | null;
  title: string | null;
  chunkSize: number;
}

export const sourceIdOf = ({ tenant, kbId, identity }: Pick<Content, 'tenant' | 'kbId' | 'identity'>): string =>
  derivedId('source', tenant, kbId, identity);

/** The same for the same content with the same name and chunk size: a repeat is the same job and process. */
export const contentKeyOf = ({ tenant, kbId, identity, contentHash, format, title, chunkSize }: Content): string =>
  derivedId('content', tenant, kbId, identity, contentHash, canonicalJson({ format, title, chunkSize }));

export const jobIdOf = (contentKey: string): string => derivedId('job', contentKey);

/** A separate document id for each build of the content, so that late activities of an earlier build have no effect. */
export const documentIdOf = (contentKey: string, revision: number): string => derivedId('doc', contentKey, String(revision));

export const citationOf = (documentId: string, ordinal: number): string => `${documentId}#${ordinal}`;

/** Start and end of a passage, for citations. */
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
 * The words of a query, each with its number of occurrences. At most `max`: every term costs its whole posting list,
 * and a long text is better matched by meaning.
 */
export function queryTerms(words: readonly string[], max = 64): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  if (counts.size <= max) return counts;
  return new Map([...counts].sort((a, b) => b[1] - a[1]).slice(0, max));
}

const maxQuery = 10_000;

/** A query as it is searched for. @throws AppError VALIDATION_ERROR (empty or over-long) */
export function queryText(query: string): string {
  const text = query.trim();
  if (text === '') {
    throw new AppError('VALIDATION_ERROR', 'The query is empty.', { hint: 'Describe in a few words what you are looking for.' });
  }
  if (text.length > maxQuery) {
    throw new AppError('VALIDATION_ERROR', `The query has ${text.length} characters; at most ${maxQuery} are taken.`, {
      hint: 'Shorten the query.',
    });
  }
  return text;
}
