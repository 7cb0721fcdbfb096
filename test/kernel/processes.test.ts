/** One workflow id is used for several jobs in turn: a start while the former run closes must not be lost. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Processes, type Process } from '../../services/kernel/processes.ts';
import type { pipeline } from '../../workflows/knowledge/pipeline/workflow.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await testStack({ model: false, workers: false });
});
afterAll(() => stack?.stop());

// No worker serves the stack's queues: a run stays until it is terminated.
const processOf = (id: string, purpose: string): Process<typeof pipeline> => ({
  workflow: 'pipeline',
  id,
  queue: 'background',
  args: [{ job: { tenant: 'acme', id: purpose }, rev: 0 }],
  tenant: 'acme',
  kind: 'pipeline',
  status: 'queued',
  owner: 'test',
  summary: 'Test',
  purpose,
});
const runOf = async (id: string) => {
  const { runId, status, memo } = await stack.temporal.handle(id).describe();
  return { runId, status: status.name, purpose: memo?.['purpose'] };
};

it('leaves a run alone that serves the same purpose', async () => {
  const processes = new Processes(stack.temporal);
  await processes.start(processOf('same', 'job_a'));
  const first = await runOf('same');
  await Promise.all([processes.start(processOf('same', 'job_a')), processes.start(processOf('same', 'job_a'))]);
  expect(await runOf('same')).toEqual({ runId: first.runId, status: 'RUNNING', purpose: 'job_a' });
});

it('starts when the run for the former purpose has closed', async () => {
  const processes = new Processes(stack.temporal);
  await processes.start(processOf('next', 'job_a'));
  const first = await runOf('next');
  const next = processes.start(processOf('next', 'job_b'));
  await stack.temporal.client.workflow.getHandle('next', first.runId).terminate('closes');
  await next;
  const second = await runOf('next');
  expect(second).toMatchObject({ status: 'RUNNING', purpose: 'job_b' });
  expect(second.runId).not.toBe(first.runId);
});

it('says so when the former run does not close', async () => {
  await new Processes(stack.temporal).start(processOf('stuck', 'job_a'));
  await expect(new Processes(stack.temporal, 300).start(processOf('stuck', 'job_b'))).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    details: { reason: 'closing', workflow_id: 'stuck' },
  });
  expect(await runOf('stuck')).toMatchObject({ status: 'RUNNING', purpose: 'job_a' });
});
