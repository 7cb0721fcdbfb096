/**
 * A tolerant XML reader for feeds, with effective namespaces, languages and bases at each element. Unclosed elements
 * are closed, stray end tags ignored. Each character is read a limited number of times, and nothing is fetched or
 * expanded beyond one short text.
 */
import { Entities } from './entities.ts';

export interface XmlElement {
  /** Without prefix, as written. */
  name: string;
  prefix: string;
  /** Empty: none. */
  namespace: string;
  attributes: XmlAttribute[];
  children: (XmlElement | string)[];
  /** Effective `xml:lang`, also inherited; '' if it was reset. */
  lang: string | undefined;
  /** Effective `xml:base`. */
  base: string;
  /** Effective namespaces by prefix. */
  scope: Readonly<Record<string, string>>;
  /** Its end tag was found. */
  closed: boolean;
}

export interface XmlAttribute {
  name: string;
  prefix: string;
  namespace: string;
  value: string;
}

interface XmlDocument {
  root: XmlElement | null;
  doctype: string | null;
  /** The text is truncated. */
  cut: boolean;
  /** Elements were closed, or end tags ignored. */
  mended: boolean;
  /** Reading stopped at a limit. */
  bounded: boolean;
}

const deepest = 150;
const mostElements = 150_000;
const mostAttributes = 100;
const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';

const nameAt = /[^\s<>/="'!?]{1,200}/y;
const strayAt = /<+/y;
const attributeAt = /[\s/]*([^\s<>/="']{1,200})\s*(?:=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/y;
/** Characters that XML forbids. */
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const clean = (text: string): string => (forbidden.test(text) ? text.replace(forbidden, '') : text);

/**
 * Reads as much as possible; never throws.
 * @param from base and language of the whole document
 */
export function readXml(given: string, from: { url: string; language?: string | undefined }): XmlDocument {
  const text = clean(given);
  const document: XmlDocument = { root: null, doctype: null, cut: false, mended: false, bounded: false };
  const entities = new Entities();
  const open: XmlElement[] = [];
  let elements = 0;
  /** Open elements beyond the maximum depth: counted, but not kept. */
  let tooDeep = 0;
  let at = 0;

  const add = (found: string): void => {
    const parent = open.at(-1);
    if (!parent || found === '') return;
    const last = parent.children.length - 1;
    if (typeof parent.children[last] === 'string') parent.children[last] += found;
    else parent.children.push(found);
  };

  function close(name: string): void {
    if (tooDeep > 0) {
      tooDeep--;
      return;
    }
    let index = open.length - 1;
    // Beyond a few levels it is a stray end tag, not a forgotten one.
    while (index >= 0 && qualified(open[index]!) !== name) index--;
    if (index < 0) document.mended = true;
    else {
      if (index < open.length - 1) document.mended = true;
      open[index]!.closed = true;
      for (const inner of open.splice(index)) inner.closed = true;
    }
  }

  /** @returns whether to continue */
  function start(): boolean {
    nameAt.lastIndex = at + 1;
    const name = nameAt.exec(text)?.[0];
    if (name === undefined) {
      // It begins no tag, nor do the following ones.
      strayAt.lastIndex = at;
      const stray = strayAt.exec(text)![0];
      if (tooDeep === 0) add(stray);
      document.mended = true;
      at += stray.length;
      return true;
    }
    at += 1 + name.length;
    const given: [string, string][] = [];
    for (;;) {
      attributeAt.lastIndex = at;
      const match = attributeAt.exec(text);
      if (!match) break;
      at = attributeAt.lastIndex;
      if (given.length < mostAttributes) given.push([match[1]!, match[2] ?? match[3] ?? match[4] ?? '']);
    }
    const end = text.indexOf('>', at);
    if (end < 0) {
      document.cut = true;
      return false;
    }
    const empty = text[end - 1] === '/';
    at = end + 1;
    if (document.root !== null && open.length === 0) return false;
    if (++elements > mostElements) {
      document.bounded = true;
      return false;
    }
    if (open.length >= deepest) {
      document.mended = true;
      if (!empty) tooDeep++;
      return true;
    }
    const element = elementOf(name, given, open.at(-1), entities, from);
    if (open.length === 0) document.root = element;
    else open.at(-1)!.children.push(element);
    if (empty) element.closed = true;
    else open.push(element);
    return true;
  }

  while (at < text.length) {
    const next = text.indexOf('<', at);
    if (tooDeep === 0) add(entities.decode(next < 0 ? text.slice(at) : text.slice(at, next)));
    if (next < 0) break;
    at = next;
    if (text.startsWith('<!--', at)) at = after('-->', at + 4);
    else if (text.startsWith('<![CDATA[', at)) {
      const end = text.indexOf(']]>', at + 9);
      if (tooDeep === 0) add(text.slice(at + 9, end < 0 ? undefined : end));
      at = after(']]>', at + 9);
    } else if (text.startsWith('<?', at)) at = after('?>', at + 2);
    else if (text.startsWith('<!', at)) doctype();
    else if (text[at + 1] === '/') {
      const end = text.indexOf('>', at);
      if (end < 0) {
        document.cut = true;
        break;
      }
      close(text.slice(at + 2, end).trim());
      at = end + 1;
      if (document.root !== null && open.length === 0) break;
    } else if (!start()) break;
  }
  if (open.length > 0) document.cut ||= !document.bounded;
  return document;

  function after(mark: string, from: number): number {
    const end = text.indexOf(mark, from);
    if (end >= 0) return end + mark.length;
    document.cut = true;
    return text.length;
  }

  /** Declared short texts are used; external entities, and those made of others, are not. */
  function doctype(): void {
    const end = text.indexOf('>', at);
    const head = text.slice(at, end < 0 ? at + 1_000 : Math.min(end, at + 1_000));
    document.doctype ??= /^<!DOCTYPE\s+([^\s>[]{1,100})/i.exec(head)?.[1] ?? null;
    const subset = head.indexOf('[');
    if (subset < 0) {
      at = after('>', at);
      return;
    }
    const close = text.indexOf(']', at + subset);
    const inner = text.slice(at + subset, close < 0 ? at + subset + 100_000 : close);
    for (const [, name, double, single] of inner.matchAll(/<!ENTITY\s+([\w.-]{1,40})\s+(?:"([^"<]{0,500})"|'([^'<]{0,500})')\s*>/g)) {
      entities.declare(name!, double ?? single ?? '');
    }
    at = after('>', close < 0 ? text.length : close);
  }
}

const qualified = ({ prefix, name }: Pick<XmlElement, 'prefix' | 'name'>): string => (prefix === '' ? name : `${prefix}:${name}`);

function elementOf(
  name: string,
  given: [string, string][],
  parent: XmlElement | undefined,
  entities: Entities,
  from: { url: string; language?: string | undefined },
): XmlElement {
  let scope = parent?.scope ?? noNamespaces;
  const declared = given.filter(([key]) => key === 'xmlns' || key.startsWith('xmlns:'));
  if (declared.length > 0) {
    const inner = Object.create(scope) as Record<string, string>;
    for (const [key, value] of declared) inner[key.slice(6)] = entities.decode(value).trim();
    scope = inner;
  }
  const [prefix, local] = split(name);
  const attributes = given
    .filter(([key]) => key !== 'xmlns' && !key.startsWith('xmlns:'))
    .map(([key, value]): XmlAttribute => {
      const [mark, plain] = split(key);
      return { name: plain, prefix: mark, namespace: mark === '' ? '' : (scope[mark] ?? ''), value: entities.decode(value) };
    });
  const ofXml = (wanted: string): string | undefined =>
    attributes.find((each) => each.namespace === xmlNamespace && each.name === wanted)?.value.trim();
  const base = ofXml('base');
  const outer = parent?.base ?? from.url;
  return {
    name: local,
    prefix,
    namespace: scope[prefix] ?? '',
    attributes,
    children: [],
    lang: ofXml('lang')?.replaceAll('_', '-') ?? (parent ? parent.lang : from.language),
    base: base !== undefined && URL.canParse(base, outer) ? new URL(base, outer).href : outer,
    scope,
    closed: false,
  };
}

const noNamespaces: Readonly<Record<string, string>> = Object.assign(Object.create(null) as Record<string, string>, { xml: xmlNamespace });

function split(name: string): [prefix: string, local: string] {
  const colon = name.indexOf(':');
  return colon <= 0 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)];
}
