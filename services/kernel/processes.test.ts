import { ServiceError } from '@temporalio/client';
import { expect, it } from 'vitest';
import type { Temporal } from '../../adapters/temporal/client.ts';
import { isGone } from '../../adapters/temporal/errors.ts';
import { Processes } from './processes.ts';

/** A Temporal whose calls end as told; `waits` holds for how long each would have been waited for, in s. */
function temporalOf(answers: (Error | null)[]): { temporal: Temporal; waits: number[] } {
  const waits: number[] = [];
  const handle = () => ({
    query() {
      const answer = answers.shift();
      return answer ? Promise.reject(answer) : Promise.resolve('here');
    },
  });
  const withDeadline = (deadline: number, work: () => Promise<unknown>): Promise<unknown> => {
    waits.push(Math.round((deadline - Date.now()) / 1_000));
    return work();
  };
  return { temporal: { handle, client: { withDeadline } } as unknown as Temporal, waits };
}
const failed = (code: number, message: string): Error =>
  new ServiceError('Failed to query', { cause: Object.assign(new Error(message), { code, details: message, metadata: {} }) });
const refusedConnection = failed(4, 'Deadline exceeded after 15.001s. No connection established. Last error: connect ECONNREFUSED');

it('a restart of Temporal is waited for once; while it is known to be unreachable, calls are refused soon, until one is answered', async () => {
  const { temporal, waits } = temporalOf([refusedConnection, refusedConnection, null, null]);
  const processes = new Processes(temporal);
  const ask = () => processes.query('task/acme/task_1', 'progress');
  await expect(ask()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('not reachable') });
  await expect(ask()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect([await ask(), await ask()]).toEqual(['here', 'here']);
  expect(waits).toEqual([15, 2, 2, 15]);
});

it('a call that reached Temporal says nothing of the next one', async () => {
  const { temporal, waits } = temporalOf([failed(4, 'Deadline exceeded'), failed(5, 'workflow not found'), null]);
  const processes = new Processes(temporal);
  await expect(processes.query('a', 'progress')).rejects.toMatchObject({ message: expect.stringContaining('did not answer in time') });
  await expect(processes.query('b', 'progress')).rejects.toSatisfy(isGone);
  expect(await processes.query('c', 'progress')).toBe('here');
  expect(waits).toEqual([15, 15, 15]);
});
