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

it('an unknown queue, and none that is left, are refused by name', () => {
  expect(() => served('lite')).toThrow(`WORKER_QUEUES: some of ${all.join(', ')}`);
  expect(() => served('light,!light')).toThrow('WORKER_QUEUES: no queue is left');
});
