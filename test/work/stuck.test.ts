/** Agents that get nowhere: noted on their runs by what they say and by their silence, told once, taken back by progress. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Event } from '../../contracts/outbound/events.ts';
import type { RunEvent, WorkRun } from '../../contracts/work/runs.ts';
import type { Phase, Task } from '../../contracts/work/work.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let pm: Caller;
beforeAll(async () => {
  stack = await testStack({ model: false });
  pm = await stack.caller({ name: 'pm', kind: 'human' });
});
afterAll(() => stack?.stop());

let phases = 200;
async function started(phase: Partial<Phase> = {}, lease = 3_600) {
  phases += 1;
  await stack.ok(pm, 'work.phase.set', { phase_id: phases, name: `phase ${phases}`, ...phase });
  await stack.ok(pm, 'work.task.create', { description: 'Build it', phase_id: phases });
  const runner = await stack.caller({ role: 'agent', name: `runner/${phases}` });
  const { task } = await stack.ok<{ task: Task }>(runner, 'work.task.claim', { phase_id: phases, lease_seconds: lease });
  const held = { fencing_token: task.fencing_token! };
  const { run } = await stack.ok<{ run: WorkRun }>(runner, 'work.run.open', { ...held, task_id: task.id, agent: 'claude', host: 'laptop' });
  let seq = 0;
  const of = (kind: RunEvent['kind'], text: string): RunEvent => ({ seq: (seq += 1), at: new Date().toISOString(), kind, text });
  const append = (events: RunEvent[]) => stack.ok(runner, 'work.run.append', { ...held, run_id: run.id, events });
  return {
    phase_id: phases,
    task,
    runner,
    run,
    held,
    of,
    append,
    step: (command: string, result: string) => [of('tool', command), of('tool_result', result)],
  };
}
const runOf = async (id: string): Promise<WorkRun> => (await stack.ok<{ run: WorkRun }>(pm, 'work.run.get', { run_id: id })).run;
const told = async (task: string): Promise<Event[]> =>
  (await stack.ok<{ events: Event[] }>(pm, 'event.stream.subscribe', { after: 'oldest', types: ['work.task_stuck'], subject: task }))
    .events;
const sweep = () => asTenant('acme', () => stack.services.work.runs.tend('acme', 90));
/** As if the run had begun and spoken so long ago. */
const age = (run: string, minutes: number) =>
  asTenant('acme', () =>
    stack.db.query(
      `update work_runs set started_at = started_at - make_interval(mins => $2), moved_at = moved_at - make_interval(mins => $2),
         last_event_at = last_event_at - make_interval(mins => $2) where tenant_id = 'acme' and id = $1`,
      [run, minutes],
    ),
  );

describe('a run without output', () => {
  it('is noted once by sweeps at the same time, told, and goes on with its next output', async () => {
    const { run, task, append, of, runner, held } = await started();
    await append([of('text', 'I begin.')]);
    await sweep();
    expect((await runOf(run.id)).stuck).toBeNull();
    await age(run.id, 11);
    await Promise.all([sweep(), sweep(), sweep()]);
    expect((await runOf(run.id)).stuck).toMatchObject({ reason: 'no_output', detail: null });
    const [event, ...more] = await told(task.id);
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      type: 'work.task_changed',
      name: 'work.task_stuck',
      data: { change: 'stuck', reason: 'no_output', run_id: run.id, status: 'in_progress', token: null },
    });
    // Nothing was ended; an append without events is no output.
    await append([]);
    expect((await runOf(run.id)).stuck).toMatchObject({ reason: 'no_output' });
    await append([of('text', 'There it is.')]);
    expect(await runOf(run.id)).toMatchObject({ state: 'running', stuck: null });
    await sweep();
    expect(await told(task.id)).toHaveLength(1);
    // Silent once more: told once more.
    await age(run.id, 11);
    await sweep();
    expect(await told(task.id)).toHaveLength(2);
    await stack.ok(runner, 'work.run.close', { ...held, run_id: run.id, outcome: 'done' });
    expect(await runOf(run.id)).toMatchObject({ state: 'completed', stuck: null });
  });

  it('whose lease is kept by heartbeats makes no progress', async () => {
    const { run, task, held, runner } = await started();
    await age(run.id, 11);
    await stack.ok(runner, 'work.task.heartbeat', { task_id: task.id, ...held });
    await sweep();
    expect((await runOf(run.id)).stuck).toMatchObject({ reason: 'no_progress' });
    expect((await told(task.id)).map(({ data }) => data['reason'])).toEqual(['no_progress']);
  });

  it('is stuck when its phase says so, and never where the phase says 0', async () => {
    const patient = await started({ stuck_minutes: 60 });
    const never = await started({ stuck_minutes: 0 });
    await age(patient.run.id, 50);
    await age(never.run.id, 5_000);
    await sweep();
    expect((await runOf(patient.run.id)).stuck).toBeNull();
    await age(patient.run.id, 11);
    await sweep();
    expect((await runOf(patient.run.id)).stuck).not.toBeNull();
    expect((await runOf(never.run.id)).stuck).toBeNull();
    // Back to the default.
    await stack.ok(pm, 'work.phase.set', { phase_id: never.phase_id, stuck_minutes: null });
    await sweep();
    expect((await runOf(never.run.id)).stuck).not.toBeNull();
  });

  it('whose lease has ended is lost, not stuck, and so is one that was closed', async () => {
    const lost = await started();
    await age(lost.run.id, 60);
    await asTenant('acme', () =>
      stack.db.query(`update work_tasks set lease_expires_at = now() - interval '1 second' where tenant_id = 'acme' and id = $1`, [
        lost.task.id,
      ]),
    );
    const closed = await started({ needs_review: true });
    await stack.ok(closed.runner, 'work.run.close', { ...closed.held, run_id: closed.run.id, outcome: 'done' });
    await age(closed.run.id, 60);
    await sweep();
    expect(await told(lost.task.id)).toEqual([]);
    expect(await told(closed.task.id)).toEqual([]);
  });

  it('is not noted when output comes while the sweep waits for its row', async () => {
    const { run, task } = await started();
    await age(run.id, 11);
    let sweeping: Promise<unknown> = Promise.resolve();
    await asTenant('acme', () =>
      stack.db.transaction(async (query) => {
        await query(`select 1 from work_runs where tenant_id = 'acme' and id = $1 for update`, [run.id]);
        sweeping = asTenant('acme', () => stack.services.work.runs.tend('acme', 90));
        for (let waits = false; !waits;) {
          const rows = await stack.db.query<{ n: number }>(
            `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%no_progress%'`,
          );
          waits = rows[0]!.n > 0;
        }
        await query(`update work_runs set moved_at = now() where tenant_id = 'acme' and id = $1`, [run.id]);
      }),
    );
    await sweeping;
    expect((await runOf(run.id)).stuck).toBeNull();
    expect(await told(task.id)).toEqual([]);
  });
});

describe('a run that repeats a step', () => {
  it('is noted at the fifth time, told once, and cleared by another step', async () => {
    const { run, task, append, step } = await started();
    for (let n = 1; n <= 4; n += 1) await append(step('shell npm test', '1 failed'));
    expect((await runOf(run.id)).stuck).toBeNull();
    const fifth = step('shell npm test', '1 failed');
    // The same append by two senders, one of which is a repeat.
    await Promise.all([append(fifth), append(fifth)]);
    expect((await runOf(run.id)).stuck).toMatchObject({ reason: 'repeating', detail: '5 times: shell npm test' });
    await append(step('shell npm test', '1 failed'));
    expect((await runOf(run.id)).stuck).toMatchObject({ detail: '6 times: shell npm test' });
    // Silence on top of it is not told again.
    await age(run.id, 30);
    await sweep();
    expect((await told(task.id)).map(({ data }) => [data['reason'], data['detail']])).toEqual([['repeating', '5 times: shell npm test']]);
    await append(step('shell npm run build', 'built'));
    expect((await runOf(run.id)).stuck).toBeNull();
    const { runs } = await stack.ok<{ runs: WorkRun[] }>(pm, 'work.run.list', { task_id: task.id });
    expect(runs[0]!.stuck).toBeNull();
  });

  it('counts as the phase says', async () => {
    const twice = await started({ stuck_repeats: 2 });
    const never = await started({ stuck_repeats: 0 });
    for (const { append, step } of [twice, never]) for (let n = 0; n < 8; n += 1) await append(step('shell npm test', 'no'));
    expect((await runOf(twice.run.id)).stuck).toMatchObject({ reason: 'repeating', detail: '8 times: shell npm test' });
    expect((await runOf(never.run.id)).stuck).toBeNull();
    expect(await told(twice.task.id)).toHaveLength(1);
  });
});
