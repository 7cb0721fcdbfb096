/** Meaning of elements, whatever prefix a feed uses. */
import type { XmlElement } from './xml.ts';

const atom10 = 'http://www.w3.org/2005/atom';
const xhtml = 'http://www.w3.org/1999/xhtml';

/** Namespaces (lower case, without trailing slash or "#") of a feed's own elements. */
const core = new Set([
  '',
  atom10,
  'http://purl.org/atom/ns',
  'http://purl.org/atom/app',
  'http://purl.org/net/rss1.1',
  'http://purl.org/pie',
  'http://example.com/newformat',
  'http://example.com/necho',
  'http://purl.org/echo',
  'uri/of/echo/namespace',
  'http://purl.org/rss/1.0',
  'http://my.netscape.com/rdf/simple/0.9',
  'http://my.netscape.com/publish/formats/rss-0.91.dtd',
  'http://channel.netscape.com/rdf/simple/0.9',
  'http://backend.userland.com/rss',
  'http://backend.userland.com/rss2',
  'http://backend.userland.com/rss091',
  'http://backend.userland.com/rss092',
  'http://blogs.law.harvard.edu/tech/rss',
  'http://my.netscape.com/rdf/simple/0.92',
]);

const modules: Readonly<Record<string, string>> = {
  'http://purl.org/dc/elements/1.1': 'dc',
  'http://purl.org/dc/elements/1.0': 'dc',
  'http://purl.org/dc/terms': 'dcterms',
  'http://purl.org/rss/1.0/modules/content': 'content',
  'http://www.w3.org/1999/02/22-rdf-syntax-ns': 'rdf',
  'http://search.yahoo.com/mrss': 'media',
  'http://www.itunes.com/dtds/podcast-1.0.dtd': 'itunes',
  'http://rssnamespace.org/feedburner/ext/1.0': 'feedburner',
  [xhtml]: 'xhtml',
};
const prefixes = new Set(Object.values(modules));

const plainNamespace = (namespace: string): string => namespace.toLowerCase().replace(/[/#]+$/, '');

/**
 * `title`, `dc:creator`, `content:encoded`, `xhtml:body`: in lower case, the feed's own without prefix. Undefined for
 * elements of other vocabularies, even with the same name.
 * @param own the namespace of the document's root
 */
export function tagOf({ name, prefix, namespace }: XmlElement, own: string): string | undefined {
  const space = plainNamespace(namespace);
  const local = name.toLowerCase();
  const module = modules[space];
  if (module !== undefined) return `${module}:${local}`;
  // Undeclared prefixes have their usual meaning.
  if (space === '' && prefix !== '')
    return prefixes.has(prefix.toLowerCase()) ? `${prefix.toLowerCase()}:${local}` : prefix === 'atom' ? local : undefined;
  return core.has(space) || space === own ? local : undefined;
}

export const isXhtml = ({ namespace }: XmlElement): boolean => plainNamespace(namespace) === xhtml;
export const isAtom10 = (namespace: string): boolean => plainNamespace(namespace) === atom10;
/** The form of a document's own namespace for `tagOf`. */
export const spaceOf = ({ namespace }: XmlElement): string => plainNamespace(namespace);

/** An attribute by its local name; one without a namespace takes precedence. */
export const attributeOf = (element: XmlElement, name: string): string | undefined => {
  const found = element.attributes.filter((each) => each.name.toLowerCase() === name);
  const value = (found.find((each) => each.prefix === '') ?? found[0])?.value.trim();
  return value === '' ? undefined : value;
};
