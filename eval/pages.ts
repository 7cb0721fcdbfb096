/**
 * Quality of reading web pages as articles (feed.webpage.fetch), measured like files: a folder in the format of
 * Readability's test cases, with `source.html`, `expected.html` and `expected-metadata.json`.
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
          // Field names of the measure.
          return { ...parsed, metadata: { ...about, byline: author, lang: language, excerpt: description } };
        },
        close: () => parser.close(),
      },
    });
  } finally {
    await parser.close();
  }
}
