import { describe, expect, it } from 'vitest';
import { processorMs } from '../../test/kit/processor.ts';
import { apiFeedSettings } from '../../contracts/feeds/feed-settings.ts';
import { canonicalAddress } from './addresses.ts';
import { mapArticles, type Defaults } from './api-mapping.ts';
import { dateOf } from './dates.ts';
import { firstCharacters, plain } from './plain.ts';

describe('canonical addresses', () => {
  it.each([
    ['HTTPS://Example.COM:443/A/b/?utm_source=x&b=2&a=1&fbclid=9#part', 'https://example.com/A/b?a=1&b=2'],
    ['http://example.com', 'http://example.com/'],
    ['http://example.com:80/', 'http://example.com/'],
    ['http://example.com:8080/a/', 'http://example.com:8080/a'],
    ['https://user:pw@example.com./a//', 'https://example.com/a'],
    ['https://example.com/%7euser/%2f?q=a b', 'https://example.com/~user/%2F?q=a+b'],
    ['https://example.com/?utm_medium=rss', 'https://example.com/'],
    [' https://example.com/a ', 'https://example.com/a'],
    ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
  ])('%s', (given, canonical) => {
    expect(canonicalAddress(given)).toBe(canonical);
    expect(canonicalAddress(canonical)).toBe(canonical);
  });

  it('keeps apart what nobody can know to be one', () => {
    const apart = [
      'http://example.com/a',
      'https://example.com/a',
      'https://www.example.com/a',
      'https://example.com/A',
      'https://example.com/a?id=1',
    ];
    expect(new Set(apart.map(canonicalAddress)).size).toBe(apart.length);
  });

  it.each(['', 'no address', 'ftp://example.com/a', 'javascript:alert(1)', '/relative', `https://example.com/${'a'.repeat(3_000)}`])(
    'is none: %s',
    (given) => expect(canonicalAddress(given)).toBeUndefined(),
  );
});

it.each([
  ['2025-11-14T10:30:00Z', '2025-11-14T10:30:00.000Z'],
  ['2025-11-14T10:30:00+02:00', '2025-11-14T08:30:00.000Z'],
  ['2025-11-14T10:30:00', '2025-11-14T10:30:00.000Z'],
  ['2025-11-14 10:30', '2025-11-14T10:30:00.000Z'],
  ['2025-11-14', '2025-11-14T00:00:00.000Z'],
  ['Fri, 14 Nov 2025 10:30:00 GMT', '2025-11-14T10:30:00.000Z'],
  ['1763116200', '2025-11-14T10:30:00.000Z'],
  ['1763116200000', '2025-11-14T10:30:00.000Z'],
  ['20251114T103000Z', '2025-11-14T10:30:00.000Z'],
  ['20251114', '2025-11-14T00:00:00.000Z'],
  ['0001-01-01T00:00:00+01:00', null],
  ['9999-12-31T23:59:59-01:00', null],
  ['+012025-11-14T10:30:00Z', null],
  ['yesterday', null],
  ['5', null],
  ['', null],
  [undefined, null],
])('the time %s', (given, at) => expect(dateOf(given)).toBe(at));

describe('plain text', () => {
  it.each([
    ['<p>One&nbsp;two</p><p>three<script>x()</script></p>', 'One two three'],
    ['a &amp; b &lt;c&gt; &#8212; d', 'a & b <c> — d'],
    ['if a < b and b > c', 'if a < b and b > c'],
    ['  two\n\nlines\u0000 ', 'two lines'],
    ['<b>bo</b>ld', 'bold'],
    ['<img src=x onerror=alert(1)>', ''],
    ['<a title="a > b">link</a>, <!-- no > --> and <br/>more <unclosed', 'link, and more'],
    ['caf&eacute; &hellip; &nosuch; &#0; x', 'café … &nosuch; \ufffd x'],
    ['<STYLE>p{}</STYLE>shown<script>if (a<b) x()</script>', 'shown'],
  ])('%j', (given, text) => expect(plain(given)).toBe(text));

  it('is cut between words', () => {
    expect(firstCharacters('one two three four', 15)).toBe('one two three');
    expect(firstCharacters('x'.repeat(20), 15)).toBe('x'.repeat(15));
    expect(firstCharacters(`${'x'.repeat(14)}😀`, 15)).toBe('x'.repeat(14));
  });

  it.each(['<div>', '<a "', "<a '", '<!--', '<', '<script>', '&amp', '<p x=">">', '</'])('takes %j without end in its time', (piece) => {
    const taken = processorMs(() => {
      for (let i = 0; i < 10; i += 1) plain(piece.repeat(4_000));
    });
    expect(taken).toBeLessThan(5_000);
  });
});

describe('mapping', () => {
  const base = 'https://api.example/v2/everything';
  const map = (answer: unknown, settings: Record<string, unknown>, defaults: Defaults = { source: 'The source', categories: ['Tech'] }) =>
    mapArticles(answer, apiFeedSettings.parse(settings), base, defaults);

  it('reads NewsAPI', () => {
    const { articles, items, skipped } = map(
      {
        status: 'ok',
        totalResults: 3,
        articles: [
          {
            source: { id: null, name: 'Example Times' },
            author: 'John Doe',
            title: 'A new <i>tool</i>',
            description: 'Somebody unveiled &quot;it&quot;.',
            url: 'https://times.example/a?utm_source=api',
            publishedAt: '2025-11-14T09:00:00Z',
            content: `${'word '.repeat(150)}[+1234 chars]`,
          },
          { title: '[Removed]', url: 'https://times.example/a', description: null, source: {} },
          { title: 'No address', url: null },
        ],
      },
      {
        fields: {
          title: '$.title',
          url: '$.url',
          published_at: '$.publishedAt',
          summary: '$.description',
          author: '$.author',
          content: '$.content',
          source: '$.source.name',
        },
      },
    );
    expect([items, skipped, articles.length]).toEqual([3, 1, 1]);
    expect(articles[0]).toEqual({
      title: 'A new tool',
      url: 'https://times.example/a?utm_source=api',
      published_at: '2025-11-14T09:00:00.000Z',
      summary: 'Somebody unveiled "it".',
      author: 'John Doe',
      content_snippet: expect.stringMatching(/^word .{480,495}$/),
      source: 'Example Times',
      categories: ['Tech'],
    });
  });

  it('cuts no character in half, and passes over halves that come', () => {
    const long = (length: number): string => `${'x'.repeat(length - 1)}😀`;
    const { articles } = map(
      { articles: [{ title: long(1_000), id: 'a\ud800', summary: long(5_000), author: long(500), source: long(500), tags: [long(200)] }] },
      {
        fields: {
          title: '$.title',
          url: { path: '$.id', template: 'https://x.example/{value}' },
          summary: '$.summary',
          author: '$.author',
          source: '$.source',
          categories: '$.tags',
        },
      },
    );
    expect(articles).toHaveLength(1);
    expect(JSON.stringify(articles)).not.toContain('\\ud8');
    expect(articles[0]!.title).toBe('x'.repeat(999));
  });

  it('reads a search of Hacker News, where some have no address', () => {
    const { articles } = map(
      {
        hits: [
          {
            objectID: '123',
            title: 'Ask HN: why?',
            story_text: '<p>Because</p>',
            url: null,
            created_at_i: 1763116200,
            author: 'pg',
            _tags: ['story', 'ask_hn'],
          },
          {
            objectID: '124',
            title: 'A link',
            url: 'https://blog.example/x',
            created_at: '2025-11-14T10:30:00Z',
            author: 'dang',
            _tags: ['story'],
          },
        ],
      },
      {
        items: '$.hits[*]',
        fields: {
          title: ['$.title', '$.story_title'],
          url: ['$.url', { path: '$.objectID', template: 'https://news.example/item?id={value}' }],
          published_at: ['$.created_at', '$.created_at_i'],
          content: '$.story_text',
          author: '$.author',
          categories: '$._tags[*]',
        },
      },
    );
    expect(articles).toMatchObject([
      {
        url: 'https://news.example/item?id=123',
        published_at: '2025-11-14T10:30:00.000Z',
        summary: 'Because',
        categories: ['story', 'ask_hn'],
      },
      { url: 'https://blog.example/x', published_at: '2025-11-14T10:30:00.000Z', source: 'The source' },
    ]);
  });

  it('reads nested and odd shapes', () => {
    const { articles, skipped } = map(
      {
        response: {
          groups: [
            {
              docs: [
                {
                  head: { main: 'First' },
                  link: '/a/1',
                  by: [{ n: 'A' }, { n: 'B' }],
                  tags: 'x; y;;x',
                  when: 'Fri, 14 Nov 2025 10:30:00 GMT',
                },
                'no item',
                null,
              ],
            },
            { docs: [{ head: { main: 42 }, link: ['https://other.example/2'], by: [], tags: null, when: {} }] },
            { docs: 'none' },
          ],
        },
      },
      {
        items: '$.response.groups[*].docs[*]',
        fields: {
          title: '$.head.main',
          url: '$.link',
          author: '$.by[*].n',
          published_at: '$.when',
          categories: { path: '$.tags', split: ';' },
        },
      },
      { source: null, categories: [] },
    );
    expect(skipped).toBe(2);
    expect(articles).toMatchObject([
      {
        title: 'First',
        url: 'https://api.example/a/1',
        author: 'A, B',
        categories: ['x', 'y'],
        published_at: '2025-11-14T10:30:00.000Z',
        source: null,
      },
      { title: '42', url: 'https://other.example/2', author: null, categories: [], published_at: null },
    ]);
  });

  it('never answers an address that is none of the web', () => {
    const urls = ['javascript:alert(1)', 'data:text/html,x', 'ftp://x.example/a', '', 'http://'];
    expect(map({ articles: urls.map((url) => ({ title: 't', url })) }, { fields: { title: '$.title', url: '$.url' } })).toMatchObject({
      articles: [],
      skipped: urls.length,
    });
  });
});
