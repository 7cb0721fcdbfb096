import type { ReadPage } from '../../adapters/web/page-reader.ts';
import type { Fetched } from '../../adapters/web/types.ts';
import { AppError } from '../../contracts/errors.ts';
import type { WebpageMetadata } from '../../contracts/feeds/feeds.ts';
import { canonicalAddress } from './addresses.ts';
import { dateOf } from './dates.ts';
import { firstCharacters } from './plain.ts';
import { Service } from '../kernel/service.ts';

export interface Webpage {
  /** The requested address. */
  url: string;
  /** The address after redirects. */
  final_url: string;
  /** The page's canonical address, if it is a valid http(s) address; else that of `final_url`. */
  canonical_url: string;
  /** ISO 8601, UTC. */
  fetched_at: string;
  status_code: number;
  title: string;
  /** Plain text; empty unless requested. */
  content: string;
  /** All empty unless requested. */
  metadata: WebpageMetadata;
  word_count: number;
  language: string | null;
  warnings: string[];
}

const maxBytes = 5_000_000;
const maxCharacters = 200_000;
const htmlTypes = new Set(['text/html', 'application/xhtml+xml']);

/** One web page, read as an article. */
export class Webpages extends Service<'web' | 'pageReader'> {
  /** Total timeout in ms. */
  timeoutMs = 20_000;

  /**
   * @throws AppError VALIDATION_ERROR for an address that may not be fetched; NOT_FOUND, FORBIDDEN,
   * RATE_LIMIT_EXCEEDED and TIMEOUT as the site answers; SERVICE_UNAVAILABLE when the site or the page is at fault,
   * with `details.reason` (media_type: it is a file, not a page). Where the site answered, `details.http_status`
   */
  async fetch(
    url: string,
    {
      extractContent = true,
      extractMetadata = true,
      signal,
    }: { extractContent?: boolean; extractMetadata?: boolean; signal?: AbortSignal | undefined } = {},
  ): Promise<Webpage> {
    const address = this.deps.web.check(url);
    try {
      const fetched = await this.deps.web.fetch(address, {
        accept: 'text/html, application/xhtml+xml, text/plain;q=0.5',
        acceptsType: isPage,
        maxBytes,
        timeoutMs: this.timeoutMs,
        oneTimeout: true,
        signal,
      });
      const page = await this.read(fetched);
      const cut = page.text.length > maxCharacters;
      const content = extractContent ? firstCharacters(page.text, maxCharacters) : '';
      return {
        url,
        final_url: fetched.url,
        canonical_url: canonicalOf(page, fetched.url),
        fetched_at: new Date().toISOString(),
        status_code: fetched.status,
        title: page.title ?? '',
        content,
        metadata: extractMetadata ? metadataOf(page, fetched.url) : nothing,
        word_count: countWords(content),
        language: page.about.language,
        warnings: [
          ...(page.about.warnings ?? []),
          ...(page.about.article || !extractContent ? [] : ['No article was found in the page: the content is all of its text.']),
          ...(cut && extractContent ? [`The content was cut after ${maxCharacters} characters.`] : []),
        ],
      };
    } catch (error) {
      signal?.throwIfAborted();
      throw failureOf(error, this.timeoutMs);
    }
  }

  private async read({ bytes, mediaType, charset }: Fetched): Promise<ReadPage> {
    if (htmlTypes.has(mediaType)) return await this.deps.pageReader.read({ bytes, charset });
    return { title: null, text: new TextDecoder().decode(bytes).replaceAll('\u0000', '').trim(), about: plainAbout };
  }
}

const plainAbout: ReadPage['about'] = {
  description: null,
  keywords: [],
  author: null,
  published: null,
  image: null,
  canonical_url: null,
  site_name: null,
  language: null,
  article: true,
};
const nothing: WebpageMetadata = { description: null, keywords: [], author: null, published_at: null, og_image: null };

const isPage = (mediaType: string): boolean => htmlTypes.has(mediaType) || mediaType === 'text/plain' || mediaType === 'text/markdown';

const metadataOf = ({ about }: ReadPage, base: string): WebpageMetadata => ({
  description: about.description,
  keywords: about.keywords,
  author: about.author,
  published_at: dateOf(about.published ?? undefined),
  og_image: absolute(about.image, base),
});

/** A page may name another site's page as its original, but only an http(s) page. */
const canonicalOf = ({ about }: ReadPage, found: string): string =>
  canonicalAddress(absolute(about.canonical_url, found) ?? found) ?? found;

function absolute(text: string | null, base: string): string | null {
  if (text === null || !URL.canParse(text, base)) return null;
  const url = new URL(text, base);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
}

/** Words separated by spaces; characters in scripts without spaces. */
const countWords = (text: string): number =>
  text.match(
    /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}])[\p{L}\p{N}\p{M}])+(?:['’.\-_](?:(?![\p{sc=Han}])[\p{L}\p{N}])+)*/gu,
  )?.length ?? 0;

/** Errors of the caller stay; other failures are the site's. */
function failureOf(error: unknown, timeoutMs: number): unknown {
  if (!(error instanceof AppError) || error.code === 'INTERNAL') return error;
  const { status, reason = 'unavailable', ...rest } = error.details ?? {};
  const details = { ...rest, reason, ...(typeof status === 'number' ? { http_status: status } : {}) };
  const again = (code: AppError['code'], message: string, hint = error.hint, more: Record<string, unknown> = {}): AppError =>
    new AppError(code, message, {
      ...(hint === undefined ? {} : { hint }),
      details: { ...details, ...more },
      ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
      retryable: error.retryable,
      cause: error,
    });
  if (error.code === 'TIMEOUT') return again('TIMEOUT', error.message, undefined, { http_status: 504, timeout_seconds: timeoutMs / 1000 });
  if (status === 429) return again('RATE_LIMIT_EXCEEDED', error.message);
  if (reason === 'media_type') {
    return again(
      'SERVICE_UNAVAILABLE',
      error.message,
      'It is a file, not a page: ingest.url.submit ingests files, and document.content.parse reads one.',
      {
        http_status: 200,
      },
    );
  }
  const ours = ['invalid', 'too_long', 'scheme', 'credentials', 'port', 'private_address'];
  if (error.code === 'NOT_FOUND' || error.code === 'FORBIDDEN' || ours.includes(String(reason))) return again(error.code, error.message);
  return again('SERVICE_UNAVAILABLE', error.message);
}
