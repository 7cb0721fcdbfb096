/** system.overview.get: its counts are those of the lists, of one tenant. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { InboxCounts } from '../../contracts/inbox.ts';
import type { Overview } from '../../contracts/overview.ts';
import { stuckReasons } from '../../contracts/work/work.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let ann: Awaited<ReturnType<TestStack['caller']>>;
const sql = (text: string, values: unknown[] = []) => asTenant('acme', () => stack.db.query(text, values));

beforeAll(async () => {
  stack = await testStack({ workers: false, model: false });
  ann = await stack.caller({ name: 'ann' });
  await sql(`insert into work_tasks (tenant_id, id, description, phase_id, priority, priority_rank, status, created_by, lease_seconds, max_attempts, lease_expires_at)
    select 'acme', 'task_' || s || n, 'work', 1, 'high', 0, s, 'ann', 60, 3,
      case when s = 'in_progress' then now() + make_interval(secs => case when n = 1 then -60 else 600 end) end
    from unnest(array['blocked', 'ready', 'in_progress', 'review', 'done', 'failed']) with ordinality as t (s, o), generate_series(1, o::int) n`);
  await sql(`insert into work_task_dependencies (tenant_id, task_id, blocker_id) values ('acme', 'task_blocked1', 'task_failed1')`);
  await sql(`insert into agents (tenant_id, id, kind, agent_type, name, registered_by, key_id, health, admin_status)
    select 'acme', 'a-' || h || s, 'managed', 'worker', h, 'ann', 'k', h, s
    from unnest(array['healthy', 'unhealthy', 'offline', 'none']) h, unnest(array['active', 'paused']) s`);
  await sql(`insert into agent_outputs (tenant_id, id, agent_id, agent_version, kind, title, content, status)
    select 'acme', 'out_' || n, 'a-healthyactive', 1, 'text', 't', 'c', case when n <= 3 then 'pending' else 'accepted' end from generate_series(1, 5) n`);
  await sql(`insert into dlq_items (tenant_id, id, job_id, workflow_id, title, stage, step, error_code, error, attempts, status)
    select 'acme', 'dlq_' || n, 'job_1', 'w', 't', 'extraction', 'parse', 'INTERNAL', 'e', 1, (array['parked', 'parked', 'parked', 'refused', 'abandoned', 'resolved'])[n] from generate_series(1, 6) n`);
  await sql(`insert into jobs (tenant_id, id, kind, workflow_id, status, title, spec, created_by)
    select 'acme', 'job_' || n, 'ingest', 'ingest/acme/' || n, case when n <= 12 then 'running' else 'completed' end, 'Job ' || n, '{}', 'ann' from generate_series(1, 14) n`);
});
afterAll(() => stack?.stop());

const get = (who = ann): Promise<Overview> => stack.ok<Overview>(who, 'system.overview.get');

describe('system.overview.get', () => {
  it('counts what the lists tell', async () => {
    const now = await get();
    expect(now.tasks).toEqual({ blocked: 1, ready: 2, in_progress: 3, review: 4, done: 5, failed: 6 });
    for (const status of ['blocked', 'ready', 'in_progress', 'review', 'done', 'failed'] as const) {
      const { tasks } = await stack.ok(ann, 'work.task.list', { status, limit: 100 });
      expect([status, tasks.length]).toEqual([status, now.tasks[status]]);
    }
    expect(now.stuck).toMatchObject({ count: 2, lapsed: 1, blocked: 1, oldest_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) });
    expect(now.agents).toEqual({ healthy: 1, unhealthy: 1, offline: 1, none: 1, paused: 4 });
    expect(now.dead_letters.count).toBe((await stack.ok(ann, 'ingest.dlq.list', { limit: 100 })).items.length);
    expect(now.dead_letters.count).toBe(4);
    expect(now.outputs.count).toBe(3);
    expect(now.jobs.count).toBe(12);
    expect(now.jobs.running).toHaveLength(10);
    expect(now.jobs.running[0]).toMatchObject({ status: 'running', url: expect.stringContaining('http://temporal.test') });
  });

  it('has the stuck tasks of the board, by reason, and the counts of the inbox', async () => {
    // Silent, exhausted, and waiting for longer than five quick ones of its phase did.
    await sql(
      `update work_tasks set lease_expires_at = now() + interval '20 seconds' where tenant_id = 'acme' and id = 'task_in_progress2'`,
    );
    await sql(`update work_tasks set attempts = 3 where tenant_id = 'acme' and id in ('task_failed2', 'task_failed3')`);
    await sql(`update work_tasks set started_at = created_at, completed_at = created_at where tenant_id = 'acme' and status = 'done'`);
    await sql(`update work_tasks set changed_at = now() - interval '1 day' where tenant_id = 'acme' and id = 'task_ready1'`);
    const { stuck, ...now } = await get();
    expect(stuck).toEqual({ count: 6, lapsed: 1, silent: 1, blocked: 1, exhausted: 2, waiting: 1, oldest_at: expect.any(String) });
    for (const reason of ['any', ...stuckReasons] as const) {
      const { tasks } = await stack.ok(ann, 'work.task.list', { stuck: reason, limit: 100 });
      expect([reason, tasks.length]).toEqual([reason, reason === 'any' ? stuck.count : stuck[reason]]);
    }
    const { counts } = await stack.ok<{ counts: InboxCounts }>(ann, 'system.inbox.list', {});
    expect(counts).toEqual({
      call: now.approvals.count,
      ambiguous: now.ambiguous.count,
      review: now.reviews.count,
      run: 0,
      output: now.outputs.count,
      dead_letter: now.dead_letters.count,
      definition: now.external_tools.waiting + now.external_tools.changed,
      undelivered: now.undelivered.count,
      notice: now.failed_notices.count,
    });
    expect(counts.dead_letter).toBe(4);
    // This installation has one tenant with rows: its metrics count the same.
    const { kinds } = (await stack.services.waitingCounts.get())!;
    const waiting = { approvals: counts.call, ambiguous: counts.ambiguous, reviews: counts.review, dead_letters: counts.dead_letter };
    for (const [kind, count] of Object.entries({ ...waiting, undelivered: counts.undelivered }))
      expect([kind, kinds.find((each) => each.kind === kind)?.count ?? 0]).toEqual([kind, count ?? 0]);
  });

  it('puts today beside the same weekday until the same time', async () => {
    const before = (await get()).today;
    await sql(`insert into work_tasks (tenant_id, id, description, phase_id, priority, priority_rank, status, created_by, lease_seconds, max_attempts, created_at, completed_at)
      select 'acme', 'task_week' || n, 'work', 1, 'high', 0, 'done', 'ann', 60, 3, at, at
      from unnest(array[date_trunc('day', now(), 'UTC') - interval '7 days', now() - interval '7 days' + interval '1 hour',
        date_trunc('day', now(), 'UTC') - interval '7 days 1 second', now()]) with ordinality as t (at, n)`);
    const now = (await get()).today;
    for (const name of ['tasks_created', 'tasks_done'] as const) {
      expect([name, now[name].now - before[name].now]).toEqual([name, 1]);
      expect([name, now[name].week_before]).toEqual([name, 1]);
    }
    await sql(`delete from work_tasks where tenant_id = 'acme' and id like 'task_week%'`);
  });

  it('counts approvals of others for whoever may decide alone', async () => {
    const [one, other] = [await stack.caller({ name: 'one', role: 'agent' }), await stack.caller({ name: 'other', role: 'agent' })];
    for (const [who, n] of [
      [one, 2],
      [other, 1],
    ] as const) {
      await sql(
        `insert into approvals (tenant_id, id, tool_call_id, tool, tool_version, called_as, front, key_id, line, principal, principal_kind, persona,
           arguments, shown, input_hash, policy, policy_version, reason, call_key, expires_at)
         select 'acme', 'apr_' || $1 || n, 'c', 'work.task.create', 1, 'x', 'mcp', $1, $1, 'p', 'agent', 'agent', '', '{}', 'h', 'standard', '0', 'r', 'k' || n,
           now() + make_interval(mins => n) from generate_series(1, $2::int) n`,
        [who.keyId, n],
      );
    }
    const { approvals } = await stack.ok(ann, 'approval.request.list', { status: 'pending' });
    const all = (await get()).approvals;
    expect(all.count).toBe(3);
    expect(all.count).toBe(approvals.length);
    expect(Date.parse(all.next_expires_at!)).toBeLessThan(Date.now() + 61_000);
    expect((await get(one)).approvals.count).toBe(2);
    expect((await get(other)).approvals.count).toBe(1);
  });

  it('shows another tenant nothing of it', async () => {
    const eve = await stack.caller({ tenant: 'other', name: 'eve' });
    const theirs = await get(eve);
    expect(Object.values(theirs.tasks)).toEqual([0, 0, 0, 0, 0, 0]);
    expect([theirs.stuck.count, theirs.approvals.count, theirs.dead_letters.count, theirs.jobs.count, theirs.jobs.running]).toEqual([
      0,
      0,
      0,
      0,
      [],
    ]);
    expect(Object.values(theirs.agents)).toEqual([0, 0, 0, 0, 0]);
  });
});
