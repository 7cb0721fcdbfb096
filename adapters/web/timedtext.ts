import { XMLParser } from 'fast-xml-parser';
import { AppError } from '../../contracts/errors.ts';

export interface Cue {
  startMs: number;
  endMs: number;
  /** Lines are separated by \n; never blank. */
  text: string;
}

type Node = Record<string, unknown>;

// Entities are decoded below, once, in the text, never as declared in the document.
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  trimValues: false,
  processEntities: false,
  parseTagValue: false,
});

/**
 * Parses captions from YouTube's timedtext endpoint: `<transcript><text start dur>` (seconds, HTML inside, escaped
 * twice) and `<timedtext format="3"><body><p t d>` (milliseconds, words in `<s>`).
 * @throws {AppError} SERVICE_UNAVAILABLE with `details.reason` captions_unreadable
 */
export function readTimedText(xml: string): Cue[] {
  let root: Node[];
  try {
    root = parser.parse(xml) as Node[];
  } catch (error) {
    throw unreadable(error);
  }
  const transcript = childrenOf(root, 'transcript');
  if (transcript !== undefined) return transcript.flatMap(legacyCue);
  const body = childrenOf(childrenOf(root, 'timedtext') ?? [], 'body');
  if (body === undefined) throw unreadable();
  return body.flatMap(paragraphCue);
}

function legacyCue(node: Node): Cue[] {
  const content = node['text'] as Node[] | undefined;
  const startMs = Number(attributeOf(node, 'start')) * 1000;
  if (content === undefined || !(startMs >= 0)) return [];
  const html = decodeEntities(textOf(content));
  return cue(startMs, Number(attributeOf(node, 'dur') ?? 0) * 1000, decodeEntities(html.replace(/<\/?[a-z][^<>]{0,200}>/gi, '')));
}

function paragraphCue(node: Node): Cue[] {
  const content = node['p'] as Node[] | undefined;
  const startMs = Number(attributeOf(node, 't'));
  if (content === undefined || !(startMs >= 0)) return [];
  return cue(startMs, Number(attributeOf(node, 'd') ?? 0), decodeEntities(textOf(content)));
}

function cue(startMs: number, durationMs: number, text: string): Cue[] {
  const lines = text
    .split(/[\r\n\u2028\u2029]+/)
    .map((line) => line.replace(/[\s\u200B]+/g, ' ').trim())
    .filter((line) => line !== '');
  const endMs = startMs + (durationMs > 0 ? durationMs : 0);
  return lines.length === 0 ? [] : [{ startMs: Math.round(startMs), endMs: Math.round(endMs), text: lines.join('\n') }];
}

/** The text below a node, `<br/>` as a line end. */
function textOf(nodes: Node[]): string {
  return nodes
    .map((node) => {
      if ('#text' in node) return String(node['#text']);
      const [name] = Object.keys(node);
      return name === 'br' ? '\n' : name === undefined || !Array.isArray(node[name]) ? '' : textOf(node[name] as Node[]);
    })
    .join('');
}

const childrenOf = (nodes: Node[], name: string): Node[] | undefined => nodes.find((node) => name in node)?.[name] as Node[] | undefined;

const attributeOf = (node: Node, name: string): string | undefined => (node[':@'] as Record<string, string> | undefined)?.[name];

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

const decodeEntities = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(amp|lt|gt|quot|apos|nbsp));/g,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return entities[name] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );

const unreadable = (cause?: unknown): AppError =>
  new AppError('SERVICE_UNAVAILABLE', "YouTube's captions cannot be read.", {
    hint: 'Try again later; if it stays so, YouTube has changed its format.',
    details: { reason: 'captions_unreadable' },
    cause,
  });

/**
 * WebVTT of the cues. `rolling` cues (generated captions) are shown until the line after next; they end where the
 * next one starts, so that each word has one time.
 */
export function toWebVtt(cues: readonly Cue[], about: { title: string; language: string; rolling: boolean }): Uint8Array {
  // The header has no entities.
  const title = about.title.replace(/\s+/g, ' ').replaceAll('-->', '→');
  const header = `WEBVTT - ${title}\nKind: captions\nLanguage: ${about.language}\n`;
  const blocks = cues.map(({ startMs, endMs, text }, i) => {
    const nextMs = cues[i + 1]?.startMs ?? Infinity;
    const end = about.rolling && nextMs > startMs ? Math.min(endMs, nextMs) : endMs;
    return `\n${timestamp(startMs)} --> ${timestamp(Math.max(end, startMs))}\n${escape(text)}\n`;
  });
  return new TextEncoder().encode(header + blocks.join(''));
}

/** Also escapes "-->", which would end a cue. */
const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function timestamp(ms: number): string {
  const part = (value: number, digits: number): string => String(Math.floor(value)).padStart(digits, '0');
  return `${part(ms / 3_600_000, 2)}:${part((ms / 60_000) % 60, 2)}:${part((ms / 1000) % 60, 2)}.${part(ms % 1000, 3)}`;
}
