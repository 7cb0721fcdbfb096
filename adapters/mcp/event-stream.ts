import { AppError } from '../../contracts/errors.ts';

export interface StreamEvent {
  id: string;
  retry: number | null;
  data: string;
}

const blank = /\r?\n\r?\n/;
/** Possible part of a blank line at the end of a chunk. */
const longestBegun = 3;

/** Events of a stream as they arrive. Text is scanned once, because an event may arrive in many small chunks. */
export async function* eventsOf(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  /** The unfinished event: text without a blank line, then a possible beginning of one. */
  let begun: string[] = [];
  let tail = '';
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    const [first = '', ...others] = (tail + decoder.decode(chunk, { stream: true })).split(blank);
    const last = others.pop();
    if (last !== undefined) {
      yield eventOf(begun.join('') + first);
      for (const block of others) yield eventOf(block);
      begun = [];
    }
    const open = last ?? first;
    if (open.length > longestBegun) begun.push(open.slice(0, -longestBegun));
    tail = open.slice(-longestBegun);
  }
}

function eventOf(block: string): StreamEvent {
  const event: StreamEvent = { id: '', retry: null, data: '' };
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const at = line.indexOf(':');
    if (at <= 0) continue;
    const value = line.slice(at + 1).replace(/^ /, '');
    const field = line.slice(0, at);
    if (field === 'data') data.push(value);
    else if (field === 'id') event.id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) event.retry = Number(value);
  }
  event.data = data.join('\n');
  return event;
}

export const tooLarge = (maxBytes: number): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', `The server's answer is larger than ${maxBytes / 1024 / 1024} MB.`, {
    hint: 'Ask it for less at a time. The call itself has been carried out.',
    details: { reason: 'too_large' },
  });
