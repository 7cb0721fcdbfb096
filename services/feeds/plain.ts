import { decodeHTML } from 'entities';

/** Maximum characters that are read. */
const longest = 10_000;
/** Longer tags are assumed to end at the next ">". */
const longestTag = 2_000;
const tag = /^<\/?([a-z][a-z\d-]*)[^<>"']*(?:"[^"]*"[^<>"']*|'[^']*'[^<>"']*)*>/i;
const tagStart = /^<(?:\/?([a-z][a-z\d-]*)|[!?])/i;
const apart = new Set('p div br li ul ol dl dt dd h1 h2 h3 h4 h5 h6 tr td th table blockquote section article pre figure hr'.split(' '));
const hidden = new Set(['script', 'style', 'template', 'noscript']);

/** The readable text of possible HTML, on one line. Linear time, because the text is untrusted. */
export const plain = (text: string): string =>
  decoded(withoutTags(text.slice(0, longest)))
    .toWellFormed()
    .replaceAll(/[\u0000-\u001f\u007f\u00ad\u200b\u2028\u2029\ufeff\s]+/g, ' ')
    .trim();

function withoutTags(html: string): string {
  let text = '';
  let at = 0;
  for (;;) {
    const open = html.indexOf('<', at);
    if (open < 0) return text + html.slice(at);
    const head = html.slice(open, open + longestTag);
    const start = tagStart.exec(head);
    // "a < b" is not a tag.
    text += html.slice(at, start ? open : open + 1);
    at = open + 1;
    if (!start) continue;
    const end = head.startsWith('<!--')
      ? html.indexOf('-->', open) + 2
      : open + (tag.exec(head)?.[0].length ?? html.slice(open).indexOf('>') + 1) - 1;
    // The rest is an unclosed tag or comment.
    if (end <= open + 1) return text;
    at = end + 1;
    const name = start[1]?.toLowerCase() ?? '';
    if (apart.has(name)) text += ' ';
    if (!hidden.has(name) || head.startsWith('</')) continue;
    const close = html.toLowerCase().indexOf(`</${name}`, at);
    if (close < 0) return text;
    at = close;
  }
}

const decoded = (text: string): string =>
  text.replaceAll(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/gi, (entity) => decodeHTML(entity));

/** The first `length` characters, cut at the end of a word if one is near. */
export function firstCharacters(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
  const space = cut.lastIndexOf(' ');
  return space > length * 0.8 ? cut.slice(0, space) : cut;
}
