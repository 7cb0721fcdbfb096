/** Runs of external drivers: guarded transitions, steps without gaps, checkpoints to continue from, and the ledger's view. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Checkpoint, Run, RunCall, RunDetail, RunStep, RunTotals } from '../../contracts/substrate/runs.ts';
import type { Uploaded } from '../../contracts/substrate/substrate.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let agent: Caller;
let other: Caller;
beforeAll(async () => {
  stack = await testStack({ workers: false, model: false });
  agent = await stack.caller({ name: 'builder', kind: 'agent' });
  other = await stack.caller({ tenant: 'globex', name: 'hank' });
});
afterAll(() => stack?.stop());

interface Detail {
  run: RunDetail;
  steps: RunStep[];
  totals: RunTotals;
  calls: RunCall[];
}
const open = async (args: object = {}, caller = agent): Promise<string> =>
  (await stack.ok<{ run_id: string }>(caller, 'run.record.create', { name: 'nightly', ...args })).run_id;
const started = async (args: object = {}): Promise<string> => {
  const run = await open(args);
  await stack.ok(agent, 'run.record.start', { run_id: run });
  return run;
};
const get = (run: string, args: object = {}, caller = agent) => stack.ok<Detail>(caller, 'run.record.get', { run_id: run, ...args });
const conflict = (status: string) => ({ code: 'CONFLICT', details: { status } });

describe('the life of a run', () => {
  it('goes from created over running to its end, told to those who follow', async () => {
    const parent = await started({ name: 'parent' });
    const made = await stack.call(agent, 'run.create', { name: 'child', kind: 'build', parent_run_id: parent, input: { pages: [1, 2] } });
    const { run_id, status } = made.data as { run_id: string; status: string };
    expect(status).toBe('created');
    expect(made.envelope.refs).toEqual([{ type: 'run', id: run_id }]);
    expect(await stack.ok<Run>(agent, 'run.start', { run_id })).toMatchObject({ status: 'running', parent_run_id: parent });
    const ended = await stack.ok<RunDetail>(agent, 'run.complete', { run_id, status: 'completed', outputs: { pages: 2 } });
    expect(ended).toMatchObject({ status: 'completed', kind: 'build', input: { pages: [1, 2] }, outputs: { pages: 2 }, error: null });
    const detail = await get(run_id);
    expect(detail.run).toEqual(ended);
    expect(detail.totals).toMatchObject({ steps: 0, checkpoints: 0, children: 0 });
    expect(detail.totals.duration_ms).toBe(Date.parse(ended.finished_at!) - Date.parse(ended.started_at!));
    expect((await get(parent)).totals.children).toBe(1);
    const events = await asTenant('acme', () =>
      stack.db.query<{ type: string; data: object }>(
        'select type, data from outbox where tenant_id = $1 and subject = $2 order by xid, id',
        ['acme', run_id],
      ),
    );
    expect(events.map((event) => event.type)).toEqual(['run.created', 'run.started', 'run.completed']);
    expect(events[2]!.data).toEqual({ name: 'child', kind: 'build', parent_run_id: parent, status: 'completed' });
  });

  it('answers a repeat and refuses what does not follow', async () => {
    const run = await open();
    const refusedStart = await stack.call(agent, 'run.record.complete', { run_id: run, status: 'completed' });
    expect(refusedStart.error).toMatchObject(conflict('created'));
    expect((await stack.call(agent, 'run.step.log', { run_id: run, step: 'early' })).error).toMatchObject(conflict('created'));
    await stack.ok(agent, 'run.record.start', { run_id: run });
    expect((await stack.call(agent, 'run.record.start', { run_id: run })).envelope.warnings).toEqual(['It was running already.']);
    const ending = { run_id: run, status: 'failed', error: 'disk full', outputs: { a: 1, b: [null] } };
    const first = await stack.ok<RunDetail>(agent, 'run.record.complete', ending);
    expect(await stack.ok(agent, 'run.record.complete', { ...ending, outputs: { b: [null], a: 1 } })).toEqual(first);
    for (const otherEnding of [
      { ...ending, status: 'cancelled' },
      { ...ending, error: 'other' },
      { ...ending, outputs: {} },
    ]) {
      expect((await stack.call(agent, 'run.record.complete', otherEnding)).error).toMatchObject(conflict('failed'));
    }
    expect((await stack.call(agent, 'run.record.start', { run_id: run })).error).toMatchObject(conflict('failed'));
    expect((await stack.call(agent, 'run.step.log', { run_id: run, step: 'late' })).error).toMatchObject(conflict('failed'));
    expect((await stack.call(agent, 'run.checkpoint.save', { run_id: run, state: 1 })).error).toMatchObject(conflict('failed'));
    const cancelled = await open();
    expect(await stack.ok(agent, 'run.record.complete', { run_id: cancelled, status: 'cancelled' })).toMatchObject({ status: 'cancelled' });
    const wrong = await stack.call(agent, 'run.record.complete', { run_id: await started(), status: 'completed', error: 'but' });
    expect(wrong.error).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('ends in one way, also with concurrent ends', async () => {
    const run = await started();
    const endings = ['completed', 'failed', 'cancelled', 'completed', 'failed', 'cancelled'];
    const answers = await Promise.all(endings.map((status) => stack.call(agent, 'run.record.complete', { run_id: run, status })));
    const { status } = (await get(run)).run;
    answers.forEach((answer, i) => {
      if (endings[i] === status) expect(answer.error).toBeUndefined();
      else expect(answer.error).toMatchObject(conflict(status));
    });
    const [told] = await asTenant('acme', () =>
      stack.db.query<{ n: number }>(
        `select count(*)::int as n from outbox where tenant_id = $1 and subject = $2 and data->>'status' in ('completed', 'failed', 'cancelled')`,
        ['acme', run],
      ),
    );
    expect(told!.n).toBe(1);
  });

  it('begins once under one idempotency key', async () => {
    const key = randomUUID();
    const made = await Promise.all(
      Array.from({ length: 4 }, () => stack.call(agent, 'run.record.create', { name: 'once', kind: key }, { idempotencyKey: key })),
    );
    expect(new Set(made.map((answer) => (answer.data as { run_id: string }).run_id)).size).toBe(1);
    expect((await stack.ok<{ runs: Run[] }>(agent, 'run.record.list', { kind: key })).runs).toHaveLength(1);
  });

  it('is listed newest first, by status, kind and parent, in pages', async () => {
    const kind = `k-${randomUUID()}`;
    const parent = await started();
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift(i % 2 ? await started({ kind, parent_run_id: parent }) : await open({ kind }));
    const first = await stack.call(agent, 'run.record.list', { kind, limit: 3 });
    const rest = await stack.call(agent, 'run.record.list', { kind, limit: 3, cursor: first.envelope.metadata.next_cursor });
    expect([first, rest].flatMap((answer) => (answer.data as { runs: Run[] }).runs.map((run) => run.run_id))).toEqual(ids);
    expect((await stack.ok<{ runs: Run[] }>(agent, 'run.record.list', { kind, status: 'running' })).runs).toHaveLength(2);
    expect((await stack.ok<{ runs: Run[] }>(agent, 'run.record.list', { parent_run_id: parent })).runs).toHaveLength(2);
  });
});

describe('steps', () => {
  it('are numbered without gaps, also with concurrent writers', async () => {
    const run = await started();
    const second = await stack.caller({ name: 'second', kind: 'agent' });
    const logged = await Promise.all(
      Array.from({ length: 120 }, (_, i) =>
        stack.ok<{ step_id: string; seq: number }>(i % 2 ? agent : second, 'run.log_step', {
          run_id: run,
          step: `step ${i}`,
          ...(i % 3 ? {} : { status: 'ok', data: { i }, refs: [{ type: 'entity', id: `e${i}` }] }),
        }),
      ),
    );
    expect(logged.map((step) => step.seq).sort((a, b) => a - b)).toEqual(Array.from({ length: 120 }, (_, i) => i + 1));
    const seen: RunStep[] = [];
    let cursor: string | undefined;
    do {
      const answer = await stack.call(agent, 'run.record.get', { run_id: run, limit: 25, cursor });
      seen.push(...(answer.data as Detail).steps);
      expect(answer.envelope.metadata.total_count).toBe(120);
      cursor = answer.envelope.metadata.next_cursor;
    } while (cursor !== undefined);
    expect(seen.map((step) => step.seq)).toEqual(Array.from({ length: 120 }, (_, i) => i + 1));
    const third = seen.find((step) => step.step === 'step 3')!;
    expect(third).toMatchObject({ status: 'ok', data: { i: 3 }, refs: [{ type: 'entity', id: 'e3' }], logged_by: 'builder' });
  });

  it('are logged once by a repeat, even one that comes after the end', async () => {
    const run = await started();
    const { progress } = stack.services.runs;
    const log = () => asTenant('acme', () => progress.log(agent, run, { step: 'once', refs: [] }, 'call-1'));
    const [a, b] = await Promise.all([log(), log()]);
    expect(a).toEqual(b);
    await stack.ok(agent, 'run.record.complete', { run_id: run, status: 'completed' });
    expect(await log()).toEqual(a);
    expect((await get(run)).totals.steps).toBe(1);
  });

  it('take no NUL, no half characters and nothing too large', async () => {
    const run = await started();
    for (const data of [{ a: 'x\0' }, ['\ud800'], 'x'.repeat(70_000)]) {
      expect((await stack.call(agent, 'run.step.log', { run_id: run, step: 's', data })).error).toMatchObject({ code: 'VALIDATION_ERROR' });
    }
    expect((await get(run)).totals.steps).toBe(0);
  });
});

describe('checkpoints', () => {
  it('give back the latest state, or a certain one, or the artifact that holds it', async () => {
    const run = await started();
    const read = (args: object = {}) => stack.ok<{ checkpoint: Checkpoint }>(agent, 'run.checkpoint.get', { run_id: run, ...args });
    expect((await stack.call(agent, 'run.checkpoint.get', { run_id: run })).error).toMatchObject({ code: 'NOT_FOUND' });
    const one = await stack.ok<{ checkpoint_id: string }>(agent, 'run.checkpoint', { run_id: run, label: 'a', state: { page: 1 } });
    const two = await stack.ok<{ checkpoint_id: string; seq: number }>(agent, 'run.checkpoint.save', { run_id: run, state: { page: 2 } });
    expect(two.seq).toBe(2);
    expect((await read()).checkpoint).toMatchObject({ checkpoint_id: two.checkpoint_id, state: { page: 2 }, state_ref: null });
    expect((await read({ checkpoint_id: one.checkpoint_id })).checkpoint).toMatchObject({
      label: 'a',
      state: { page: 1 },
      saved_by: 'builder',
    });
    const { sha256 } = await stack.ok<Uploaded>(agent, 'substrate.artifact.upload', { content: 'big', media_type: 'text/plain' });
    await stack.ok(agent, 'run.checkpoint.save', { run_id: run, state_ref: sha256 });
    const { checkpoint } = await read();
    expect(checkpoint).toMatchObject({ seq: 3, state_ref: sha256 });
    expect(checkpoint).not.toHaveProperty('state');
    await stack.ok(agent, 'run.record.complete', { run_id: run, status: 'failed', error: 'crash' });
    expect((await read()).checkpoint.seq).toBe(3);
  });

  it('take a megabyte and no more, and state or a reference, not both', async () => {
    const run = await started();
    const save = (args: object) => stack.call(agent, 'run.checkpoint.save', { run_id: run, ...args });
    const mb = 1_048_576;
    expect((await save({ state: 'x'.repeat(mb - 2) })).error).toBeUndefined();
    expect((await save({ state: 'x'.repeat(mb) })).error).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await save({})).error).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await save({ state: 1, state_ref: 'a'.repeat(64) })).error).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await save({ state_ref: 'a'.repeat(64) })).error).toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('what the ledger has of a run', () => {
  it('are the calls that named it', async () => {
    const run = await started();
    await started();
    await stack.ok(agent, 'run.step.log', { run_id: run, step: 'one' });
    await stack.ok(agent, 'run.checkpoint.save', { run_id: run, state: {} });
    // Asking again and again would crowd out what is asked for.
    await stack.services.governance.ledger.close();
    const found = await get(run);
    const calls = { own: found.calls.filter((call) => call.tool !== 'run.record.get'), total: found.totals.calls };
    expect(calls.own.map((call) => call.tool).sort()).toEqual([
      'run.checkpoint.save',
      'run.record.create',
      'run.record.start',
      'run.step.log',
    ]);
    expect(calls.total).toBeGreaterThanOrEqual(4);
    for (const call of calls.own) expect(call).toMatchObject({ principal: 'builder', status: 'success', duration_ms: expect.any(Number) });
  });
});

describe('another tenant', () => {
  it('finds no run of ours, and makes none under it', async () => {
    const run = await started();
    const { checkpoint_id } = await stack.ok<{ checkpoint_id: string }>(agent, 'run.checkpoint.save', { run_id: run, state: 1 });
    const asked: [string, object][] = [
      ['run.record.get', {}],
      ['run.record.start', {}],
      ['run.record.complete', { status: 'cancelled' }],
      ['run.step.log', { step: 'x' }],
      ['run.checkpoint.save', { state: 2 }],
      ['run.checkpoint.get', { checkpoint_id }],
    ];
    for (const [tool, args] of asked) {
      expect((await stack.call(other, tool, { run_id: run, ...args })).error, tool).toMatchObject({ code: 'NOT_FOUND' });
    }
    expect((await stack.call(other, 'run.record.create', { name: 'x', parent_run_id: run })).error).toMatchObject({ code: 'NOT_FOUND' });
    expect((await stack.ok<{ runs: Run[] }>(other, 'run.record.list')).runs).toEqual([]);
  });
});
