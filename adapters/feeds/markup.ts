import { encodeAttribute, encodeText } from './entities.ts';
import { isXhtml } from './names.ts';
import type { XmlElement } from './xml.ts';

/** HTML attributes with addresses. */
const addresses = new Set(['href', 'src', 'action', 'cite', 'poster', 'longdesc']);
const never = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'param', 'source', 'track', 'wbr']);

/** Namespaces without prefix in HTML. */
const embedded = new Set(['http://www.w3.org/2000/svg', 'http://www.w3.org/1998/Math/MathML']);

/**
 * The markup inside an element as a standalone fragment: XHTML without prefix, absolute addresses, declared
 * namespaces.
 */
export const innerMarkup = (element: XmlElement): string =>
  element.children
    .map((child) => (typeof child === 'string' ? encodeText(child) : markupOf(child, { '': element.scope[''] ?? '' })))
    .join('');

function markupOf(element: XmlElement, declared: Readonly<Record<string, string>>): string {
  const inner = { ...declared };
  const html = isXhtml(element);
  const prefixed = element.prefix !== '' && !html && !embedded.has(element.namespace);
  const name = !prefixed ? element.name : `${element.prefix}:${element.name}`;
  let attributes = '';
  for (const { prefix, name: key, value } of element.attributes) {
    if (prefix === 'xml') continue;
    const absolute = prefix === '' && addresses.has(key.toLowerCase()) && URL.canParse(value, element.base);
    attributes += ` ${prefix === '' ? key : `${prefix}:${key}`}="${encodeAttribute(absolute ? new URL(value, element.base).href : value)}"`;
  }
  const prefixes = new Set(element.attributes.map(({ prefix }) => prefix).filter((prefix) => prefix !== '' && prefix !== 'xml'));
  if (!html) prefixes.add(prefixed ? element.prefix : '');
  for (const prefix of prefixes) {
    const namespace = prefix === '' ? element.namespace : (element.scope[prefix] ?? '');
    // Children of XHTML without a namespace are meant as HTML.
    if (namespace === '' || inner[prefix] === namespace) continue;
    attributes += ` xmlns${prefix === '' ? '' : `:${prefix}`}="${encodeAttribute(namespace)}"`;
    inner[prefix] = namespace;
  }
  if (element.children.length === 0 && never.has(name.toLowerCase())) return `<${name}${attributes} />`;
  const content = element.children.map((child) => (typeof child === 'string' ? encodeText(child) : markupOf(child, inner))).join('');
  return `<${name}${attributes}>${content}</${name}>`;
}

/** All text in an element, without markup. */
export const textOf = (element: XmlElement): string =>
  element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('');

export const elementsOf = (element: XmlElement): XmlElement[] => element.children.filter((child) => typeof child !== 'string');
