import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Briefing, RunEvent, WorkRun } from '../../contracts/work/runs.ts';
import type { Task } from '../../contracts/work/work.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let pm: Caller;
beforeAll(async () => {
  stack = await testStack({ model: false });
  pm = await stack.caller({ name: 'pm', kind: 'human' });
});
afterAll(() => stack?.stop());

type Opened = { run: WorkRun; briefing: Briefing; key: { key_id: string; api_key: string; expires_at: string } | null };
type Standing = { run: WorkRun; task_status: Task['status'] };
type Called = Awaited<ReturnType<TestStack['call']>>;

let phases = 100;
async function freshPhase(fields: Record<string, unknown> = {}): Promise<number> {
  phases += 1;
  await stack.ok(pm, 'work.phase.set', { phase_id: phases, name: `phase ${phases}`, ...fields });
  return phases;
}
const create = async (phase_id: number, fields: Record<string, unknown> = {}): Promise<Task> =>
  (await stack.ok<{ task: Task }>(pm, 'work.task.create', { description: 'Build it\nwith care', phase_id, ...fields })).task;
const taskOf = async (id: string) =>
  (await stack.ok<{ task: Task & { comments: { body: string; run_id: string | null }[] } }>(pm, 'work.task.get', { task_id: id })).task;
const runOf = async (id: string): Promise<WorkRun> => (await stack.ok<{ run: WorkRun }>(pm, 'work.run.get', { run_id: id })).run;
const rows = <T extends Record<string, unknown>>(text: string, values: unknown[]) =>
  asTenant('acme', () => stack.db.query<T>(text, values));
const reason = ({ error }: Called) => [error?.code, error?.details?.['reason']];
const event = (seq: number, text = `step ${seq}`): RunEvent => ({ seq, at: new Date().toISOString(), kind: 'text', text });

let runners = 0;
/** A runner with a claimed task and its open run. */
async function started(given: { phase?: Record<string, unknown>; task?: Record<string, unknown>; lease?: number; open?: object } = {}) {
  const phase_id = await freshPhase(given.phase);
  const task = await create(phase_id, given.task);
  const runner = await stack.caller({ role: 'agent', name: `runner/host/${(runners += 1)}` });
  return { phase_id, task, runner, ...(await begun(runner, phase_id, given)) };
}
async function begun(runner: Caller, phase_id: number, { lease = 60, open = {} }: { lease?: number; open?: object } = {}) {
  const claimed = await stack.ok<{ task: Task }>(runner, 'work.task.claim', { phase_id, lease_seconds: lease });
  const token = claimed.task.fencing_token!;
  const args = {
    task_id: claimed.task.id,
    fencing_token: token,
    agent: 'claude',
    host: 'laptop',
    branch: 'signalbox/x',
    base: 'main',
    ...open,
  };
  const { run, briefing, key } = await stack.ok<Opened>(runner, 'work.run.open', args);
  return { args, run, briefing, key, token, held: { run_id: run.id, fencing_token: token } };
}
/** The lease ends by itself in a second, however long what came before took. */
const runOut = async (runner: Caller, task_id: string, fencing_token: number): Promise<void> => {
  await stack.ok(pm, 'work.task.edit', { task_id, lease_seconds: 1 });
  // Its answer may come when the lease has ended.
  await stack.call(runner, 'work.task.heartbeat', { task_id, fencing_token });
};
const lapse = (id: string) =>
  rows(`update work_tasks set lease_expires_at = now() - interval '1 second' where tenant_id = 'acme' and id = $1`, [id]);

describe('a run', () => {
  it('is opened by the holder of the lease, once, with what its agent must know', async () => {
    const phase = { needs_review: true, setup: ['npm ci'], checks: ['npm test'], merge: 'rebase', done_definitions: ['tested'] };
    const phase_id = await freshPhase(phase);
    const blocker = await create(phase_id, { description: 'First' });
    const runner = await stack.caller({ role: 'agent', name: 'runner/host/blocker' });
    const first = await begun(runner, phase_id);
    await stack.ok(runner, 'work.run.close', { ...first.held, outcome: 'done', summary: 'The API is there.' });
    await stack.ok(pm, 'work.run.review', { run_id: first.run.id, verdict: 'approve' });
    await stack.ok(runner, 'work.run.merged', { run_id: first.run.id, commit: 'abcdef1' });
    const task = await create(phase_id, { blocked_by: [blocker.id], tags: ['api'] });
    await stack.ok(pm, 'work.task.comment', { task_id: task.id, body: 'Mind the tests.' });

    const { run, briefing, args } = await begun(runner, phase_id);
    expect(run).toMatchObject({
      task_id: task.id,
      title: 'Build it',
      state: 'running',
      attempt: 1,
      worker: 'runner/host/blocker',
      events: 0,
    });
    expect(briefing).toMatchObject({
      task: { id: task.id, tags: ['api'], attempt: 1, max_attempts: 3 },
      phase: { ...phase, id: phase_id },
      blockers: [{ id: blocker.id, description: 'First', result: 'The API is there.' }],
      comments: [{ author: 'pm', body: 'Mind the tests.', path: null, line: null }],
      earlier: [],
    });
    const again = await Promise.all([1, 2].map(() => stack.ok<Opened>(runner, 'work.run.open', { ...args, agent: 'codex' })));
    expect(again.map(({ run: { id, agent } }) => [id, agent])).toEqual(Array(2).fill([run.id, 'claude']));
    const told = await rows('select 1 from outbox where tenant_id = $1 and subject = $2 and type = $3', [
      'acme',
      run.id,
      'work.run_opened',
    ]);
    expect(told).toHaveLength(1);
  });

  it('is opened by nobody else, and under no other token', async () => {
    const { args, runner } = await started();
    const other = await stack.caller({ role: 'agent', name: 'somebody' });
    expect(reason(await stack.call(other, 'work.run.open', args))).toEqual(['FORBIDDEN', 'not_yours']);
    expect(reason(await stack.call(runner, 'work.run.open', { ...args, fencing_token: 7 }))).toEqual(['CONFLICT', 'lease_expired']);
    const stranger = await stack.caller({ tenant: 'globex', role: 'agent', name: 'somebody' });
    expect((await stack.call(stranger, 'work.run.open', args)).error?.code).toBe('NOT_FOUND');
  });

  it('keeps each event once, in order, whoever repeats what', async () => {
    const { held, runner, run } = await started();
    const append = (events: RunEvent[], more = {}) =>
      stack.ok<{ next_seq: number }>(runner, 'work.run.append', { ...held, events, ...more });
    await Promise.all([append([event(1), event(2)]), append([event(1), event(2)])]);
    expect(await append([event(5)])).toEqual({ next_seq: 3 });
    expect(
      await append([event(4), event(2, 'another'), event(3)], { usage: { input_tokens: 9, output_tokens: 2, cost_usd: 0.5 } }),
    ).toEqual({
      next_seq: 5,
    });
    // Late: what it says about the usage is old.
    await append([event(1)], { usage: { input_tokens: 3 }, session_id: 'ses-1' });
    const { events } = await stack.ok<{ events: RunEvent[] }>(pm, 'work.run.tail', { run_id: run.id });
    expect(events.map(({ seq, text }) => [seq, text])).toEqual([1, 2, 3, 4].map((seq) => [seq, `step ${seq}`]));
    expect(await runOf(run.id)).toMatchObject({
      events: 4,
      session_id: 'ses-1',
      usage: { input_tokens: 9, output_tokens: 2, cost_usd: 0.5 },
    });
  });

  it('keeps no secret', async () => {
    const { held, runner, run, key } = await started();
    const said = { ...event(1, `I use ${key!.api_key}`), data: { command: `curl -H "x-api-key: ${key!.api_key}"`, password: 'hunter22' } };
    await stack.ok(runner, 'work.run.append', { ...held, events: [said] });
    await stack.ok(runner, 'work.run.close', { ...held, outcome: 'question', reason: `Is ${key!.api_key} right?`, summary: key!.api_key });
    const kept = [
      await rows('select text, data from work_run_events where tenant_id = $1 and run_id = $2', ['acme', run.id]),
      await runOf(run.id),
      (await taskOf(run.task_id)).comments,
    ];
    expect(JSON.stringify(kept)).not.toMatch(/sb_[A-Za-z0-9_-]{20}|hunter22/);
    expect(JSON.stringify(kept)).toContain('I use [removed]');
  });

  it('keeps its beginning and its end, and says what is missing', async () => {
    const { held, runner, run } = await started();
    const long = 'x'.repeat(7_900);
    let next = 1;
    for (let batch = 0; batch < 5; batch += 1) {
      const events = Array.from({ length: 200 }, (_, i) => event(next + i, `${next + i} ${long}`));
      ({ next_seq: next } = await stack.ok<{ next_seq: number }>(runner, 'work.run.append', { ...held, events }));
    }
    expect(next).toBe(1_001);
    const all: RunEvent[] = [];
    for (let after = 0; ;) {
      const page = await stack.ok<{ events: RunEvent[]; after: number }>(pm, 'work.run.tail', { run_id: run.id, after, limit: 500 });
      if (page.events.length === 0) break;
      all.push(...page.events);
      ({ after } = page);
    }
    const notice = all.find(({ kind }) => kind === 'notice')!;
    const missing = notice.data!['missing'] as number;
    expect(all).toHaveLength(1_000 - missing + 1);
    expect(missing).toBeGreaterThan(300);
    expect([all[0]!.seq, all.at(-1)!.seq]).toEqual([1, 1_000]);
    expect(all.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq).toSorted((a, b) => a - b));
    const [size] = await rows<{ n: number }>('select sum(bytes)::int as n from work_run_events where tenant_id = $1 and run_id = $2', [
      'acme',
      run.id,
    ]);
    expect(size!.n).toBeLessThanOrEqual(5_000_000);
  });
});

describe('the end of a run', () => {
  it('completes the task once, for whoever repeats it', async () => {
    const { held, runner, run, task } = await started();
    const end = {
      ...held,
      outcome: 'done',
      summary: 'Built.',
      head_commit: 'abcdef1',
      commits: 2,
      files_changed: 3,
      insertions: 40,
      deletions: 4,
    };
    const checks = [{ command: 'npm test', exit_code: 0, seconds: 3, output: 'ok' }];
    const close = () => stack.ok<Standing>(runner, 'work.run.close', { ...end, checks, usage: { input_tokens: 100, cost_usd: 0.02 } });
    const [one, other] = await Promise.all([close(), close()]);
    expect(one).toMatchObject({
      task_status: 'done',
      run: { state: 'completed', outcome: 'done', commits: 2, checks, usage: { input_tokens: 100 } },
    });
    expect(other).toEqual(one);
    expect(await close()).toEqual(one);
    expect(await taskOf(task.id)).toMatchObject({ status: 'done', result: 'Built.', ended_as: 'holder' });
    expect(reason(await stack.call(runner, 'work.run.close', { ...held, outcome: 'failed' }))).toEqual(['CONFLICT', 'closed']);
    const told = await rows('select 1 from outbox where tenant_id = $1 and subject = $2 and type = $3', ['acme', run.id, 'work.run_ended']);
    expect(told).toHaveLength(1);
  });

  it.each([
    ['failed', { outcome: 'failed', reason: 'no' }, 'ready', 'returned', 1, 0],
    ['failed for good', { outcome: 'failed', reason: 'no', retry: false }, 'failed', 'failed', 1, 0],
    ['released', { outcome: 'released' }, 'ready', 'returned', 0, 0],
    ['blocked', { outcome: 'blocked', reason: 'No network' }, 'failed', 'failed', 1, 1],
    ['a question', { outcome: 'question', reason: 'Which one?' }, 'failed', 'failed', 1, 1],
  ])('%s', async (_name, end, status, state, attempts, comments) => {
    const { held, runner, task } = await started();
    const closed = await stack.ok<Standing>(runner, 'work.run.close', { ...held, ...end });
    expect(closed).toMatchObject({ task_status: status, run: { state } });
    const now = await taskOf(task.id);
    expect(now).toMatchObject({ status, attempts });
    expect(now.comments.map(({ body, run_id }) => [body, run_id])).toEqual(
      comments ? [[(end as { reason: string }).reason, closed.run.id]] : [],
    );
    expect(await stack.ok<Standing>(runner, 'work.run.close', { ...held, ...end })).toEqual(closed);
    expect((await taskOf(task.id)).comments).toHaveLength(comments);
  });

  it('that was written but never reached the task is made good by a repeat', async () => {
    const { held, runner, run, task } = await started();
    const end = { ...held, outcome: 'done', summary: 'Built.' };
    const killed = new Error('killed');
    const { changes } = stack.services.work;
    const complete = changes.complete.bind(changes);
    changes.complete = () => Promise.reject(killed);
    expect((await stack.call(runner, 'work.run.close', end)).error?.code).toBe('INTERNAL');
    changes.complete = complete;
    expect(await runOf(run.id)).toMatchObject({ state: 'running', outcome: 'done' });
    expect((await taskOf(task.id)).status).toBe('in_progress');
    expect(reason(await stack.call(runner, 'work.run.close', { ...held, outcome: 'failed' }))).toEqual(['CONFLICT', 'closed']);
    expect(await stack.ok(runner, 'work.run.close', end)).toMatchObject({ task_status: 'done', run: { state: 'completed' } });
  });

  it('that never reached the task is lost with the lease, and completes nothing', async () => {
    const { held, runner, run, task, phase_id } = await started();
    const { changes } = stack.services.work;
    const complete = changes.complete.bind(changes);
    changes.complete = () => Promise.reject(new Error('killed'));
    await stack.call(runner, 'work.run.close', { ...held, outcome: 'done' });
    changes.complete = complete;
    await runOut(runner, task.id, held.fencing_token);
    await eventually('the lease ends', async () => (await taskOf(task.id)).status === 'ready');
    expect(await runOf(run.id)).toMatchObject({ state: 'lost', outcome: 'done' });
    expect(reason(await stack.call(runner, 'work.run.close', { ...held, outcome: 'done' }))).toEqual(['CONFLICT', 'lease_expired']);
    expect(reason(await stack.call(runner, 'work.run.append', { ...held, events: [event(1)] }))).toEqual(['CONFLICT', 'lease_expired']);
    const next = await begun(await stack.caller({ role: 'agent', name: 'runner/host/next' }), phase_id);
    expect(next.briefing.earlier.map(({ id, state }) => [id, state])).toEqual([[run.id, 'lost']]);
    expect(reason(await stack.call(runner, 'work.run.close', { ...held, outcome: 'done' }))).toEqual(['CONFLICT', 'lease_expired']);
    expect(await runOf(next.run.id)).toMatchObject({ state: 'running' });
    expect((await taskOf(task.id)).status).toBe('in_progress');
  });

  it('is refused under a lease that lapsed, before its process notices', async () => {
    const { held, runner, run, task } = await started();
    await lapse(task.id);
    expect((await runOf(run.id)).state).toBe('lost');
    expect((await stack.call(runner, 'work.run.close', { ...held, outcome: 'done' })).error?.code).toBe('CONFLICT');
  });

  it('of a lost run is noted by the sweep, told once, and found by its state', async () => {
    const { runner, run, task, held, phase_id } = await started();
    await runOut(runner, task.id, held.fencing_token);
    await eventually('the lease ends', async () => (await taskOf(task.id)).status === 'ready');
    const tend = (days: number) => asTenant('acme', () => stack.services.work.runs.tend('acme', days));
    await Promise.all([tend(90), tend(90)]);
    const { runs } = await stack.ok<{ runs: WorkRun[] }>(pm, 'work.run.list', { phase_id, state: 'lost' });
    expect(runs.map(({ id, ended_at }) => [id, typeof ended_at])).toEqual([[run.id, 'string']]);
    expect(await rows('select final from work_runs where tenant_id = $1 and id = $2', ['acme', run.id])).toEqual([{ final: 'lost' }]);
    const told = await rows('select 1 from outbox where tenant_id = $1 and subject = $2 and type = $3', ['acme', run.id, 'work.run_ended']);
    expect(told).toHaveLength(1);
  });

  it('keeps what its agent said for a time', async () => {
    const { held, runner, run } = await started();
    await stack.ok(runner, 'work.run.append', { ...held, events: [event(1), event(2)] });
    await stack.ok(runner, 'work.run.close', { ...held, outcome: 'done' });
    const tend = () => asTenant('acme', () => stack.services.work.runs.tend('acme', 90));
    const events = async () => (await stack.ok<{ events: RunEvent[] }>(pm, 'work.run.tail', { run_id: run.id })).events.length;
    await tend();
    expect(await events()).toBe(2);
    await rows(
      `update work_runs set started_at = now() - interval '91 days', ended_at = now() - interval '91 days' where tenant_id = $1 and id = $2`,
      ['acme', run.id],
    );
    expect([await tend(), await tend(), await events()]).toEqual([1, 0, 0]);
    expect(await runOf(run.id)).toMatchObject({ state: 'completed', events: 2 });
  });

  it('is nobody else’s', async () => {
    const { held } = await started();
    const other = await stack.caller({ role: 'agent', name: 'thief' });
    for (const [tool, args] of [
      ['work.run.append', { events: [event(1)] }],
      ['work.run.close', { outcome: 'done' }],
    ] as const)
      expect(reason(await stack.call(other, tool, { ...held, ...args })), tool).toEqual(['FORBIDDEN', 'not_yours']);
    const stranger = await stack.caller({ tenant: 'globex', role: 'agent', name: 'thief' });
    for (const tool of ['work.run.get', 'work.run.tail'])
      expect((await stack.call(stranger, tool, { run_id: held.run_id })).error?.code, tool).toBe('NOT_FOUND');
  });
});

describe('the key of a run', () => {
  const authenticate = (key: Opened['key']) => stack.services.governance.keys.authenticate(key!.api_key);

  it('reads, comments and remembers, and moves no task', async () => {
    const { key, task, held, args, phase_id } = await started();
    const agent = (await authenticate(key))!;
    expect(agent).toMatchObject({ role: 'agent', run: held.run_id, profile: 'worker' });
    const listed = (await stack.pipeline.list(agent, 'worker')).map(({ name }) => name);
    expect(listed).toEqual(expect.arrayContaining(['work.task.get', 'work.task.comment', 'substrate.artifact.upload', 'system.tool.call']));
    expect(listed.filter((name) => /claim|complete|fail|release|heartbeat|run/.test(name))).toEqual([]);
    await stack.ok(agent, 'work.task.get', { task_id: task.id });
    await stack.ok(agent, 'work.task.comment', { task_id: task.id, body: 'Found it.' });
    await stack.ok(agent, 'memory.record.save', { content: 'The build needs Node 24.', category: 'decision' });
    await stack.ok(agent, 'system.tool.call', { name: 'work.run.get', arguments: { run_id: held.run_id } });
    const lease = { task_id: task.id, fencing_token: held.fencing_token };
    for (const [tool, input] of [
      ['work.task.claim', { phase_id }],
      ['work.task.complete', lease],
      ['work.task.fail', { ...lease, reason: 'x' }],
      ['work.task.release', lease],
      ['work.task.heartbeat', lease],
      ['work.task.update_status', { ...lease, status: 'done' }],
      ['work.task.create', { description: 'x', phase_id }],
      ['work.run.open', args],
      ['work.run.close', { ...held, outcome: 'done' }],
      ['access.key.create', { name: 'more' }],
    ] as const)
      expect((await stack.call(agent, tool, input)).error?.code, tool).toBe('FORBIDDEN');
  });

  it('ends with the run', async () => {
    const { key, runner, held } = await started();
    const agent = (await authenticate(key))!;
    await stack.ok(runner, 'work.run.close', { ...held, outcome: 'released' });
    expect(await authenticate(key)).toBeNull();
    // Another process still knows the key for a moment.
    stack.services.governance.policies.forget();
    expect((await stack.call(agent, 'work.board.get')).error).toMatchObject({ code: 'UNAUTHORIZED', details: { reason: 'run_ended' } });
  });

  it('ends with a lease that lapsed', async () => {
    const { key, task } = await started();
    const agent = (await authenticate(key))!;
    await stack.ok(agent, 'work.board.get');
    await lapse(task.id);
    stack.services.governance.policies.forget();
    expect((await stack.call(agent, 'work.board.get')).error?.code).toBe('UNAUTHORIZED');
  });

  it('is made anew when the run is opened again, and never allows more than that of the runner', async () => {
    const { key, runner, args } = await started();
    const again = await stack.ok<Opened>(runner, 'work.run.open', args);
    expect(await authenticate(key)).toBeNull();
    expect(await authenticate(again.key)).not.toBeNull();
    expect((await stack.ok<Opened>(runner, 'work.run.open', { ...args, with_key: false })).key).toBeNull();

    const phase_id = await freshPhase();
    await create(phase_id);
    const narrow = await stack.caller({ role: 'agent', name: 'narrow', scopes: ['work:read', 'work:write'] });
    const { key: small } = await begun(narrow, phase_id);
    expect((await authenticate(small))!.scopes).toEqual(['work:read', 'work:comment']);
  });

  it('is kept in no stored answer', async () => {
    const { runner, args } = await started();
    const open = () => stack.call(runner, 'work.run.open', args, { idempotencyKey: 'open-1' });
    const key = ((await open()).data as Opened).key!;
    expect(((await open()).data as Opened).key).toBeNull();
    const kept = await rows('select * from idempotency_records where tenant_id = $1', ['acme']);
    expect(JSON.stringify(kept)).not.toContain(key.api_key);
  });
});
