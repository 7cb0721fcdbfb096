import { afterAll, describe, expect, it } from 'vitest';
import { openPageReader } from './page-reader.ts';
import { linkedData } from './linked-data.ts';

const reader = openPageReader({ timeoutMs: 10_000, memoryMb: 256, maxPages: 10, maxUnpackedBytes: 1_000_000 });
afterAll(() => reader.close());

const paragraph = '<p>This is a paragraph of an article, long enough to be taken for one by whoever looks for articles in pages.</p>';
const page = (head: string, body = `<article>${paragraph.repeat(8)}</article>`) =>
  `<!doctype html><html lang="en-GB"><head>${head}</head><body>${body}</body></html>`;
const read = (html: string | Uint8Array, charset?: string) =>
  reader.read({ bytes: typeof html === 'string' ? new TextEncoder().encode(html) : html, charset });

describe('metadata', () => {
  it('comes from OpenGraph, meta tags and JSON-LD', async () => {
    const { title, about } = await read(
      page(`<title>The &amp; title</title>
        <meta property="og:image" content="/i.png"><meta property="og:site_name" content="The Site">
        <meta name="keywords" content="AI, Technology; ai,, "><meta property="article:tag" content="Robots">
        <meta property="article:author" content="https://site.example/jane"><meta name="AUTHOR" content="Jane  Smith">
        <meta property="article:published_time" content="2025-11-14T10:00:00Z">
        <meta property="og:description" content="What it is about"><link rel="canonical" href="/a/1">`),
    );
    expect(title).toBe('The & title');
    expect(about).toEqual({
      description: 'What it is about',
      keywords: ['AI', 'Technology', 'Robots'],
      author: 'Jane Smith',
      published: '2025-11-14T10:00:00Z',
      image: '/i.png',
      canonical_url: '/a/1',
      site_name: 'The Site',
      language: 'en-GB',
      article: true,
    });
  });

  it('of JSON-LD is the article, in any graph', () => {
    const site = { '@type': 'WebSite', name: 'Site', author: 'Nobody' };
    const article = {
      '@type': ['Thing', 'NewsArticle'],
      author: [{ '@type': 'Person', name: 'A' }, 'B', { name: 'https://x.example' }],
      datePublished: '2025-11-14',
      keywords: ['one', { '@type': 'DefinedTerm', name: 'two' }],
      image: [{ '@type': 'ImageObject', url: 'https://x.example/i.png' }],
    };
    const page = { '@type': 'WebPage', description: 'Of the page', mainEntity: article };
    const told = {
      description: 'Of the page',
      keywords: ['one', 'two'],
      author: 'A, B',
      published: '2025-11-14',
      image: 'https://x.example/i.png',
    };
    expect(linkedData([JSON.stringify([site, page])])).toEqual(told);
    expect(linkedData(['{broken', JSON.stringify({ '@graph': [site, page] })])).toEqual(told);
    expect(linkedData(['null', '3', '"x"', '[[[[[[[[1]]]]]]]]', `{"a":${'['.repeat(3_000)}${']'.repeat(3_000)}}`])).toEqual({
      description: null,
      keywords: [],
      author: null,
      published: null,
      image: null,
    });
  });
});

describe('text', () => {
  it('is the article without the surrounding page, in paragraphs', async () => {
    const { text } = await read(
      page(
        '<title>t</title>',
        `<nav>Home About</nav><article><h2>Head</h2>${paragraph.repeat(8)}</article><footer>Imprint</footer><script>x()</script>`,
      ),
    );
    expect(text).toMatch(/^Head\n\nThis is a paragraph/);
    expect(text).not.toMatch(/Home|Imprint|x\(\)|<p>/);
  });

  it('is the whole page when there is no article', async () => {
    expect(await read(page('', '<div>only this</div>'))).toMatchObject({ text: 'only this' });
    expect(await read(page('<title>t</title>', ''))).toMatchObject({ title: 't', text: '', about: { article: false } });
  });

  it('is read in the character set of the transport', async () => {
    const latin = Buffer.from(page('<title>Caf\u00e9</title>', `<p>d\u00e9j\u00e0 vu</p>`), 'latin1');
    expect(await read(latin, 'iso-8859-1')).toMatchObject({ title: 'Café', text: 'déjà vu' });
  });

  it('of pages without a bottom is read, or given up in time', async () => {
    expect((await read(page('', `${'<div>'.repeat(10_000)}bottom`))).text).toContain('bottom');
    await expect(read(page('', `${'<table><tr><td>'.repeat(5_000)}x`))).resolves.toBeDefined();
    await expect(read('')).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: { reason: 'empty' } });
    const hasty = openPageReader({ timeoutMs: 200, memoryMb: 256, maxPages: 10, maxUnpackedBytes: 1_000_000 });
    const endless = hasty.read({ bytes: Buffer.from(page('', '<div>'.repeat(200_000))) });
    await expect(endless).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE', details: { reason: 'timeout' } });
    await hasty.close();
  });
});
