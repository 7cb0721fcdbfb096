import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { evalPages } from './pages.ts';

const dir = new URL('../../shared/data/5-files/readability', import.meta.url).pathname;
const here = existsSync(dir);
if (!here) console.warn('shared/data is not there: the test on real web pages is skipped.');

it.skipIf(!here)(
  'reads the pages of Readability as their expected text and metadata',
  async () => {
    const { files, totals } = await evalPages(dir, { print: (text) => console.log(text) });
    expect(totals).toMatchObject({ files: 9, parsed: 9, compared: 9 });
    expect(totals.meanF1).toBeGreaterThanOrEqual(0.99);
    for (const file of files) expect(file.reference!.f1, file.file).toBeGreaterThanOrEqual(0.95);
    const unlike = files.flatMap((file) => file.metadata!.filter((each) => !each.alike).map((each) => [file.file, each.field, each.found]));
    expect(unlike).toEqual([]);
  },
  60_000,
);
