import { createParser, type ParserSettings } from '../parsers/bounded.ts';
import type { PageAbout } from './readable.ts';

interface PageInput {
  bytes: Uint8Array;
  /** From the Content-Type. */
  charset?: string | undefined;
}

export interface ReadPage {
  title: string | null;
  /** Paragraphs, headings, lists, tables and code of the article, as plain text, an empty line between them. */
  text: string;
  about: PageAbout;
}

/** Reads untrusted web pages in a separate process. */
export interface PageReader {
  /** @throws AppError VALIDATION_ERROR or PAYLOAD_TOO_LARGE with `details.reason` (parsers/refusals.ts); SERVICE_UNAVAILABLE */
  read(input: PageInput): Promise<ReadPage>;
  close(): Promise<void>;
}

/** A caller waits for the answer. */
const mostMs = 10_000;

export function openPageReader(settings: ParserSettings): PageReader {
  const parser = createParser({ ...settings, timeoutMs: Math.min(settings.timeoutMs, mostMs) });
  return {
    async read({ bytes, charset }) {
      const parsed = await parser.parse({
        bytes,
        as: 'article',
        mediaType: charset === undefined ? 'text/html' : `text/html; charset=${charset}`,
      });
      return {
        title: parsed.title ?? null,
        text: parsed.blocks.map((block) => block.text).join('\n\n'),
        about: parsed.metadata as unknown as PageAbout,
      };
    },
    close: () => parser.close(),
  };
}
