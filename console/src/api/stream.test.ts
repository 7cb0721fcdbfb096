import { expect, it } from 'vitest';
import { Parser } from './stream.ts';

it('reads events however the network cuts them', () => {
  const text = 'retry: 1000\n\nid: 7\nevent: report.generated\ndata: {"id":"7"}\n\nid: 9\n\n: still here\n\nevent: refused\ndata: {}\n\n';
  for (let size = 1; size <= text.length; size += 1) {
    const parser = new Parser('3');
    const events = [];
    for (let at = 0; at < text.length; at += size) events.push(...parser.take(text.slice(at, at + size)));
    expect(events).toEqual([
      { id: '7', type: 'report.generated', data: '{"id":"7"}' },
      { id: '', type: 'refused', data: '{}' },
    ]);
    // Where nothing matched, the position alone moves.
    expect(parser.lastId).toBe('9');
  }
});
