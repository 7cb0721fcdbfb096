/**
 * How well web pages are read as articles (feed.webpage.fetch), by the same measure as files: a folder of pages as
 * `source.html`, each with `expected.html` and `expected-metadata.json` as Readability keeps its cases.
 */
import { createParser } from '../adapters/parsers/bounded.ts';
import type { PageAbout } from '../adapters/web/readable.ts';
import { evalFiles, type FilesOptions, type FilesReport } from './files.ts';

export async function evalPages(dir: string, options: Omit<FilesOptions, 'parser'> = {}): Promise<FilesReport> {
  const parser = createParser({ timeoutMs: 10_000, memoryMb: 512, maxPages: 5000, maxUnpackedBytes: 64 * 1024 * 1024 });
  try {
    return await evalFiles(dir, {
      ...options,
      parser: {
        async parse(input) {
          const parsed = await parser.parse({ ...input, as: 'article' });
          const { author, language, description, ...about } = parsed.metadata as unknown as PageAbout;
          // As the measure calls them.
          return { ...parsed, metadata: { ...about, byline: author, lang: language, excerpt: description } };
        },
        close: () => parser.close(),
      },
    });
  } finally {
    await parser.close();
  }
}
