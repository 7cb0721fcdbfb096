import type { Entities } from './entities.ts';
import type { FeedText } from './types.ts';

/** Maximum characters that are read. */
const longest = 100_000;
/** Elements that separate words. */
const blocks =
  /^(?:address|article|aside|blockquote|br|dd|div|dl|dt|figcaption|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|td|th|tr|ul)$/;
/** Elements with invisible content, with their end tags. */
const hidden = new Map(
  ['script', 'style', 'template', 'noscript', 'iframe', 'object', 'svg', 'math', 'head', 'textarea', 'select'].map((name) => [
    name,
    new RegExp(`</${name}`, 'gi'),
  ]),
);
const invisible = /[\u00ad\u200b\u2060\ufeff]+/g;
/** Several blanks, or one that is not a plain space; single spaces are frequent and stay untouched. */
const blanks =
  / *[\u0000-\u001f\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000][ \u0000-\u001f\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*| {2,}/g;
const tagName = /<(\/?)([a-z][a-z\d:-]{0,40})/iy;
/** A longer tag counts as text. */
const longestTag = 10_000;

const oneLine = (text: string): string => text.toWellFormed().replace(invisible, '').replace(blanks, ' ').trim();

/** The readable text of a feed's text, on one line, without markup and invisible content. */
export function plainOf({ value, type }: Pick<FeedText, 'value' | 'type'>, entities: Entities): string {
  const cut = value.slice(0, longest);
  return oneLine(type === 'text/plain' ? cut : withoutTags(cut, entities));
}

/** Reads each character once: no DOM is built from untrusted markup. */
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

/** After the ">" that ends a tag, ignoring those in quotes. Truncated tags end with the text. */
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
  // An unclosed quote.
  const end = html.indexOf('>', from);
  return end >= 0 && end < last ? end + 1 : last === html.length ? last : undefined;
}

/** The first `length` characters, without split or lone surrogates and characters that Postgres cannot store. */
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
