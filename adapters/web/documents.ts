/** Limits of each crawl profile, and the media types of documents. */

export type CrawlProfile = 'auto' | 'fast' | 'thorough';

export interface ProfileLimits {
  maxBytes: number;
  timeoutMs: number;
  /** Attempts per page, for temporary failures. */
  tries: number;
  /** PDF and Office files, too. */
  files: boolean;
}

export const profiles: Record<CrawlProfile, ProfileLimits> = {
  fast: { maxBytes: 2_000_000, timeoutMs: 10_000, tries: 1, files: false },
  auto: { maxBytes: 10_000_000, timeoutMs: 30_000, tries: 1, files: true },
  thorough: { maxBytes: 50_000_000, timeoutMs: 60_000, tries: 2, files: true },
};

export const isHtml = (mediaType: string): boolean => mediaType === 'text/html' || mediaType === 'application/xhtml+xml';

const otherText = new Set(['text/css', 'text/javascript', 'text/ecmascript', 'text/calendar', 'text/xml', 'text/event-stream']);
const file =
  /^application\/(?:pdf|x-subrip|vnd\.openxmlformats-officedocument\.(?:wordprocessingml\.document|presentationml\.presentation|spreadsheetml\.sheet))$/;
/** Servers send one of these for unknown types; then the name decides. */
const untyped = new Set(['application/octet-stream', 'binary/octet-stream', 'application/x-download', 'application/force-download']);
const fileName = /\.(?:pdf|docx|pptx|xlsx|md|markdown|txt|csv|tsv|vtt|srt|html?)$/i;

export function isDocument(mediaType: string, filename: string | undefined, { files }: ProfileLimits): boolean {
  if (isHtml(mediaType)) return true;
  if (mediaType.startsWith('text/')) return !otherText.has(mediaType);
  return files && (file.test(mediaType) || (untyped.has(mediaType) && fileName.test(filename ?? '')));
}

/** Accept header of a request for a page. */
export const acceptDocuments = 'text/html, application/xhtml+xml, application/pdf;q=0.9, text/*;q=0.8, */*;q=0.5';
