import type { Entities } from './entities.ts';
import type { FeedText } from './types.ts';

/** More of a text is not looked at. */
const longest = 100_000;
/** Between two of these stand two words. */
const blocks =
  /^(?:address|article|aside|blockquote|br|dd|div|dl|dt|figcaption|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|td|th|tr|ul)$/;
/** Nobody reads what stands in them; with what ends them. */
const hidden = new Map(
  ['script', 'style', 'template', 'noscript', 'iframe', 'object', 'svg', 'math', 'head', 'textarea', 'select'].map((name) => [
    name,
    new RegExp(`</${name}`, 'gi'),
  ]),
);
const invisible = /[\u00ad\u200b\u2060\ufeff]+/g;
/** More than one blank, or one that is not a plain space; a single space stays untouched, since there are so many. */
const blanks =
  / *[\u0000-\u001f\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000][ \u0000-\u001f\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*| {2,}/g;
const tagName = /<(\/?)([a-z][a-z\d:-]{0,40})/iy;
/** A longer tag is none. */
const longestTag = 10_000;

const oneLine = (text: string): string => text.toWellFormed().replace(invisible, '').replace(blanks, ' ').trim();

/** What a person would read of a text of a feed, on one line. No markup is left in it, and nothing that was never shown. */
export function plainOf({ value, type }: Pick<FeedText, 'value' | 'type'>, entities: Entities): string {
  const cut = value.slice(0, longest);
  return oneLine(type === 'text/plain' ? cut : withoutTags(cut, entities));
}

/** Reads each character once, whatever it is given: no tree is built of a stranger's markup. */
function withoutTags(html: string, entities: Entities): string {
  let text = '';
  let at = 0;
  while (at < html.length) {
    const next = html.indexOf('<', at);
    text += entities.decode(html.slice(at, next < 0 ? undefined : next));
    if (next < 0) break;
    at = next;
    if (html.startsWith('<!--', at) || html.startsWith('<![CDATA[', at)) {
      const comment = html[at + 2] === '-';
      const end = html.indexOf(comment ? '-->' : ']]>', at);
      if (!comment) text += html.slice(at + 9, end < 0 ? undefined : end);
      at = end < 0 ? html.length : end + 3;
      continue;
    }
    tagName.lastIndex = at;
    const tag = tagName.exec(html);
    const end = tag || /[!?/]/.test(html[at + 1] ?? '') ? endOfTag(html, at) : undefined;
    if (end === undefined) {
      text += '<';
      at++;
      continue;
    }
    at = end;
    const name = tag?.[2]?.toLowerCase() ?? '';
    if (blocks.test(name)) text += ' ';
    const closing = tag?.[1] === '' && html[end - 2] !== '/' ? hidden.get(name) : undefined;
    if (closing) {
      closing.lastIndex = at;
      at = closing.exec(html)?.index ?? html.length;
    }
  }
  return text;
}

/** Behind the ">" that ends a tag: one in quotes does not. What was cut off ends with the text. */
function endOfTag(html: string, from: number): number | undefined {
  let quote = '';
  const last = Math.min(html.length, from + longestTag);
  for (let at = from; at < last; at++) {
    const char = html[at]!;
    if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '>') return at + 1;
  }
  // A quote that nobody closed.
  const end = html.indexOf('>', from);
  return end >= 0 && end < last ? end + 1 : last === html.length ? last : undefined;
}

/** The first `length` characters, none of them cut in half or a half as it came, and none that Postgres does not keep. */
export const firstOf = (text: string, length: number): string =>
  (text.length <= length
    ? text
    : text
        .slice(0, length)
        .replace(/[\ud800-\udbff]$/, '')
        .trimEnd()
  )
    .toWellFormed()
    .replaceAll('\u0000', '');
