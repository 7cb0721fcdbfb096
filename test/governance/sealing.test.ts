/** An attacker with access to Temporal's port cannot act in anyone's name. */
import type { temporal as proto } from '@temporalio/proto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { secretBox } from '../../adapters/secrets/box.ts';
import type { Caller } from '../../contracts/caller.ts';
import { queues, workflowIds } from '../../contracts/temporal.ts';
import type { Task } from '../../contracts/work/work.ts';
import { sealedSince } from '../../services/governance/process-seals.ts';
import { snapshotOf } from '../../services/work/rows.ts';
import { forger, type Forger } from '../setup/forger.ts';
import { histories } from '../setup/replay.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let eve: Forger;
let pam: Caller;
let robo: Caller;
beforeAll(async () => {
  stack = await testStack({ model: false, env: { A2A_ENABLED: 'true' } });
  eve = await forger(stack.namespace);
  pam = await stack.caller({ role: 'pm', name: 'pam' });
  robo = await stack.caller({ role: 'agent', name: 'robo' });
});
afterAll(async () => {
  await eve?.close();
  await stack?.stop();
});

const rows = (sql: string, values: unknown[] = []) => asTenant('acme', () => stack.db.query(sql, values));
const notSealed = { type: 'app:FORBIDDEN', message: expect.stringContaining('Not sealed by this installation') };
const forge = (workflowId: string, name: string, ...args: unknown[]) =>
  eve.client.workflow.getHandle(workflowId).executeUpdate<unknown, [object]>(name, { args: args as [object] });
/** What an update or a workflow failed with, inside of the client's own error. */
const failing = async (work: Promise<unknown>): Promise<unknown> =>
  await work.then(
    () => 'it was done',
    (error: Error) => error.cause ?? error,
  );

const asking = 'schema.definition.register';
const ask = async (name: string): Promise<string> =>
  (await stack.ok<{ approval_id: string }>(robo, asking, { name, version: '1.0.0', json_schema: { type: 'object' } })).approval_id;
const registered = async (prefix: string): Promise<number> =>
  (await stack.ok<{ schemas: unknown[] }>(pam, 'schema.definition.list', { prefix })).schemas.length;

describe('an approval', () => {
  it('is not decided past the api, whatever name is given, and then is by a person', async () => {
    const id = await ask('forged');
    const workflowId = workflowIds.toolCall('acme', id);
    const decision = { decision: 'approved', by: 'pam', byKind: 'human', keyId: pam.keyId, role: 'pm', note: null };
    expect(await failing(forge(workflowId, 'decide', decision))).toMatchObject(notSealed);
    expect(await failing(forge(workflowId, 'decide'))).toMatchObject(notSealed);
    const stamp = { signalboxStamp: 'update decide', id: 'mine', at: Date.now(), sealed: true };
    expect(await failing(forge(workflowId, 'decide', decision, stamp))).toMatchObject(notSealed);
    for (const [name, ...args] of [
      ['noteDecision', { tenant: 'acme', id }, decision],
      ['expireApproval', { tenant: 'acme', id }],
      ['executeApproved', { tenant: 'acme', id }],
    ] as const) {
      expect(await failing(eve.activity(queues.interactive, name, ...args))).toMatchObject(notSealed);
    }
    expect(await rows('select status, decided_by from approvals where id = $1', [id])).toEqual([{ status: 'pending', decided_by: null }]);
    expect(await registered('forged')).toBe(0);

    const { approval } = await stack.ok(pam, 'approval.request.approve', { approval_id: id, wait_seconds: 20 });
    expect(approval).toMatchObject({ status: 'completed', decided_by: 'pam' });
    expect(await registered('forged')).toBe(1);
  });

  it('takes no decision that was copied from another one, nor the same once more', async () => {
    const [one, two] = [await ask('copied.one'), await ask('copied.two')];
    await stack.ok(pam, 'approval.request.approve', { approval_id: one, wait_seconds: 20 });
    const decided = await copied(workflowIds.toolCall('acme', one), 'decide');
    for (const updateId of [decided.meta!.updateId!, 'another']) {
      expect(await sendCopy(workflowIds.toolCall('acme', two), { ...decided, meta: { ...decided.meta, updateId } })).toMatch(/Not sealed/);
    }
    expect(await rows('select status from approvals where id = $1', [two])).toEqual([{ status: 'pending' }]);
    expect(await registered('copied.two')).toBe(0);
  });
});

/** An update as it stands in a history, its seal included. */
async function copied(workflowId: string, name: string) {
  for await (const { history } of histories(stack.temporal.client, `WorkflowId = '${workflowId}'`)) {
    for (const event of history.events ?? []) {
      const request = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest;
      if (request?.input?.name === name) return request;
    }
  }
  throw new Error(`${workflowId} was sent no ${name}`);
}

/** @returns why it was refused */
async function sendCopy(workflowId: string, request: proto.api.update.v1.IRequest): Promise<string> {
  const { outcome } = await eve.client.workflowService.updateWorkflowExecution({
    namespace: stack.namespace,
    workflowExecution: { workflowId },
    waitPolicy: { lifecycleStage: 3 },
    request,
  });
  return outcome?.failure?.message ?? 'it was done';
}

describe('a task', () => {
  const create = async (): Promise<string> => (await stack.ok(robo, 'work.task.create', { description: 'a task', phase_id: 2 })).task.id;
  const standing = async (id: string) => (await rows('select status, assigned_agent_id, result from work_tasks where id = $1', [id]))[0];

  it('is claimed, completed, failed and released by nobody past the api', async () => {
    const id = await create();
    const workflowId = workflowIds.task('acme', id);
    const actor = { id: 'robo', person: true };
    expect(await failing(forge(workflowId, 'claim', { actor, leaseSeconds: 60 }))).toMatchObject(notSealed);
    const { fencing_token } = (await stack.ok<{ task: Task }>(robo, 'work.task.claim', { task_id: id })).task;
    const held = { actor, token: fencing_token };
    for (const [name, args] of [
      ['heartbeat', held],
      ['complete', { ...held, result: 'forged' }],
      ['fail', { ...held, reason: 'forged', retry: false }],
      ['release', held],
      ['block', { blockers: ['x'] }],
      ['blockerDone', { blocker: 'x' }],
    ] as const) {
      expect(await failing(forge(workflowId, name, args)), name).toMatchObject(notSealed);
    }
    const [row] = await rows('select * from work_tasks where id = $1', [id]);
    const snapshot = { ...snapshotOf(row as never), status: 'done', rev: 99, result: 'forged' };
    for (const name of ['writeTask', 'finishTask']) {
      expect(await failing(eve.activity(queues.interactive, name, { tenant: 'acme', id }, snapshot)), name).toMatchObject(notSealed);
    }
    expect(await failing(eve.activity(queues.interactive, 'withdrawTask', { tenant: 'acme', id }, 'forged'))).toMatchObject(notSealed);
    expect(await standing(id)).toMatchObject({ status: 'in_progress', assigned_agent_id: 'robo', result: null });
    await stack.ok(robo, 'work.task.complete', { task_id: id, fencing_token, result: 'real' });
    expect(await standing(id)).toMatchObject({ status: 'done', result: 'real' });
  });

  it('has no second process: a workflow of ours is not started past the api, nor by a copy of its start', async () => {
    const id = await create();
    const [row] = await rows('select * from work_tasks where id = $1', [id]);
    const input = {
      ref: { tenant: 'acme', id },
      task: { ...snapshotOf(row as never), status: 'in_progress', agent: 'eve', leaseExpiresAt: 1, rev: 50 },
    };
    const start = (workflowId: string) =>
      eve.client.workflow.execute('task', { taskQueue: queues.interactive, workflowId, args: [input], workflowTaskTimeout: '10s' });
    expect(await failing(start('mine'))).toMatchObject(notSealed);
    const { events } = await stack.temporal.handle(workflowIds.task('acme', id)).fetchHistory();
    const { input: sealed } = events![0]!.workflowExecutionStartedEventAttributes!;
    await eve.client.workflowService.startWorkflowExecution({
      namespace: stack.namespace,
      workflowId: 'copy',
      workflowType: { name: 'task' },
      taskQueue: { name: queues.interactive },
      input: sealed ?? null,
      requestId: 'copy',
    });
    expect(await failing(eve.client.workflow.getHandle('copy').result())).toMatchObject(notSealed);
    expect(await standing(id)).toMatchObject({ status: 'ready' });
  });
});

describe('other processes', () => {
  it('take no judgement of an output past the api', async () => {
    const { output_id } = await stack.ok(robo, 'agent.output.submit', { kind: 'note', title: 'A note', content: 'Text' });
    const ref = { tenant: 'acme', id: output_id };
    const decision = { decision: 'confirm', by: 'pam', notes: null };
    expect(await failing(forge(workflowIds.review('acme', output_id), 'decide', decision))).toMatchObject(notSealed);
    for (const [name, arg] of [
      ['beginDecision', decision],
      ['settleReview', { status: 'confirmed', result: null }],
    ] as const) {
      expect(await failing(eve.activity(queues.interactive, name, ref, arg)), name).toMatchObject(notSealed);
    }
    const { output } = await stack.ok(pam, 'review_agent_outputs', { output_id, decision: 'reject' });
    expect(output).toMatchObject({ status: 'rejected', decided_by: 'pam' });
  });

  it('are not started past the api, and their activities run for nobody else', async () => {
    const job = { tenant: 'acme', id: 'job_none' };
    for (const [type, queue, input] of [
      ['merge', queues.interactive, { job, rev: 0 }],
      ['removal', queues.background, { ref: { tenant: 'acme', jobId: 'job_none' }, rev: 0 }],
      ['exportData', queues.background, { job, rev: 0 }],
      [
        'connectorCall',
        queues.outbound,
        { ref: { tenant: 'acme', jobId: 'job_none', provider: 'slack', callKey: 'x' }, rev: 0, attempts: 0 },
      ],
      ['notify', queues.outbound, { ref: { tenant: 'acme', jobId: 'job_none', id: 'x' }, rev: 0, attempts: 0 }],
      ['eventDelivery', queues.outbound, { tenant: 'acme', id: 'sub_none' }],
      ['delegation', queues.interactive, { tenant: 'acme', direction: 'sent', id: 'none' }],
      ['received', queues.interactive, { tenant: 'acme', direction: 'received', id: 'none' }],
      ['a2aTask', queues.interactive, { tenant: 'acme', id: 'none' }],
      ['agent', queues.interactive, { tenant: 'acme', id: 'none' }],
      ['episodes', queues.background, 'acme'],
    ] as const) {
      const forged = eve.client.workflow.execute(type, { taskQueue: queue, workflowId: `start-${type}`, args: [input] });
      expect(await failing(forged), type).toMatchObject(notSealed);
    }
    for (const [queue, name, ...args] of [
      [queues.interactive, 'undoChange', job],
      [queues.background, 'removeSome', { tenant: 'acme', jobId: 'job_none' }],
      [queues.outbound, 'attemptConnectorCall', { tenant: 'acme', jobId: 'job_none', provider: 'slack', callKey: 'x' }, 2, false],
      [queues.interactive, 'callA2aTool', { tenant: 'acme', id: 'none' }, 1],
      [queues.interactive, 'writeDelegated', { tenant: 'acme', direction: 'sent', id: 'none' }, {}],
    ] as const) {
      expect(await failing(eve.activity(queue, name, ...args)), name).toMatchObject(notSealed);
    }
  });

  it('of every type are refused without a seal, but for those that a clock starts', async () => {
    const index = readFileSync(new URL('../../workflows/index.ts', import.meta.url), 'utf8');
    const types = [...index.matchAll(/export \{ ([^}]+) \}/g)].flatMap(([, names]) => names!.split(', '));
    const clocked = ['briefClock', 'recurrence', 'reportSchedule', 'sweep', 'trackerSync'];
    const outcomes = await Promise.all(
      types.map(async (type) => {
        // Those that are not refused run until it is over.
        const workflowExecutionTimeout = clocked.includes(type) ? '3s' : '60s';
        const workflowId = `type-${type}`;
        const input = { tenant: 'nobody', id: 'none', firedAt: '2026-01-01T00:00:00.000Z' };
        await eve.client.workflow.start(type, { taskQueue: queues.interactive, workflowId, args: [input], workflowExecutionTimeout });
        const failed = (await failing(eve.client.workflow.getHandle(workflowId).result())) as Error;
        return [type, failed.message?.includes('Not sealed')] as const;
      }),
    );
    expect(
      outcomes
        .filter(([, refused]) => !refused)
        .map(([type]) => type)
        .sort(),
    ).toEqual(clocked);
  });

  it('go on after signals that nobody sealed and nobody can read', async () => {
    const { agent_id: id } = await stack.ok(robo, 'agent.peer.register', { agent_type: 'adder', endpoint_url: 'https://a.example' });
    const workflowId = workflowIds.agent('acme', id);
    await stack.ok(robo, 'agent.peer.heartbeat', { agent_id: id });
    const running = async () => (await stack.temporal.handle(workflowId).describe()).status.name;
    await eventually('it is watched', async () => (await running()) === 'RUNNING');
    await eve.client.workflow.getHandle(workflowId).signal('left');
    await eve.client.workflowService.signalWorkflowExecution({
      namespace: stack.namespace,
      workflowExecution: { workflowId },
      signalName: 'alive',
      input: { payloads: [{ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('{"signalboxStamp":') }] },
    });
    const signals = async () =>
      (await stack.temporal.handle(workflowId).fetchHistory()).events!.filter((event) => event.workflowTaskCompletedEventAttributes).length;
    const before = await signals();
    await eve.client.workflow.getHandle(workflowId).signal('alive', Buffer.from([1, 2]));
    await eventually('a further step is done', async () => (await signals()) > before);
    expect(await running()).toBe('RUNNING');
  });

  it('that began before there were seals go on, and take decisions of the api alone', async () => {
    const old = await testStack({ model: false, workers: false });
    const mallory = await forger(old.namespace);
    try {
      const [oldPam, oldRobo] = [await old.caller({ role: 'pm', name: 'pam' }), await old.caller({ role: 'agent', name: 'robo' })];
      const wanted = { name: 'old', version: '1.0.0', json_schema: { type: 'object' } };
      const { approval_id: id } = await old.ok<{ approval_id: string }>(oldRobo, asking, wanted);
      const workflowId = workflowIds.toolCall('acme', id);
      // As an api of before started it.
      await old.temporal.handle(workflowId).terminate('of before');
      const ref = { tenant: 'acme', id };
      await mallory.client.workflow.start('toolCall', { taskQueue: queues.interactive, workflowId, args: [ref] });
      await old.startWorkers();
      const decision = { decision: 'approved', by: 'pam', byKind: 'human', note: null };
      const forged = mallory.client.workflow.getHandle(workflowId).executeUpdate<unknown, [object]>('decide', { args: [decision] });
      expect(await failing(forged)).toMatchObject(notSealed);
      const { approval } = await old.ok(oldPam, 'approval.request.approve', { approval_id: id, wait_seconds: 20 });
      expect(approval).toMatchObject({ status: 'completed' });

      const { since } = await sealedSince(old.db, old.secrets);
      const other = secretBox('another key', '');
      const changed = await sealedSince(old.db, other);
      expect(changed).toMatchObject({ changed: true });
      expect(changed.since).toBeGreaterThan(since);
      expect(await sealedSince(old.db, other)).toEqual({ ...changed, changed: false });
      // A key that is still known continues: what it sealed stays valid, and nothing unsealed is believed.
      expect(await sealedSince(old.db, secretBox('the next key', '', ['another key']))).toEqual({ ...changed, changed: false });
    } finally {
      await mallory.close();
      await old.stop();
    }
  });

  it('that are cancelled past the api say so', async () => {
    await stack.stopWorkers();
    const { job } = await asTenant('acme', () =>
      stack.services.exports.export(pam, { type: 'feedback_log', format: 'json' }, 'cancelled-past', { waitMs: 0 }),
    );
    await eve.client.workflow.getHandle(job.workflow_id).cancel();
    await stack.startWorkers();
    const ended = await eventually('it has ended', async () => {
      const [row] = await rows('select status, error from jobs where id = $1 and finished_at is not null', [job.job_id]);
      return row;
    });
    expect(ended).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('directly in Temporal') } });
  });
});
