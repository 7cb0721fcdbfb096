import type { WorkflowClientInterceptor } from '@temporalio/client';
import { timed } from '../../platform/metrics.ts';

/** Measures how long this process's requests to Temporal take. */
export const timingInterceptor = (): WorkflowClientInterceptor => ({
  start: (input, next) => timed('start', () => next(input)),
  startWithDetails: (input, next) => timed('start', () => next(input)),
  signal: (input, next) => timed('signal', () => next(input)),
  signalWithStart: (input, next) => timed('signal_with_start', () => next(input)),
  startUpdate: (input, next) => timed('update', () => next(input)),
  startUpdateWithStart: (input, next) => timed('update_with_start', () => next(input)),
  query: (input, next) => timed('query', () => next(input)),
  describe: (input, next) => timed('describe', () => next(input)),
  cancel: (input, next) => timed('cancel', () => next(input)),
});
