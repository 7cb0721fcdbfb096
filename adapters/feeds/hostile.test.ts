import { afterAll, describe, expect, test } from 'vitest';
import { readFeed } from './read.ts';
import { openFeedReader } from './reader.ts';

const reader = openFeedReader();
afterAll(() => reader.close());
const url = 'https://feeds.example.com/';
const read = (text: string) => readFeed({ bytes: Buffer.from(text), url });

test('entities are short texts of the document; nothing is fetched or multiplied', () => {
  const lol = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('');
  const { title } = read(
    `<!DOCTYPE rss [<!ENTITY l0 "lol"><!ENTITY own "Signal &#38; box"><!ENTITY file SYSTEM "file:///etc/passwd"><!ENTITY % p SYSTEM "http://127.0.0.1/x">%p;${lol}]>
     <rss><channel><title>&own; &file; &l9; &nbsp;&unknown;</title></channel></rss>`,
  );
  expect(title?.value).toBe('Signal & box &file;  \u00a0&unknown;');
});

/** About the largest feed that is read without a thread. */
const size = 500 * 1024;
const fill = (piece: string): string => piece.repeat(Math.floor(size / piece.length));
const cases: [string, string][] = [
  ['open elements', `<rss>${fill('<a>')}`],
  ['empty elements', `<rss><channel>${fill('<a/>')}`],
  ['stray ends', `<rss><channel>${'<b>'.repeat(140)}${fill('</zz>')}`],
  ['stray signs', `<rss><channel><title>${fill('<')}`],
  ['ampersands', `<rss><channel><title>${fill('&')}`],
  ['references', `<rss><channel><title>${fill('&amp;')}`],
  ['unknown references', `<rss><channel><title>${Array.from({ length: 20_000 }, (_, n) => `&q${n.toString(36)};`).join('')}`],
  ['declarations', fill('<!>')],
  ['document types', fill('<!DOCTYPE x [')],
  ['own entities', `<!DOCTYPE x [${fill('<!ENTITY a "aaaa">')}]><rss/>`],
  ['attributes', `<rss ${fill('a="b" ')}>`],
  ['namespaces', `<rss ${fill('xmlns:a="b" ')}>`],
  ['quotes', `<rss a="${fill("<b c='")}`],
  ['blanks', `<rss>${fill(`<a${' '.repeat(1000)}`)}`],
  ['sections', `<rss><channel><item><description>${fill('<![CDATA[x]]>')}</description></item></channel></rss>`],
  ['links of a page', `<html>${fill('<link ')}`],
  ['zeros', `<rss>${'\0'.repeat(size)}`],
  ['items', `<rss><channel>${fill('<item/>')}</channel></rss>`],
  ['nested JSON', `{"version":"https://jsonfeed.org/version/1","items":${'['.repeat(size / 2)}${']'.repeat(size / 2)}}`],
  ['tags in a text', `<rss><channel><item><link>http://x/</link><description>${fill('&lt;a "&gt;')}</description></item></channel></rss>`],
  [
    'mixed quotes in a text',
    `<rss><channel><item><link>http://x/</link><description>${fill('&lt;a "\'&gt;')}</description></item></channel></rss>`,
  ],
  [
    'hidden parts in a text',
    `<rss><channel><item><link>http://x/</link><description>${fill('&lt;svg&gt;&lt;/svg&gt;')}</description></item></channel></rss>`,
  ],
];
describe('hostile feeds cost little', () => {
  test.each(cases)(
    '%s',
    async (_, text) => {
      const before = process.cpuUsage();
      await reader
        .articles({ bytes: Buffer.from(text), url }, 500)
        .catch((error: { code?: string }) => expect(error.code).toBe('VALIDATION_ERROR'));
      // Of this process only, so that other load does not matter. Quadratic costs would be minutes.
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1000).toBeLessThan(5_000);
    },
    30_000,
  );
});

test('nesting has an end, and what is beyond it is left out', () => {
  const feed = read(
    `<rss><channel><item><link>https://x.example/</link><description>${'<p>'.repeat(1_000)}deep${'</p>'.repeat(1_000)}</description></item></channel></rss>`,
  );
  expect(feed.entries).toHaveLength(1);
  expect(feed.entries[0]!.summary?.value).not.toContain('deep');
  expect(feed.warnings).toEqual(['The feed is not well-formed; it was repaired.']);
});

test('20 MB: read in a thread while this one goes on', async () => {
  const item = (n: number): string =>
    `<item><title>Title ${n}</title><link>https://x.example/${n}</link><description>&lt;p&gt;${'Some words. '.repeat(60)}&lt;/p&gt;</description></item>`;
  const text = `<rss version="2.0"><channel><title>Large</title>${Array.from({ length: 20_000 }, (_, n) => item(n)).join('')}</channel></rss>`;
  expect(text.length).toBeGreaterThan(15_000_000);
  let turns = 0;
  const counting = setInterval(() => turns++, 1);
  const { articles, warnings } = await reader.articles({ bytes: Buffer.from(text), url }, 500);
  clearInterval(counting);
  // Read in this thread, there would be none.
  expect(turns).toBeGreaterThan(20);
  expect(articles).toHaveLength(500);
  expect(warnings).toEqual(['The feed is very large: its first 2000 entries were read.']);
});

test('a feed that takes too long, or too much, is given up; the next one is read', async () => {
  const strict = openFeedReader({ cheapBytes: 10, timeoutMs: 50 });
  const small = openFeedReader({ cheapBytes: 10, memoryMb: 12 });
  const feed = '<rss><channel><title>T</title></channel></rss>';
  try {
    const bytes = Buffer.from(`<rss><channel><title>${'&amp;'.repeat(3_000_000)}`);
    await expect(strict.articles({ bytes, url }, 5)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE', details: { reason: 'timeout' } });
    const many = Buffer.from(`<rss><channel>${'<a b="c">x</a>'.repeat(200_000)}`);
    await expect(small.articles({ bytes: many, url }, 5)).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      details: { reason: 'out_of_memory' },
    });
    expect(await reader.articles({ bytes: Buffer.from(feed), url }, 5)).toMatchObject({ title: 'T' });
  } finally {
    await Promise.all([strict.close(), small.close()]);
  }
  await expect(strict.articles({ bytes: Buffer.from(feed), url }, 5)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('errors of a thread come as they are', async () => {
  const threads = openFeedReader({ cheapBytes: 10 });
  const page = '<html><link type="application/rss+xml" href="/rss"></html>';
  try {
    await expect(threads.articles({ bytes: Buffer.from(page), url }, 5)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      alternatives: ['https://feeds.example.com/rss'],
      details: { reason: 'not_a_feed' },
    });
  } finally {
    await threads.close();
  }
});
