import { expect, it } from 'vitest';
import { newCallId } from './ids.ts';

it('a call has a UUID of version 7, whose beginning is its time', () => {
  const before = Date.now();
  const ids = Array.from({ length: 1_000 }, newCallId);
  const after = Date.now();
  expect(new Set(ids).size).toBe(1_000);
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const at = parseInt(id.replace('-', '').slice(0, 12), 16);
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(after);
  }
});
