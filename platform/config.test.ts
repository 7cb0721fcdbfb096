import { expect, it } from 'vitest';
import { queues } from '../contracts/temporal.ts';
import { readConfig } from './config.ts';

const served = (value: string): string[] => readConfig({ WORKER_QUEUES: value }).WORKER_QUEUES;
const all = Object.values(queues);

it('a worker serves all queues, those that are named, or all but those after !', () => {
  expect(served('')).toEqual(all);
  expect(served('light, background')).toEqual(['light', 'background']);
  expect(served('!light,!background')).toEqual(all.filter((name) => name !== 'light' && name !== 'background'));
  expect(served('light,outbound,!light')).toEqual(['outbound']);
});

it('the ledger is kept for ever, or for a month at least', () => {
  const kept = (value?: string): number => readConfig({ LEDGER_KEEP_DAYS: value }).LEDGER_KEEP_DAYS;
  expect([undefined, '0', '30', '3650'].map(kept)).toEqual([400, 0, 30, 3_650]);
  for (const days of ['1', '10', '29']) expect(() => kept(days)).toThrow('LEDGER_KEEP_DAYS: 0 (for ever), or at least 30 days');
  expect(() => kept('-1')).toThrow('LEDGER_KEEP_DAYS');
});

it('an unknown queue, and none that is left, are refused by name', () => {
  expect(() => served('lite')).toThrow(`WORKER_QUEUES: some of ${all.join(', ')}`);
  expect(() => served('light,!light')).toThrow('WORKER_QUEUES: no queue is left');
});
