import { expect, it } from 'vitest';
import { processorMs } from '../../../test/kit/processor.ts';
import { stepsOf } from './steps.ts';

it.each([
  ['Claim a task, work on it, and hand in the result.', ['Claim a task', 'work on it', 'hand in the result']],
  [
    'Crawl our site, follow the job until it ends, then search it for prices.',
    ['Crawl our site', 'follow the job until it ends', 'search it for prices'],
  ],
  [
    'Which workers are down? Put their tickets back and tell the team.',
    ['Which workers are down?', 'Put their tickets back', 'tell the team'],
  ],
  ['What was agreed, what is still open, and file it as tasks', ['What was agreed', 'what is still open', 'file it as tasks']],
  [
    'Please open a run and then log the first step\nI want to close it afterwards',
    ['Please open a run', 'log the first step', 'I want to close it afterwards'],
  ],
])('takes apart %j', (text, steps) => {
  expect(stepsOf(text)).toEqual(steps);
});

it.each([
  'claim the next task',
  'list all labels, and what they stand for',
  'customer profile: usage, complaints, sentiment',
  'make a key for the bot, read-only',
  'the alert bot is noisy, and I do not know why',
  'search and replace',
  '',
  '?!',
])('leaves %j whole', (text) => {
  expect(stepsOf(text)).toEqual([]);
});

it('cuts a long story without requests into sentences, at most eight, the last ones above all', () => {
  const story = Array.from({ length: 20 }, (_, i) => `Sentence ${i} tells of a day at the office.`).join(' ');
  const steps = stepsOf(story);
  expect(steps).toHaveLength(8);
  expect(steps[0]).toContain('Sentence 0');
  expect(steps.at(-1)).toContain('Sentence 19');
});

it('takes the longest query apart in a moment', () => {
  for (const text of ['and then '.repeat(444), 'please '.repeat(571), 'a,'.repeat(2_000), 'list x, '.repeat(500)]) {
    expect(processorMs(() => expect(stepsOf(text).length).toBeLessThanOrEqual(8))).toBeLessThan(1_000);
  }
});
