import { BlockList } from './blocks.ts';
import { decodeText } from './encoding.ts';
import { refusal } from './refusals.ts';
import type { Parsed, ParseInput } from './types.ts';
import { Warnings } from './warnings.ts';

/** JSON as code that can be cited by line: unchanged, or formatted if it has few lines. JSONL: a block per line. */
export function read({ bytes, filename, mediaType }: ParseInput): Parsed {
  const decoded = decodeText(bytes);
  const warnings = new Warnings(decoded.warnings);
  const list = new BlockList();
  const text = decoded.text;
  if (text.trim() === '') throw refusal('empty', 'The file is empty.');
  const perLine = /\.(jsonl|ndjson)$/i.test(filename ?? '') || /ndjson|jsonl/.test(mediaType ?? '');
  if (perLine) {
    for (const [i, line] of text.split('\n').entries()) list.add('code', line, { line: i + 1 }, 'json');
  } else {
    const packed = text.length / (text.split('\n').length || 1) > 2000;
    const laidOut = packed ? layOut(text) : undefined;
    if (packed && laidOut === undefined) warnings.add('It is not valid JSON; it was read as text.');
    list.add('code', laidOut ?? text, laidOut === undefined ? { line: 1 } : {}, 'json');
  }
  return { format: perLine ? 'jsonl' : 'json', metadata: { encoding: decoded.encoding, ...warnings.toMetadata() }, blocks: list.blocks };
}

function layOut(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    return undefined;
  }
}
