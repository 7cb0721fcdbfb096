import { elementsOf, innerMarkup, textOf } from './markup.ts';
import { attributeOf, isAtom10, isXhtml } from './names.ts';
import type { FeedText } from './types.ts';
import type { XmlElement } from './xml.ts';

const tag = /<\/?[a-z][^<>]{0,2000}>|&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/i;
const looksLikeHtml = (text: string): boolean => tag.test(text);

const mediaTypes: Readonly<Record<string, string>> = { text: 'text/plain', html: 'text/html', xhtml: 'application/xhtml+xml' };

/** A title, summary or content in its dialect's form: plain, escaped, inline, or Base64. */
export function feedText(element: XmlElement): FeedText {
  const given = attributeOf(element, 'type')?.toLowerCase();
  const type = given === undefined ? undefined : (mediaTypes[given] ?? given);
  const value = valueOf(element, type).trim();
  return { value, type: type ?? guess(element, value), language: element.lang || null };
}

function valueOf(element: XmlElement, type: string | undefined): string {
  const inner = elementsOf(element);
  if (attributeOf(element, 'mode') === 'base64') return fromBase64(textOf(element));
  if (isAtom10(element.namespace)) {
    if (type === 'application/xhtml+xml') {
      // The div around it belongs to the wrapper, not the content.
      const [div] = inner;
      return div && inner.length === 1 && isXhtml(div) && div.name === 'div' ? innerMarkup(div) : innerMarkup(element);
    }
    if (type !== undefined && !/^text\/|[/+]xml$/.test(type)) return fromBase64(textOf(element));
  }
  return inner.length > 0 ? innerMarkup(element) : textOf(element);
}

/** Invalid Base64 stays unchanged. */
function fromBase64(text: string): string {
  const packed = text.replace(/\s+/g, '');
  return packed !== '' && packed.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(packed)
    ? Buffer.from(packed, 'base64').toString('utf8')
    : text;
}

function guess(element: XmlElement, value: string): string {
  if (isXhtml(element)) return 'application/xhtml+xml';
  // In Atom, text without a type is plain; RSS has no rule, and means HTML.
  const plain = isAtom10(element.namespace) && elementsOf(element).length === 0;
  return !plain && looksLikeHtml(value) ? 'text/html' : 'text/plain';
}
