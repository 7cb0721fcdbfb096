/** What people decide about runs, what merges them, what they cost. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Briefing, RunBudget, WorkRun } from '../../contracts/work/runs.ts';
import type { Task } from '../../contracts/work/work.ts';
import { replayCourses } from '../setup/replay.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let pm: Caller;
let runner: Caller;
let desk: Caller;
beforeAll(async () => {
  stack = await testStack({ model: false });
  pm = await stack.caller({ name: 'pm', kind: 'human' });
  desk = await stack.caller({ role: 'agent', name: 'merger' });
});
afterAll(() => stack?.stop());

type Opened = { run: WorkRun; briefing: Briefing };
type Standing = { run: WorkRun; task_status: Task['status'] };
type Called = Awaited<ReturnType<TestStack['call']>>;
const reason = ({ error }: Called) => [error?.code, error?.details?.['reason']];
const rows = <T extends Record<string, unknown>>(text: string, values: unknown[]) =>
  asTenant('acme', () => stack.db.query<T>(text, values));
const told = (type: string, subject: string) =>
  rows('select 1 from outbox where tenant_id = $1 and type = $2 and subject = $3', ['acme', type, subject]);

let phases = 300;
async function freshPhase(fields: Record<string, unknown> = {}): Promise<number> {
  phases += 1;
  await stack.ok(pm, 'work.phase.set', { phase_id: phases, name: `phase ${phases}`, ...fields });
  return phases;
}
const create = async (phase_id: number): Promise<Task> =>
  (await stack.ok<{ task: Task }>(pm, 'work.task.create', { description: 'Build it', phase_id })).task;
const taskOf = async (id: string): Promise<Task> => (await stack.ok<{ task: Task }>(pm, 'work.task.get', { task_id: id })).task;
const review = (by: Caller, run_id: string, verdict: string, note?: string) =>
  stack.ok<Standing>(by, 'work.run.review', { run_id, verdict, note });
const merged = (run_id: string, said: object) => stack.ok<Standing>(desk, 'work.run.merged', { run_id, ...said });

let runners = 0;
async function open(phase_id: number, fields: object = {}) {
  runner = await stack.caller({ role: 'agent', name: `runner/desk/${(runners += 1)}` });
  const { task } = await stack.ok<{ task: Task }>(runner, 'work.task.claim', { phase_id });
  const lease = { task_id: task.id, fencing_token: task.fencing_token };
  const { run, briefing } = await stack.ok<Opened>(runner, 'work.run.open', {
    ...lease,
    agent: 'codex',
    host: 'desk',
    branch: 'signalbox/x',
    with_key: false,
    ...fields,
  });
  return { run, briefing, runner, task, held: { run_id: run.id, fencing_token: task.fencing_token } };
}
/** A run whose work waits for a decision. */
async function handedIn(fields: object = {}, end: object = { outcome: 'done', summary: 'Built.' }) {
  const phase_id = await freshPhase({ needs_review: true });
  await create(phase_id);
  const opened = await open(phase_id, fields);
  const closed = await stack.ok<Standing>(opened.runner, 'work.run.close', { ...opened.held, ...end });
  return { ...opened, closed, phase_id };
}

describe('a run in review', () => {
  it('is approved, and its task is done once it is merged, in the name of the approver', async () => {
    const { run, runner, task, closed } = await handedIn();
    expect(closed).toMatchObject({ task_status: 'review', run: { state: 'review', ended_at: expect.any(String) } });
    expect(reason(await stack.call(runner, 'work.run.review', { run_id: run.id, verdict: 'approve' }))).toEqual([
      'FORBIDDEN',
      'own_review',
    ]);
    expect(reason(await stack.call(desk, 'work.run.merged', { run_id: run.id, commit: 'abcdef1' }))).toEqual(['CONFLICT', 'review']);
    const approved = { task_status: 'review', run: { state: 'approved', review: { verdict: 'approve', by: 'pm' } } };
    for (const answer of await Promise.all([review(pm, run.id, 'approve'), review(pm, run.id, 'approve')]))
      expect(answer).toMatchObject(approved);
    expect(await review(pm, run.id, 'approve')).toMatchObject(approved);
    // Its dependants would begin without the work.
    expect(reason(await stack.call(pm, 'work.task.complete', { task_id: task.id }))).toEqual(['CONFLICT', 'not_merged']);
    expect(reason(await stack.call(pm, 'work.task.update_status', { task_id: task.id, status: 'done' }))).toEqual([
      'CONFLICT',
      'not_merged',
    ]);
    expect(await told('work.run_approved', run.id)).toHaveLength(1);
    const both = await Promise.all([merged(run.id, { commit: 'abcdef1' }), merged(run.id, { commit: 'abcdef1' })]);
    expect(both[0]).toMatchObject({ task_status: 'done', run: { state: 'completed', merged_commit: 'abcdef1' } });
    expect(both[1]).toEqual(both[0]);
    expect(await merged(run.id, { commit: 'abcdef1' })).toEqual(both[0]);
    expect(reason(await stack.call(desk, 'work.run.merged', { run_id: run.id, commit: 'abcdef2' }))).toEqual(['CONFLICT', 'merged']);
    expect(await taskOf(task.id)).toMatchObject({ status: 'done', ended_by: 'pm', ended_as: 'person', result: 'Built.' });
    expect(await told('work.run_ended', run.id)).toHaveLength(1);
  });

  it.each([
    ['keeps its work as a patch', { merge: 'patch' }],
    ['has no branch', { branch: null }],
  ])('is done with its approval when it %s', async (_name, fields) => {
    const { run, task } = await handedIn(fields);
    const done = await review(pm, run.id, 'approve', 'Good.');
    expect(done).toMatchObject({ task_status: 'done', run: { state: 'completed', review: { note: 'Good.' } } });
    expect(await review(pm, run.id, 'approve')).toEqual(done);
    expect((await taskOf(task.id)).ended_by).toBe('pm');
  });

  it('that was approved but whose task was not told is completed by a repeat', async () => {
    const { run } = await handedIn({ merge: 'patch' });
    const { changes } = stack.services.work;
    const approve = changes.approve.bind(changes);
    changes.approve = () => Promise.reject(new Error('killed'));
    expect((await stack.call(pm, 'work.run.review', { run_id: run.id, verdict: 'approve' })).error?.code).toBe('INTERNAL');
    changes.approve = approve;
    expect((await stack.ok<{ run: WorkRun }>(pm, 'work.run.get', { run_id: run.id })).run.state).toBe('review');
    expect(await review(pm, run.id, 'approve')).toMatchObject({ task_status: 'done', run: { state: 'completed' } });
  });

  it('is sent back with what its reviewer says, and the attempt does not count', async () => {
    const { run, task, phase_id } = await handedIn();
    await stack.ok(pm, 'work.task.comment', { task_id: task.id, body: 'Off by one.', run_id: run.id, path: 'src/a.ts', line: 12 });
    expect(await review(pm, run.id, 'send_back', 'Mind the edges.')).toMatchObject({ task_status: 'ready', run: { state: 'returned' } });
    expect(await review(pm, run.id, 'send_back', 'Mind the edges.')).toMatchObject({ run: { state: 'returned' } });
    expect(await taskOf(task.id)).toMatchObject({ status: 'ready', attempts: 0, ended_as: 'person' });
    const { entries } = await stack.ok<{ entries: { change: string | null }[] }>(pm, 'work.task.history', { task_id: task.id });
    expect(entries[0]!.change).toBe('sent_back');
    const next = await open(phase_id);
    expect(next.briefing.comments.map(({ body, path, line, run_id }) => [body, path, line, run_id])).toEqual([
      ['Off by one.', 'src/a.ts', 12, run.id],
      ['Mind the edges.', null, null, run.id],
    ]);
    expect(next.briefing.earlier).toMatchObject([
      { id: run.id, state: 'returned', review: { verdict: 'send_back', note: 'Mind the edges.' } },
    ]);
    expect(reason(await stack.call(pm, 'work.run.review', { run_id: run.id, verdict: 'approve' }))).toEqual(['CONFLICT', 'returned']);
  });

  it('that asked a person goes on with the answer', async () => {
    const { run, task, phase_id, closed } = await handedIn({}, { outcome: 'question', reason: 'Which port?' });
    expect(closed).toMatchObject({ task_status: 'failed', run: { state: 'failed', reason: 'Which port?' } });
    expect(await review(pm, run.id, 'send_back', 'Port 80.')).toMatchObject({
      task_status: 'ready',
      run: { state: 'returned', outcome: 'question' },
    });
    expect((await taskOf(task.id)).attempts).toBe(0);
    const { briefing } = await open(phase_id);
    expect(briefing.comments.map(({ body }) => body)).toEqual(['Which port?', 'Port 80.']);
  });

  it('that was merged but whose task was not told is completed by a repeat', async () => {
    const { run, task } = await handedIn();
    await review(pm, run.id, 'approve');
    const { changes } = stack.services.work;
    const approve = changes.approve.bind(changes);
    changes.approve = () => Promise.reject(new Error('killed'));
    expect((await stack.call(desk, 'work.run.merged', { run_id: run.id, commit: 'abcdef1' })).error?.code).toBe('INTERNAL');
    changes.approve = approve;
    expect(await taskOf(task.id)).toMatchObject({ status: 'review' });
    // It is merged: it can no longer be sent back.
    expect(reason(await stack.call(pm, 'work.run.review', { run_id: run.id, verdict: 'send_back' }))).toEqual(['CONFLICT', 'merged']);
    expect(await merged(run.id, { commit: 'abcdef1' })).toMatchObject({ task_status: 'done', run: { state: 'completed' } });
  });

  it('that cannot be merged is ready again, with the conflict', async () => {
    const { run, task } = await handedIn();
    await review(pm, run.id, 'approve');
    const back = await merged(run.id, { conflict: 'src/a.ts: both changed' });
    expect(back).toMatchObject({ task_status: 'ready', run: { state: 'returned', reason: 'src/a.ts: both changed', merged_commit: null } });
    expect(await merged(run.id, { conflict: 'src/a.ts: both changed' })).toEqual(back);
    const now = (await stack.ok<{ task: Task & { comments: { body: string }[] } }>(pm, 'work.task.get', { task_id: task.id })).task;
    expect(now).toMatchObject({ attempts: 0, ended_as: 'platform', comments: [{ body: 'src/a.ts: both changed' }] });
    expect(reason(await stack.call(desk, 'work.run.merged', { run_id: run.id, commit: 'abcdef1' }))).toEqual(['CONFLICT', 'returned']);
  });

  it('is decided once when two people decide differently at once', async () => {
    const { run, task } = await handedIn({ merge: 'patch' });
    const other = await stack.caller({ name: `lead-${runners}`, kind: 'human' });
    await Promise.allSettled([review(pm, run.id, 'approve'), review(other, run.id, 'send_back', 'No.')]);
    const { run: decided } = await stack.ok<{ run: WorkRun }>(pm, 'work.run.get', { run_id: run.id });
    const { status } = await taskOf(task.id);
    expect([
      ['completed', 'done', 'approve'],
      ['returned', 'ready', 'send_back'],
    ]).toContainEqual([decided.state, status, decided.review?.verdict]);
  });

  it('that was sent back just before is not approved, and the decision that holds is told', async () => {
    const { run, task } = await handedIn({ merge: 'patch' });
    const other = await stack.caller({ name: `lead-${runners}`, kind: 'human' });
    const { changes } = stack.services.work;
    const approve = changes.approve.bind(changes);
    changes.approve = async (...args) => {
      changes.approve = approve;
      await review(other, run.id, 'send_back', 'No.');
      await approve(...args);
    };
    expect(reason(await stack.call(pm, 'work.run.review', { run_id: run.id, verdict: 'approve' }))).toEqual(['CONFLICT', 'ready']);
    expect((await taskOf(task.id)).status).toBe('ready');
    expect(await stack.ok(pm, 'work.run.get', { run_id: run.id })).toMatchObject({
      run: { state: 'returned', review: { verdict: 'send_back', by: other.principal } },
    });
  });

  it('is found by its state, and by nobody of another tenant', async () => {
    const { run, phase_id } = await handedIn();
    const list = async (by: Caller, filter: object) =>
      (await stack.ok<{ runs: WorkRun[] }>(by, 'work.run.list', { phase_id, ...filter })).runs.map(({ id }) => id);
    const by = { host: 'desk', worker: run.worker, task_id: run.task_id, since: '2020-01-01T00:00:00Z' };
    expect(await list(pm, { state: 'review', ...by })).toEqual([run.id]);
    expect(await list(pm, { state: 'completed' })).toEqual([]);
    await review(pm, run.id, 'send_back');
    expect(await list(pm, { state: 'returned' })).toEqual([run.id]);
    expect(await list(pm, { state: 'review' })).toEqual([]);
    const stranger = await stack.caller({ tenant: 'globex', name: 'other', kind: 'human' });
    expect(await list(stranger, {})).toEqual([]);
    expect((await stack.call(stranger, 'work.run.review', { run_id: run.id, verdict: 'approve' })).error?.code).toBe('NOT_FOUND');
  });

  it('is waited for by whoever follows it', async () => {
    const phase_id = await freshPhase();
    await create(phase_id);
    const { held, runner, run } = await open(phase_id);
    const waiting = stack.ok<{ events: { text: string }[]; state: string }>(pm, 'work.run.tail', { run_id: run.id, wait_seconds: 20 });
    const events = [{ seq: 1, at: new Date().toISOString(), kind: 'text', text: 'hello' }];
    await stack.ok(runner, 'work.run.append', { ...held, events });
    expect(await waiting).toMatchObject({ events: [{ text: 'hello' }], state: 'running' });
    const end = stack.ok(pm, 'work.run.tail', { run_id: run.id, after: 1, wait_seconds: 20 });
    await stack.ok(runner, 'work.run.close', { ...held, outcome: 'released' });
    expect(await end).toMatchObject({ events: [], after: 1, state: 'returned' });
  });
});

describe('a budget', () => {
  it('keeps runners from new tasks for the day, tells it once, and concerns nobody else', async () => {
    const phase_id = await freshPhase();
    for (let i = 0; i < 3; i += 1) await create(phase_id);
    await stack.ok(pm, 'work.budget.set', { phase_id, tokens_per_day: 100, usd_per_day: 1 });
    const { runner, held } = await open(phase_id);
    await stack.ok(runner, 'work.run.append', { ...held, usage: { input_tokens: 90, output_tokens: 10 } });
    const other = await stack.caller({ role: 'agent', name: 'runner/desk/other' });
    const claim = () => stack.call(other, 'work.task.claim', { phase_id, for_run: true });
    const answers = await Promise.all([claim(), claim()]);
    for (const answer of answers) {
      expect(answer.data).toEqual({ task: null });
      expect(answer.envelope.warnings[0]).toContain('budget');
    }
    expect(await told('work.budget_spent', String(phase_id))).toHaveLength(1);
    const { budgets } = await stack.ok<{ budgets: RunBudget[] }>(pm, 'work.budget.get');
    expect(budgets).toContainEqual({ phase_id, tokens_per_day: 100, usd_per_day: 1, tokens_today: 100, usd_today: 0, spent: true });
    const person = await stack.caller({ role: 'agent', name: 'by-hand' });
    expect((await stack.ok<{ task: Task | null }>(person, 'work.task.claim', { phase_id })).task).not.toBeNull();
    await stack.ok(pm, 'work.budget.set', { phase_id });
    expect(((await claim()).data as { task: Task | null }).task).not.toBeNull();
  });

  it('of money stops at the sum of all phases', async () => {
    const stranger = await stack.caller({ tenant: 'initech', name: 'boss', kind: 'human' });
    const phase_id = 2;
    await stack.ok(stranger, 'work.task.create', { description: 'x', phase_id });
    await stack.ok(stranger, 'work.task.create', { description: 'y', phase_id });
    const worker = await stack.caller({ tenant: 'initech', role: 'agent', name: 'runner/1' });
    const { task } = await stack.ok<{ task: Task }>(worker, 'work.task.claim', { phase_id, for_run: true });
    const lease = { task_id: task.id, fencing_token: task.fencing_token };
    const { run } = await stack.ok<Opened>(worker, 'work.run.open', { ...lease, agent: 'claude', host: 'h', with_key: false });
    const end = { run_id: run.id, fencing_token: task.fencing_token, outcome: 'done', usage: { input_tokens: 5, cost_usd: 2.5 } };
    await stack.ok(worker, 'work.run.close', end);
    await stack.ok(stranger, 'work.budget.set', { usd_per_day: 2 });
    expect((await stack.ok<{ task: Task | null }>(worker, 'work.task.claim', { phase_id, for_run: true })).task).toBeNull();
    const usage = (by: string) => stack.ok(stranger, 'work.usage.get', { by });
    const sums = { runs: 1, input_tokens: 5, output_tokens: 0, cost_usd: 2.5 };
    for (const [by, key] of [
      ['agent', 'claude'],
      ['task', task.id],
      ['phase', '2'],
      ['day', new Date().toISOString().slice(0, 10)],
    ] as const)
      expect(await usage(by), by).toMatchObject({ rows: [{ key, ...sums }], total: sums });
  });
});

it('a task that was sent back replays', async () => {
  const { run, phase_id } = await handedIn();
  await review(pm, run.id, 'send_back');
  const { held, runner } = await open(phase_id);
  await stack.ok(runner, 'work.run.close', { ...held, outcome: 'done' });
  await review(pm, held.run_id, 'approve');
  await merged(held.run_id, { commit: 'abcdef1' });
  await eventually('its process has ended', async () => (await taskOf(run.task_id)).status === 'done');
  expect(await replayCourses(stack.temporal.client, 'task', 'task-sent-back')).toBeGreaterThan(0);
});
