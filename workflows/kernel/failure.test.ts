import { ActivityFailure, ApplicationFailure, RetryState } from '@temporalio/common';
import { expect, test } from 'vitest';
import { failureOf } from './failure.ts';

const ofActivity = (cause: Error): Error =>
  new ActivityFailure('Activity task failed', 'x', '1', RetryState.MAXIMUM_ATTEMPTS_REACHED, 'w', cause);

test('a defect is told in the name of the process it stopped', () => {
  const error = ofActivity(ApplicationFailure.create({ message: 'x is undefined', type: 'TypeError' }));
  expect(failureOf(error, 'The merge')).toEqual({ code: 'INTERNAL', message: 'The merge failed: x is undefined', final: false });
});

test('a refusal speaks for itself', () => {
  const error = ofActivity(ApplicationFailure.create({ message: 'No such entity.', type: 'app:NOT_FOUND', nonRetryable: true }));
  expect(failureOf(error, 'The merge')).toEqual({ code: 'NOT_FOUND', message: 'No such entity.', final: true });
});
