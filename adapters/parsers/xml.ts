import { XMLParser } from 'fast-xml-parser';
import { refusalOf } from './refusals.ts';

/** An element (or text, whose name is `#text`); names are without namespace prefix. */
export interface XmlNode {
  name: string;
  attributes: Record<string, string>;
  children: XmlNode[];
  text: string;
}

/** The parser's output with preserved order: one key is the name, `:@` the attributes. */
type Raw = Record<string, unknown>;

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  // Character references (&#8217;) are handled as HTML's here.
  htmlEntities: true,
  maxNestedTags: 200,
});

/** UTF-8, or UTF-16 with a byte order mark. */
export function decodeXml(bytes: Uint8Array): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

/**
 * @param what for messages
 * @throws {AppError} when it is not well-formed or nested deeper than 200
 */
export function parseXml(bytes: Uint8Array, what: string): XmlNode {
  try {
    return { name: '', attributes: {}, text: '', children: nodes(parser.parse(decodeXml(bytes)) as Raw[]) };
  } catch (error) {
    throw refusalOf(error, `The part "${what}"`);
  }
}

function nodes(raw: Raw[]): XmlNode[] {
  return raw.map((each) => {
    const name = Object.keys(each).find((key) => key !== ':@') ?? '';
    const value = each[name];
    if (name === '#text') return { name, attributes: {}, children: [], text: String(value) };
    return {
      name,
      attributes: (each[':@'] ?? {}) as Record<string, string>,
      children: Array.isArray(value) ? nodes(value as Raw[]) : [],
      text: '',
    };
  });
}

export const children = (node: XmlNode, name: string): XmlNode[] => node.children.filter((each) => each.name === name);

/** The first element of the path, e.g. `child(shape, 'nvSpPr', 'nvPr', 'ph')`. */
export function child(node: XmlNode | undefined, ...path: string[]): XmlNode | undefined {
  let at = node;
  for (const name of path) at = at?.children.find((each) => each.name === name);
  return at;
}

export const attribute = (node: XmlNode | undefined, name: string): string | undefined => node?.attributes[name];

/** All elements of a name, at any depth, in document order. */
export function descendants(node: XmlNode, name: string): XmlNode[] {
  return node.children.flatMap((each) => (each.name === name ? [each, ...descendants(each, name)] : descendants(each, name)));
}

export const textOf = (node: XmlNode): string => node.text + node.children.map(textOf).join('');
