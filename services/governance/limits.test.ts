import { afterEach, expect, it, vi } from 'vitest';
import type { Caller } from '../../contracts/caller.ts';
import { RateLimits } from './limits.ts';

afterEach(() => vi.restoreAllMocks());

it('calls left of a minute are not added to the next one, whose first lease was asked for before its end', async () => {
  let time = 1_000;
  vi.spyOn(performance, 'now').mockImplementation(() => time);
  const answers = [
    Promise.resolve([{ leased: 8, granted: 8, left_ms: 1_000 }]),
    // The row's minute is over when the statement runs.
    new Promise((resolve) => setTimeout(() => resolve([{ leased: 10, granted: 10, left_ms: 60_000 }]), 20)),
  ];
  const limits = new RateLimits({ db: { query: () => answers.shift() }, limits: { rpm: 80, burst: 0 } } as never);
  const caller = { tenant: 't', keyId: 'key', rateRpm: null, rateBurst: null, profile: null } as unknown as Caller;
  for (let i = 0; i < 5; i += 1) await limits.take(caller);
  time += 2_000;
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect(answers).toEqual([]);
  expect((await limits.take(caller)).remaining).toBe(79);
});
