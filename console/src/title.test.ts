import { expect, it } from 'vitest';
import { titled } from './title.ts';

it('has what waits before the title of the screen', () => {
  expect([titled('Work', 0), titled('Work', 3), titled('', 0), titled('Inbox', 10_001)]).toEqual([
    'Work · Signalbox',
    '(3) Work · Signalbox',
    'Signalbox',
    '(10,000+) Inbox · Signalbox',
  ]);
});
