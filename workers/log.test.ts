import { ActivityFailure, ApplicationFailure, RetryState } from '@temporalio/common';
import { pino } from 'pino';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { temporalLogger } from './log.ts';

function logged(error: unknown): Record<string, unknown> {
  const lines: string[] = [];
  temporalLogger(pino({ base: null }, { write: (line: string) => void lines.push(line) })).warn('Workflow failed', {
    error,
    workflowId: 'task/1',
  });
  expect(lines[0]).not.toContain('secret argument');
  return JSON.parse(lines[0]!) as Record<string, unknown>;
}

test('a failed workflow says why, down to the cause, and nothing of its arguments', () => {
  const cause = ApplicationFailure.create({ message: 'The text is empty.', type: 'app:VALIDATION_ERROR', details: ['secret argument'] });
  const error = new ActivityFailure('Activity task failed', 'parse', '1', RetryState.MAXIMUM_ATTEMPTS_REACHED, 'worker', cause);
  expect(logged(error)).toMatchObject({
    msg: 'Workflow failed',
    workflowId: 'task/1',
    reason: 'Activity task failed: The text is empty.',
  });
  expect(logged(error)).not.toHaveProperty('stack');
});

test("a defect is told with its place, from a workflow's own realm, too", () => {
  const error = runInNewContext("Object.assign(new TypeError('x is undefined'), { details: ['secret argument'] })") as Error;
  expect(logged(error)).toMatchObject({ reason: 'x is undefined', stack: expect.stringContaining('TypeError: x is undefined') as string });
});

test('what is thrown may be anything', () => {
  expect(logged('gone')).toMatchObject({ reason: 'gone' });
});
