import { afterEach, expect, it, vi } from 'vitest';
import { eventsOf, type StreamEvent } from './event-stream.ts';

afterEach(() => void vi.restoreAllMocks());

const limit = 32 * 1024 * 1024;

async function* inChunks(text: string, length: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function read(text: string, length: number, maxBytes = limit): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of eventsOf(inChunks(text, length), maxBytes)) events.push(event);
  return events;
}

it('the same events come of a stream, wherever it is cut', async () => {
  const stream = 'id: 1\r\ndata: grün 🦔\r\n\r\nretry: 10\ndata: a\ndata: b\n\n: a comment\n\r\ndata:c\r\n\ndata: never ended';
  const whole = await read(stream, stream.length * 4);
  expect(whole).toEqual([
    { id: '1', retry: null, data: 'grün 🦔' },
    { id: '', retry: 10, data: 'a\nb' },
    { id: '', retry: null, data: '' },
    { id: '', retry: null, data: 'c' },
  ]);
  for (let length = 1; length < 12; length += 1) expect(await read(stream, length)).toEqual(whole);
});

it('a large event in small chunks is looked through once', async () => {
  const event = `data: ${'x'.repeat(16 * 1024 * 1024)}\n\n`;
  let looked = 0;
  const split = String.prototype.split as (this: string, ...args: unknown[]) => string[];
  vi.spyOn(String.prototype, 'split').mockImplementation(function (this: string, ...args: unknown[]) {
    looked += this.length;
    return split.apply(this, args);
  });
  const events = await read(event, 4_096);
  vi.restoreAllMocks();
  expect(events.map(({ data }) => data.length)).toEqual([16 * 1024 * 1024]);
  // Once to find its end, once to split its lines.
  expect(looked).toBeLessThan(event.length * 2.1);
});

it('a stream without an end is given up at its limit', async () => {
  await expect(read('x'.repeat(5_000), 100, 4_096)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE', details: { reason: 'too_large' } });
});
