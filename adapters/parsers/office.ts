/** Shared by the Office formats: a zip of XML parts that refer to each other. */
import { posix } from 'node:path';
import { refusal } from './refusals.ts';
import type { ParseLimits } from './types.ts';
import { zipEntries } from './unzip.ts';
import { attribute, child, children, decodeXml, descendants, parseXml, textOf, type XmlNode } from './xml.ts';

export type Parts = Map<string, Uint8Array>;

/** The wanted parts of a document; the others are not inflated. */
export async function readParts(bytes: Uint8Array, limits: ParseLimits, wanted: (path: string) => boolean): Promise<Parts> {
  const parts: Parts = new Map();
  for await (const entry of zipEntries(bytes, limits)) {
    const path = entry.path.replace(/^\/+/, '');
    if (!wanted(path)) continue;
    const part = await entry.read();
    if (/\.(xml|rels)$/i.test(path)) refuseDoctype(part, path);
    parts.set(path, part);
  }
  return parts;
}

/** Office never writes a DOCTYPE; endless entities and external files need one. */
function refuseDoctype(part: Uint8Array, path: string): void {
  if (/<!(DOCTYPE|ENTITY)/i.test(decodeXml(part.subarray(0, 64 * 1024)))) {
    throw refusal('damaged', `The file's part "${path}" declares a document type, which no program that writes such files does.`);
  }
}

/** A part as XML, or undefined when it does not exist. */
export function xmlPart(parts: Parts, path: string): XmlNode | undefined {
  const part = parts.get(path);
  return part === undefined ? undefined : parseXml(part, path);
}

export interface Relation {
  id: string;
  /** The last part of the type's URL: `slide`, `notesSlide`, `chart`, … */
  type: string;
  /** Path in the package. */
  target: string;
}

/** Internal references of a part. */
export function relationsOf(parts: Parts, path: string): Relation[] {
  const rels = xmlPart(parts, posix.join(posix.dirname(path), '_rels', `${posix.basename(path)}.rels`));
  if (rels === undefined) return [];
  return children(child(rels, 'Relationships') ?? rels, 'Relationship')
    .filter((each) => attribute(each, 'TargetMode') !== 'External')
    .map((each) => {
      const target = attribute(each, 'Target') ?? '';
      return {
        id: attribute(each, 'Id') ?? '',
        type: (attribute(each, 'Type') ?? '').split('/').at(-1)!,
        target: target.startsWith('/') ? target.slice(1) : posix.normalize(posix.join(posix.dirname(path), target)),
      };
    });
}

/** Title, author and dates from docProps/core.xml. */
export function coreProperties(parts: Parts): { title?: string; metadata: Record<string, unknown> } {
  const metadata: Record<string, unknown> = {};
  let core: XmlNode | undefined;
  try {
    core = xmlPart(parts, 'docProps/core.xml');
  } catch {
    // Metadata is optional.
  }
  if (core === undefined) return { metadata };
  const value = (name: string): string | undefined => {
    const node = descendants(core, name)[0];
    const text = node === undefined ? '' : textOf(node).trim();
    return text === '' ? undefined : text.slice(0, 1000);
  };
  const named = {
    author: 'creator',
    subject: 'subject',
    keywords: 'keywords',
    description: 'description',
    language: 'language',
    created: 'created',
    modified: 'modified',
  };
  for (const [key, name] of Object.entries(named)) {
    const text = value(name);
    if (text !== undefined) metadata[key] = text;
  }
  const title = value('title');
  return title === undefined ? { metadata } : { title, metadata };
}
