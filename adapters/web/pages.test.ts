import { describe, expect, test } from 'vitest';
import { processorMs } from '../../test/kit/processor.ts';
import { readLinks, type PageLinks } from './pages.ts';

const read = (html: string, more: { charset?: string; robotsTag?: string } = {}): PageLinks =>
  readLinks({ bytes: new TextEncoder().encode(html), url: 'https://example.com/docs/page', ...more }, 'signalbox');

describe('links', () => {
  test('in all the ways they are written', () => {
    const { links } = read(`
      <A HREF="one">x</A><a class=b href='two?a=1&amp;b=2'>x</a><a href=/three/>x</a>
      <a href = "
        four" >x</a><area href=five><a/href="six"><a title="a > b" href="seven">
      <a href="//other.example/x#part"><a href="one"><a name=anchor><a href=""><a href>
    `);
    expect(links).toEqual([
      'https://example.com/docs/one',
      'https://example.com/docs/two?a=1&b=2',
      'https://example.com/three/',
      'https://example.com/docs/four',
      'https://example.com/docs/five',
      'https://example.com/docs/six',
      'https://example.com/docs/seven',
      'https://other.example/x#part',
    ]);
  });

  test('not those in comments, scripts, styles and text; not other schemes; not nofollow', () => {
    const { links } = read(`
      <title><a href=t></title><!-- <a href=c> --><script>"<a href=s>"</script><style><a href=st></style>
      <textarea><a href=ta></TEXTAREA><a href="javascript:x()"><a href=mailto:a@b.c><a href=data:text/html,x>
      <a rel="external nofollow" href=n><a rel=nofollower href=yes>`);
    expect(links).toEqual(['https://example.com/docs/yes']);
  });

  test('the first base counts', () => {
    expect(read('<base target=_top><base href="/root/"><base href="/no/"><a href=x>').links).toEqual(['https://example.com/root/x']);
  });

  test('the charset of the header is used, an unknown one is ignored', () => {
    const bytes = Buffer.from('<a href="/caf\u00E9">', 'latin1');
    const links = (charset: string): string[] => readLinks({ bytes, url: 'https://example.com/', charset }, 'signalbox').links;
    expect(links('iso-8859-1')).toEqual(['https://example.com/caf%C3%A9']);
    expect(links('no-such-charset')).toHaveLength(1);
  });
});

describe('what a page says of itself', () => {
  test('its address', () => {
    expect(read('<link rel="canonical" href="../x?a=1&amp;b=2">').canonical).toBe('https://example.com/x?a=1&b=2');
    expect(read('<link rel=stylesheet href=a><link href="mailto:x" rel=canonical>').canonical).toBeUndefined();
  });

  test.each([
    ['<meta name=robots content="noindex, follow">', undefined, true, false],
    ['<META NAME="Robots" CONTENT="NOFOLLOW">', undefined, false, true],
    ['<meta name=robots content=none>', undefined, true, true],
    ['<meta name=signalbox content=noindex>', undefined, true, false],
    ['<meta name=otherbot content=noindex>', undefined, false, false],
    ['<meta name=robots content="max-snippet:-1, max-image-preview:large, noindex">', undefined, true, false],
    ['<!-- <meta name=robots content=noindex> -->', undefined, false, false],
    ['', 'noindex', true, false],
    ['', 'otherbot: noindex, nofollow', false, false],
    ['', 'otherbot: noindex, signalbox: nofollow', false, true],
    ['', 'unavailable_after: 25 Jun 2030 15:00:00 GMT, noindex', true, false],
  ])('%s with header %s', (html, robotsTag, noindex, nofollow) => {
    expect(read(html, robotsTag === undefined ? {} : { robotsTag })).toMatchObject({ noindex, nofollow });
  });
});

test.each([
  ['open tags', '<div>'.repeat(800_000)],
  ['open links', '<a href=x>'.repeat(400_000)],
  ['angle brackets', '<'.repeat(4_000_000)],
  ['unclosed quotes', '<a href="'.repeat(440_000)],
  ['unclosed single quotes', `<a x='"`.repeat(500_000)],
  ['unclosed comments', '<!--'.repeat(1_000_000)],
  ['unclosed scripts', '<script>'.repeat(500_000)],
  ['closed and open scripts', '<script></script '.repeat(200_000)],
  ['a tag of attributes', `<a ${'b=c '.repeat(1_000_000)}`],
  ['a tag of blanks', `<a ${' '.repeat(3_999_990)}`],
  ['names and blanks', `<a b${' '.repeat(3_999_990)}`],
  ['equals and blanks', `<a b=${' '.repeat(3_999_990)}`],
  ['slashes', `<a ${'/'.repeat(3_999_990)}`],
  ['one long value', `<a href="${'x'.repeat(3_999_980)}">`],
  ['ampersands', `<a href="${'&'.repeat(3_999_980)}">`],
])('%s cost no more than their length', (_, html) => {
  expect(processorMs(() => read(html))).toBeLessThan(5_000);
});
