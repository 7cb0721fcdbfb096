import { decodeXmlBytes } from './decode.ts';
import { elementsOf } from './markup.ts';
import { attributeOf } from './names.ts';
import { notAFeed } from './refusals.ts';
import { readXml, type XmlElement } from './xml.ts';

/** A feed in an OPML file. */
export interface OpmlFeed {
  title: string;
  url: string;
  /** The outlines around it, and its own `category`. */
  categories: string[];
}

/**
 * The subscriptions of another reader, without duplicate addresses.
 * @throws AppError VALIDATION_ERROR when it is not OPML
 */
export function readOpml(bytes: Uint8Array): OpmlFeed[] {
  const { root } = readXml(decodeXmlBytes(bytes, undefined, []).replace(/^[\uFEFF\s]+/, ''), { url: '' });
  if (root?.name.toLowerCase() !== 'opml') throw notAFeed('it is no OPML');
  const found = new Map<string, OpmlFeed>();
  const walk = (element: XmlElement, around: string[]): void => {
    for (const child of elementsOf(element)) {
      const name = attributeOf(child, 'text') ?? attributeOf(child, 'title') ?? '';
      const url = attributeOf(child, 'xmlurl');
      if (url !== undefined && !found.has(url)) {
        const own = (attributeOf(child, 'category') ?? '').split(',').map((each) => each.split('/').at(-1)!.trim());
        found.set(url, { title: name, url, categories: [...new Set([...around, ...own])].filter((each) => each !== '') });
      }
      walk(child, child.name.toLowerCase() === 'outline' && url === undefined && name !== '' ? [...around, name] : around);
    }
  };
  walk(root, []);
  return [...found.values()];
}
