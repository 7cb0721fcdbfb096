import { expect, it, vi } from 'vitest';
import { currentTenant } from '../../adapters/postgres/tenancy.ts';
import { AppError } from '../../contracts/errors.ts';
import { eachInTurn, Isolation } from './isolation.ts';

const log = { warn: vi.fn<(...said: unknown[]) => void>() };
const bounds = { log, totalMs: 60_000, stepMs: 60_000 };

it('passes over what fails, tells it without the text of its error, and goes on as each tenant', async () => {
  const apart = new Isolation(bounds);
  const seen: string[] = [];
  for (const tenant of ['a', 'b'])
    await apart.run({ tenant, step: 'tidy', id: `row-${tenant}` }, async () => {
      if (tenant === 'a') throw new TypeError('of what the row holds');
      seen.push(currentTenant());
    });
  await apart.run({ tenant: 'a', step: 'find' }, () => Promise.reject(new AppError('NOT_FOUND', 'gone')));
  expect(seen).toEqual(['b']);
  expect(apart.count).toBe(2);
  expect(apart.skipped).toEqual([
    { tenant: 'a', step: 'tidy', id: 'row-a', code: 'INTERNAL' },
    { tenant: 'a', step: 'find', code: 'NOT_FOUND' },
  ]);
  expect(log.warn).toHaveBeenCalledTimes(2);
});

it('goes on without a piece that hangs, and gives a step of a tenant no more than its share of the time', async () => {
  let now = 0;
  const apart = new Isolation({ ...bounds, stepMs: 5, now: () => now });
  expect(await apart.run({ tenant: 'a', step: 'restart' }, () => new Promise(() => {}))).toBeUndefined();
  expect(await apart.run({ tenant: 'a', step: 'restart' }, async () => void (now += 6))).toBeUndefined();
  const called = vi.fn<() => Promise<string>>(async () => 'done');
  expect(await apart.run({ tenant: 'a', step: 'restart' }, called)).toBeUndefined();
  expect(called).not.toHaveBeenCalled();
  expect(await apart.run({ tenant: 'b', step: 'restart' }, called)).toBe('done');
  now = 60_000;
  expect(await apart.run({ tenant: 'c', step: 'restart' }, called)).toBeUndefined();
});

it('ends with its activity', async () => {
  const stop = new AbortController();
  const apart = new Isolation({ ...bounds, signal: stop.signal });
  stop.abort(new Error('cancelled'));
  await expect(apart.run({ tenant: 'a', step: 'tidy' }, async () => {})).rejects.toThrow('cancelled');
});

it('gives each its turn before it fails', async () => {
  const done: number[] = [];
  const work = async (each: number): Promise<void> => {
    if (each % 2 === 1) throw new Error(`${each} is odd`);
    done.push(each);
  };
  await expect(eachInTurn([1, 2, 4], work)).rejects.toThrow('1 is odd');
  await expect(eachInTurn([1, 2, 3, 6], work)).rejects.toThrow('2 failed');
  expect(done).toEqual([2, 4, 2, 6]);
});
