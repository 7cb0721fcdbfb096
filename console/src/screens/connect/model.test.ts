import { expect, it } from 'vitest';
import type { Event } from '../../../../contracts/outbound/events.ts';
import { connectedBy, isAgentId, keyed } from './model.ts';

const event = (type: Event['type'], subject: string, second: number, data: Event['data'] = {}): Event => ({
  id: String(second),
  type,
  occurred_at: `2026-01-01T00:00:0${second}Z`,
  tenant_id: 'acme',
  subject,
  data,
  refs: [],
});

it('the key takes the place of its placeholder, everywhere', () => {
  expect(keyed('-H KEY\n-H KEY', 'KEY', 'sb_1')).toBe('-H sb_1\n-H sb_1');
  // A secret is no pattern of replacement.
  expect(keyed('KEY', 'KEY', '$&')).toBe('$&');
  expect(keyed('KEY', 'KEY', null)).toBe('KEY');
});

it('a key is connected by its own first use, with its calls in their order', () => {
  const calls = [3, 1, 2].map((n) =>
    event('key.called', 'key_1', 2, { n, tool: `t${n}`, by: 'worker-7', front: 'mcp', code: n === 2 ? 'FORBIDDEN' : null }),
  );
  const events = [...calls, event('key.used_first', 'key_1', 1, { name: 'worker-7' }), event('key.used_first', 'key_2', 0)];
  expect(connectedBy(events, 'key_1')).toEqual({
    at: '2026-01-01T00:00:01Z',
    calls: [1, 2, 3].map((n) => ({
      at: '2026-01-01T00:00:02Z',
      tool: `t${n}`,
      by: 'worker-7',
      front: 'mcp',
      code: n === 2 ? 'FORBIDDEN' : null,
    })),
  });
  expect(connectedBy(events, 'key_3')).toEqual({ at: null, calls: [] });
});

it('a name of a worker is one that the server takes', () => {
  for (const good of ['', 'worker-7', 'claude@host/shop']) expect(isAgentId(good)).toBe(true);
  for (const bad of ['-x', 'a b', 'é', 'x'.repeat(129)]) expect(isAgentId(bad)).toBe(false);
});
