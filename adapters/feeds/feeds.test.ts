import { describe, expect, test } from 'vitest';
import { articlesOf } from './articles.ts';
import { readDate } from './dates.ts';
import { readOpml } from './opml.ts';
import { readFeed } from './read.ts';
import type { FeedInput } from './types.ts';

const url = 'https://feeds.example.com/news.xml';
const feedOf = (text: string | Uint8Array, more: Partial<FeedInput> = {}) =>
  readFeed({ bytes: typeof text === 'string' ? Buffer.from(text) : text, url, ...more });
const articlesIn = (text: string | Uint8Array, max = 50) => articlesOf(feedOf(text), max);
const failureOf = (text: string): { code: string; details: Record<string, unknown>; alternatives?: string[] } => {
  try {
    feedOf(text);
  } catch (error) {
    return error as never;
  }
  throw new Error('it was read');
};

describe('dialects', () => {
  test('RSS 2.0 with the modules that blogs use', () => {
    const { articles, title, language, warnings } = articlesIn(`<?xml version="1.0"?>
      <rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/">
      <channel><title>Rail News</title><link>https://rail.example/</link><language>en-gb</language>
        <item><title>Points &amp;amp; signals</title><link>/2026/points</link><dc:creator>Ada Byron</dc:creator>
          <pubDate>Tue, 10 Nov 2026 08:30:00 +0100</pubDate><category>AI</category><category>Rail</category><category>AI</category>
          <description><![CDATA[<p>New <b>points</b> laid.</p><p>Trains run.</p>]]></description>
          <content:encoded>&lt;h1&gt;All of it&lt;/h1&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;p&gt;Long text&lt;/p&gt;</content:encoded></item>
      </channel></rss>`);
    expect({ title, language, warnings }).toEqual({ title: 'Rail News', language: 'en-gb', warnings: [] });
    expect(articles).toEqual([
      {
        title: 'Points & signals',
        url: 'https://rail.example/2026/points',
        published_at: '2026-11-10T07:30:00Z',
        summary: 'New points laid. Trains run.',
        author: 'Ada Byron',
        content_snippet: 'All of it Long text',
        categories: ['AI', 'Rail'],
        raw_content: '<h1>All of it</h1><script>alert(1)</script><p>Long text</p>',
      },
    ]);
  });

  test('Atom 1.0: links by their rel, xml:base, XHTML, the authors of the feed', () => {
    const feed = feedOf(`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en_GB" xml:base="https://a.example/blog/">
      <title type="html">Caf&amp;eacute;</title><author><name>Team</name></author><id>urn:x</id>
      <entry><title>One</title><link rel="self" href="one.atom"/><link href="one"/><link rel="enclosure" href="one.mp3" length="7"/>
        <published>2026-11-10T08:30:00.250Z</published><updated>2026-11-11T00:00:00Z</updated>
        <content type="xhtml"><x:div xmlns:x="http://www.w3.org/1999/xhtml"><x:a href="two">Two</x:a> &amp; <x:br/></x:div></content></entry>
    </feed>`);
    expect(feed).toMatchObject({ dialect: 'atom10', language: 'en-GB', title: { value: 'Caf&eacute;', type: 'text/html' } });
    expect(feed.entries[0]).toMatchObject({
      link: 'https://a.example/blog/one',
      enclosures: [{ href: 'https://a.example/blog/one.mp3', length: '7' }],
      content: [{ value: '<a href="https://a.example/blog/two">Two</a> &amp; <br />', type: 'application/xhtml+xml', language: 'en-GB' }],
    });
    expect(articlesOf(feed, 9)).toMatchObject({
      title: 'Café',
      articles: [{ author: 'Team', published_at: '2026-11-10T08:30:00Z', content_snippet: 'Two &' }],
    });
  });

  test('what Postgres does not keep comes through nowhere', () => {
    const half = '\\ud800 and \\u0000';
    const item = `{"url":"/1","title":"t${half}","content_html":"<b>${half}</b>","authors":[{"name":"a${half}"}],"tags":["g${half}"]}`;
    const feed = articlesIn(`{"version":"https://jsonfeed.org/version/1.1","title":"${half}","language":"en${half}","items":[${item}]}`);
    expect(feed.articles).toMatchObject([{ raw_content: '<b>\ufffd and </b>' }]);
    expect(JSON.stringify(feed)).not.toMatch(/\\u0000|\\ud800/);
  });

  test('RSS 1.0, RSS 0.91, CDF and JSON Feed', () => {
    const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
      <channel rdf:about="https://r.example/"><title>R</title></channel>
      <item rdf:about="https://r.example/1"><title>First</title><dc:date>2026-11-10</dc:date><dc:subject>Steel</dc:subject></item></rdf:RDF>`;
    expect(articlesIn(rdf)).toMatchObject({
      dialect: 'rss10',
      articles: [{ title: 'First', url: 'https://r.example/1', published_at: '2026-11-10T00:00:00Z', categories: ['Steel'] }],
    });
    const old = '<rss version="0.91"><channel><item><title>T</title><link>https://o.example/1</link></item></channel></rss>';
    expect(articlesIn(old)).toMatchObject({ dialect: 'rss091', articles: [{ published_at: null, author: null, raw_content: null }] });
    const cdf =
      '<CHANNEL HREF="https://c.example/"><TITLE>C</TITLE><ITEM HREF="/1" LASTMOD="2026-11-10T08:30"><TITLE>I</TITLE><ABSTRACT>About</ABSTRACT></ITEM></CHANNEL>';
    expect(articlesIn(cdf)).toMatchObject({
      dialect: 'cdf',
      articles: [{ title: 'I', summary: 'About', published_at: '2026-11-10T08:30:00Z' }],
    });
    const json = JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'J',
      items: [
        {
          id: 7,
          url: 'one',
          content_html: '<p>Hi</p>',
          date_published: '2026-11-10T08:30:00+01:00',
          authors: [{ name: 'A' }, 5],
          tags: ['x', 1],
        },
        { id: '8', title: 5, external_url: 'https://e.example/2', content_text: 'a < b' },
        'nonsense',
      ],
    });
    expect(articlesIn(json)).toMatchObject({
      dialect: 'json1',
      warnings: ['1 items were left out.'],
      articles: [
        {
          title: 'Hi',
          url: 'https://feeds.example.com/one',
          author: 'A',
          categories: ['x'],
          raw_content: '<p>Hi</p>',
          published_at: '2026-11-10T07:30:00Z',
        },
        { title: 'a < b', url: 'https://e.example/2', content_snippet: 'a < b', raw_content: null },
      ],
    });
  });

  test('what is called like a field of the feed but belongs to something else is passed over', () => {
    const { articles } =
      articlesIn(`<rss version="2.0" xmlns:m="https://other.example/ns" xmlns:media="http://search.yahoo.com/mrss/"><channel>
      <item><m:title>Wrong</m:title><media:title>Also wrong</media:title><title>Right</title><link>https://x.example/</link></item></channel></rss>`);
    expect(articles[0]!.title).toBe('Right');
  });

  test('prefixes nobody declared, and end tags nobody wrote', () => {
    const { articles, warnings } = articlesIn(
      '<rss><channel><item><title>A<br>B</title><link>https://x.example/1</link><dc:creator>Eve</dc:creator></item><item><title>C</title><link>https://x.example/2</item></channel></rss>',
    );
    expect(articles).toMatchObject([{ author: 'Eve' }, { title: 'C', url: 'https://x.example/2' }]);
    expect(warnings).toEqual(['The feed is not well-formed; it was repaired.']);
  });
});

describe('articles', () => {
  const rss = (...items: string[]): string => `<rss version="2.0"><channel>${items.join('')}</channel></rss>`;
  const item = (n: number, more = ''): string => `<item><title>${n}</title><link>https://x.example/${n}</link>${more}</item>`;
  const on = (day: number): string => `<pubDate>${day} Nov 2026</pubDate>`;

  test('the newest come first where all are dated, else the feed decides', () => {
    const titles = (text: string, max: number): string[] => articlesIn(text, max).articles.map(({ title }) => title);
    expect(titles(rss(item(1, on(1)), item(3, on(3)), item(2, on(2))), 2)).toEqual(['3', '2']);
    expect(titles(rss(item(1, on(1)), item(3, on(3)), item(2)), 2)).toEqual(['1', '3']);
  });

  test('without a web address there is none, and each stands once', () => {
    const { articles, warnings } = articlesIn(
      rss(
        item(1),
        item(1),
        '<item><title>no address</title></item>',
        '<item><link>javascript:alert(1)</link></item>',
        '<item><guid>https://x.example/guid</guid></item>',
        '<item><guid isPermaLink="false">https://x.example/not</guid><link>https://x.example/link</link></item>',
        '<item><title>sound</title><enclosure url="https://x.example/a.mp3"/></item>',
      ),
    );
    expect(articles.map((each) => each.url)).toEqual([
      'https://x.example/1',
      'https://x.example/guid',
      'https://x.example/link',
      'https://x.example/a.mp3',
    ]);
    expect(warnings).toEqual(['2 entries without a web address were left out.']);
    expect(articles[1]!.title).toBe('https://x.example/guid');
  });

  test('blanks are one each, and what nobody sees is gone', () => {
    const { articles } = articlesIn(
      rss(item(1, '<description> a  \t\n \u00a0b&lt;br&gt;&amp;nbsp;c sig&amp;shy;nal \u3000 d</description>')),
    );
    expect(articles[0]!.summary).toBe('a b c signal d');
  });

  test('plain text holds no markup, nothing hidden and no entities; snippets have 500 characters', () => {
    const html = `<style>p{}</style><p title="a > b">One&nbsp;&hellip;</p><!-- no --><svg><text>no</text></svg><ul><li>Two<li>Three</ul> 3 < 4 &lt;b&gt; <img src=x onerror='alert(">")'>${'😀 '.repeat(400)}`;
    const { articles } = articlesIn(rss(item(1, `<description><![CDATA[${html}]]></description>`)));
    const [article] = articles;
    expect(article!.summary.startsWith('One … Two Three 3 < 4 <b> 😀')).toBe(true);
    expect(article!.content_snippet.length).toBeLessThanOrEqual(500);
    expect(article!.content_snippet.isWellFormed()).toBe(true);
    expect(article!.raw_content).toBe(html.trim());
  });
});

describe('encodings', () => {
  const rss = (title: string, declared = ''): string => `${declared}<rss><channel><title>${title}</title></channel></rss>`;
  const titleOf = (bytes: Uint8Array, charset?: string) => feedOf(bytes, { charset }).title?.value;
  const declared = (name: string): string => `<?xml version="1.0" encoding="${name}"?>`;
  const single = (text: string): Buffer => Buffer.from(text, 'latin1');

  test('marks, declarations, and what the server says', () => {
    expect(titleOf(Buffer.from(`\uFEFF${rss('Žluťoučký')}`))).toBe('Žluťoučký');
    expect(titleOf(Buffer.from(`\uFEFF${rss('Žluť')}`, 'utf16le'))).toBe('Žluť');
    expect(titleOf(Buffer.from(rss('Žluť'), 'utf16le'))).toBe('Žluť');
    expect(titleOf(single(rss('caf\u00e9', declared('iso-8859-1'))))).toBe('café');
    expect(titleOf(single(rss('\u0080 \u0096', declared('windows-1252'))))).toBe('€ –');
    expect(
      titleOf(
        Buffer.concat([
          single(declared('windows-1251')),
          single('<rss><channel><title>'),
          Buffer.from([0xcf, 0xee]),
          single('</title></channel></rss>'),
        ]),
      ),
    ).toBe('По');
    expect(titleOf(single(rss('\u00cf')), 'windows-1251')).toBe('П');
  });

  test('wrong claims', () => {
    // Servers declare ISO-8859-1 for UTF-8.
    expect(titleOf(Buffer.from(rss('café', declared('utf-8'))), 'iso-8859-1')).toBe('café');
    expect(titleOf(single(rss('caf\u00e9', declared('utf-8'))))).toBe('café');
    expect(titleOf(single(rss('caf\u00e9', declared('no-such-thing'))))).toBe('café');
    expect(feedOf(single(rss('caf\u00e9', declared('utf-8')))).warnings[0]).toMatch(/Windows-1252/);
    const [start = '', end = ''] = rss(`${'žluťoučký kůň '.repeat(5)}|`).split('|');
    expect(feedOf(Buffer.concat([Buffer.from(start), Buffer.from([0xff]), Buffer.from(end)])).warnings).toEqual([
      '1 invalid UTF-8 sequences were replaced.',
    ]);
  });
});

describe('what is no feed', () => {
  test('says so, and names the feeds of a page', () => {
    expect(failureOf('   ')).toMatchObject({ code: 'VALIDATION_ERROR', details: { reason: 'empty' } });
    expect(failureOf('just words')).toMatchObject({ details: { reason: 'not_a_feed' } });
    expect(failureOf('{"a": 1}')).toMatchObject({ details: { reason: 'not_a_feed' } });
    expect(failureOf('{"version": "https://jsonfeed.org/version/1", "items": [')).toMatchObject({ details: { reason: 'not_a_feed' } });
    expect(failureOf('<sitemap><url/></sitemap>')).toMatchObject({ details: { reason: 'not_a_feed' } });
    const page = `<!DOCTYPE html><html><head><link rel=stylesheet href=a.css><link rel="alternate" type="application/rss+xml" href="/rss?a=1&amp;b=2">
      <link type='application/atom+xml' href='https://other.example/atom'></head></html>`;
    expect(failureOf(page).alternatives).toEqual(['https://feeds.example.com/rss?a=1&b=2', 'https://other.example/atom']);
  });

  test('what was cut off keeps what is whole', () => {
    const whole =
      '<rss><channel><title>T</title><item><title>1</title><link>https://x.example/1</link></item><item><title>2</title><link>https://x.exam';
    const { articles, warnings } = articlesIn(whole);
    expect(articles.map(({ title }) => title)).toEqual(['1']);
    expect(warnings).toEqual(['The feed ends in the middle: its last entry was left out.']);
  });
});

describe('dates', () => {
  test.each([
    ['Thu, 01 Jan 2004 19:48:21 GMT', '2004-01-01T19:48:21.000Z'],
    ['1 Jan 04 19:48 EST', '2004-01-02T00:48:00.000Z'],
    ['Thu, 1 January 2004 19:48:21 -0330', '2004-01-01T23:18:21.000Z'],
    ['Thu, 01-Jan-2004 07:48:21 PM PDT', '2004-01-02T02:48:21.000Z'],
    ['Wrong, 31 Dec 1999 24:00:00 +0000', '2000-01-01T00:00:00.000Z'],
    ['Do., 01 Jan 2004 19:48:21 CEST', '2004-01-01T17:48:21.000Z'],
    ['01 Jan 2004 19:48:21 A', '2004-01-01T19:48:21.000Z'],
    ['Thu Jan  1 19:48:21 2004', '2004-01-01T19:48:21.000Z'],
    ['Thu Jan 1 19:48:21 EST 2004', '2004-01-02T00:48:21.000Z'],
    ['January 1st, 2004, 7:48 pm', '2004-01-01T19:48:00.000Z'],
    ['2004', '2004-01-01T00:00:00.000Z'],
    ['2004-02', '2004-02-01T00:00:00.000Z'],
    ['20040229', '2004-02-29T00:00:00.000Z'],
    ['2004-060', '2004-02-29T00:00:00.000Z'],
    ['2004-02-29T12:30Z', '2004-02-29T12:30:00.000Z'],
    ['2004-02-29t12:30:15.123456+05:30', '2004-02-29T07:00:15.000Z'],
    ['2004-02-29 12:30:15.0', '2004-02-29T12:30:15.000Z'],
    ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.000Z'],
    ['1072986501', '2004-01-01T19:48:21.000Z'],
  ])('%s', (text, at) => expect(readDate(text)?.replace(/\.\d+Z$/, '.000Z')).toBe(at));

  test.each([
    '',
    'yesterday',
    '31 Feb 2004',
    '2003-02-29',
    '2004-13-01',
    '2004-01-01T25:00:00Z',
    'Thu, 01 Foo 2004 10:00 GMT',
    '0000-00-00',
    '99999999999999',
    '0001-01-01T00:00:00+01:00',
    '9999-366',
  ])('none: %s', (text) => expect(readDate(text)).toBeNull());
});

test('OPML: each feed once, folders as categories', () => {
  const found = readOpml(
    Buffer.from(`<?xml version="1.0"?><opml version="2.0"><body>
    <outline text="Tech"><outline text="A &amp; B" type="rss" xmlUrl="https://a.example/feed" category="/News/AI"/><outline text="Again" xmlUrl="https://a.example/feed"/></outline>
    <outline title="Alone" xmlUrl="https://b.example/feed"/></body></opml>`),
  );
  expect(found).toEqual([
    { title: 'A & B', url: 'https://a.example/feed', categories: ['Tech', 'AI'] },
    { title: 'Alone', url: 'https://b.example/feed', categories: [] },
  ]);
  expect(() => readOpml(Buffer.from('<rss/>'))).toThrow('no OPML');
});
