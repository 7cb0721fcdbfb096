/** The kept numbers of tasks are those of the tasks, whatever happens to them and whoever adds them up meanwhile. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Lane } from '../../contracts/work/board.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let pm: Caller;
let tenant: string;
beforeAll(async () => {
  stack = await testStack({ model: false });
});
beforeEach(async () => {
  tenant = `t${randomBytes(6).toString('hex')}`;
  pm = await stack.caller({ tenant, name: 'pm' });
});
afterAll(() => stack?.stop());

const rows = <T extends Record<string, unknown>>(text: string, values: unknown[] = [tenant], of = tenant): Promise<T[]> =>
  asTenant(of, () => stack.db.query<T>(text, values));

/** What the tasks say, and the kept sums do not, or the other way round. */
const differences = (): Promise<unknown[]> =>
  rows(
    `with told as (select kind, name, phase_id, status, archived, sum(n)::int as n from work_task_counts where tenant_id = $1
       group by 1, 2, 3, 4, 5 having sum(n) <> 0),
     counted as (
       select 'all' as kind, '' as name, phase_id, status, archived_at is not null as archived, count(*)::int as n from work_tasks where tenant_id = $1 group by 1, 2, 3, 4, 5
       union all
       select 'agent', coalesce(assigned_agent_id, ''), phase_id, status, archived_at is not null, count(*)::int from work_tasks where tenant_id = $1 group by 1, 2, 3, 4, 5
       union all
       select 'tag', tag, t.phase_id, t.status, t.archived_at is not null, count(*)::int from work_task_tags g
         join work_tasks t on t.tenant_id = g.tenant_id and t.id = g.task_id where g.tenant_id = $1 group by 1, 2, 3, 4, 5)
     (select 'kept' as side, * from (table told except table counted) x) union all (select 'tasks', * from (table counted except table told) y)`,
  );
const length = async (kind = 'all', name = ''): Promise<number> =>
  (await rows(`select from work_task_counts where tenant_id = $1 and kind = $2 and name = $3`, [tenant, kind, name])).length;
const fold = (kind = 'all', name = '', of = tenant): Promise<number> =>
  rows<{ n: number }>('select fold_task_counts($1, $2, $3) as n', [tenant, kind, name], of).then(([row]) => row!.n);

const seed = (count: number): Promise<unknown> =>
  rows(
    `insert into work_tasks (tenant_id, id, description, phase_id, priority, priority_rank, status, tags, created_by, lease_seconds, max_attempts,
       assigned_agent_id, archived_at, created_at)
     select $1, 'task_' || n, 'Task ' || n, 1 + n % 3, 'high', 0, s, case n % 4 when 0 then '{a}'::text[] when 1 then '{a,b,a}' else '{}' end, 'test', 300, 3,
       case when s <> 'ready' then 'agent-' || n % 5 end, case when n % 11 = 0 and s = 'done' then now() end, now() - make_interval(secs => n)
     from generate_series(1, $2::int) n, lateral (select (array['ready', 'done', 'failed', 'review'])[1 + n % 4] as s) x`,
    [tenant, count],
  );

it('every change of a task through the tools is counted', async () => {
  const create = async (args: object = {}): Promise<string> =>
    (await stack.ok<{ task: { id: string } }>(pm, 'work.task.create', { description: 'A task', phase_id: 1, ...args })).task.id;
  const tasks = [];
  for (let n = 0; n < 12; n += 1) tasks.push(await create(n % 3 === 0 ? { tags: ['a', 'b'] } : {}));
  const blocked = await create({ blocked_by: [tasks[11]] });
  expect(await differences()).toEqual([]);
  const agents = await Promise.all(tasks.map((_, n) => stack.caller({ tenant, name: `agent-${n}`, role: 'agent' })));
  type Claim = { task: { id: string; fencing_token: number } };
  // All at once.
  const claims = await Promise.all(agents.map((agent) => stack.ok<Claim>(agent, 'work.task.claim', { phase_id: 1 })));
  expect(new Set(claims.map(({ task }) => task.id)).size).toBe(12);
  expect(await differences()).toEqual([]);
  const of = (n: number) => ({ task_id: claims[n]!.task.id, fencing_token: claims[n]!.task.fencing_token });
  await Promise.all([
    stack.ok(agents[0]!, 'work.task.complete', { ...of(0), result: 'done' }),
    stack.ok(agents[1]!, 'work.task.complete', { ...of(1), result: 'done' }),
    stack.ok(agents[2]!, 'work.task.fail', { ...of(2), reason: 'no' }),
    stack.ok(agents[3]!, 'work.task.release', of(3)),
    stack.ok(agents[4]!, 'work.task.heartbeat', of(4)),
  ]);
  await stack.ok(pm, 'work.task.archive', { task_id: of(0).task_id });
  await stack.ok(pm, 'work.task.cancel', { task_id: blocked });
  await stack.ok(pm, 'work.task.edit', { task_id: of(5).task_id, tags: ['b', 'c'] });
  expect(await differences()).toEqual([]);
  const { stats } = await stack.ok<{ stats: Record<string, number> }>(pm, 'work.board.get', {});
  expect(stats).toMatchObject({ total_tasks: 11, done: 1 });
});

it('boards, lanes and lists count as the tasks themselves would, filter by filter', async () => {
  await seed(400);
  const count = async (where: string): Promise<number> =>
    (await rows<{ n: number }>(`select count(*)::int as n from work_tasks t where t.tenant_id = $1 and ${where}`))[0]!.n;
  const tagged = (tag: string) => `exists (select from work_task_tags g where g.tenant_id = $1 and g.task_id = t.id and g.tag = '${tag}')`;
  for (const [filter, where] of [
    [{}, 'archived_at is null'],
    [{ archived: true }, 'archived_at is not null'],
    [{ phase_id: 2 }, 'archived_at is null and phase_id = 2'],
    [{ tags: ['a'] }, `archived_at is null and ${tagged('a')}`],
    [{ tags: ['b'], phase_id: 3 }, `archived_at is null and phase_id = 3 and ${tagged('b')}`],
    [{ tags: ['a', 'b'] }, `archived_at is null and ${tagged('a')} and ${tagged('b')}`],
    [{ tags: ['none'] }, 'false'],
    [{ assigned_to: 'agent-2' }, `archived_at is null and assigned_agent_id = 'agent-2'`],
    [{ assigned_to: '' }, 'archived_at is null and assigned_agent_id is null'],
    [{ assigned_to: 'agent-2', tags: ['a'] }, `archived_at is null and assigned_agent_id = 'agent-2' and ${tagged('a')}`],
    [{ search: 'task 7' }, `archived_at is null and description like '%7%'`],
  ] as const) {
    const wanted = await count(where);
    const board = await stack.ok<{ stats: Record<string, number>; by_phase: Record<string, number>[] }>(pm, 'work.board.get', {
      ...filter,
      details: true,
    });
    expect([filter, board.stats['total_tasks']]).toEqual([filter, wanted]);
    expect([filter, board.stats['done']]).toEqual([filter, await count(`${where} and status = 'done'`)]);
    expect(board.by_phase.reduce((sum, phase) => sum + phase['total_tasks']!, 0)).toBe(wanted);
    const { envelope } = await stack.call(pm, 'work.task.list', { ...filter, limit: 5 });
    expect([filter, envelope.metadata['total_count']]).toEqual([filter, wanted]);
    for (const by of ['phase', 'assignee', 'priority']) {
      const { lanes } = await stack.ok<{ lanes: Lane[] }>(pm, 'work.lane.list', { by, ...filter });
      expect([filter, by, lanes.reduce((sum, { stats }) => sum + stats.total_tasks, 0)]).toEqual([filter, by, wanted]);
    }
  }
});

it('a list by tag has each task once and in order, page by page, either way', async () => {
  await seed(120);
  for (const order of ['oldest', 'newest', 'priority'] as const) {
    const seen: { id: string; created_at: string }[] = [];
    for (let cursor: string | undefined; ;) {
      const { envelope } = await stack.call(pm, 'work.task.list', { tags: ['a'], order, limit: 7, ...(cursor ? { cursor } : {}) });
      seen.push(...(envelope.data as { tasks: typeof seen }).tasks);
      cursor = envelope.metadata['next_cursor'];
      if (!cursor) break;
    }
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
    const times = seen.map(({ created_at }) => created_at);
    const sorted = times.toSorted();
    expect([order, times]).toEqual([order, order === 'newest' ? sorted.toReversed() : sorted]);
    const expected = await rows(`select from work_tasks where tenant_id = $1 and 'a' = any(tags) and archived_at is null`);
    expect(seen).toHaveLength(expected.length);
  }
});

describe('the sums', () => {
  const move = (n: number, status: string): Promise<unknown> =>
    rows(`update work_tasks set status = $3, assigned_agent_id = 'agent-' || $4::int where tenant_id = $1 and id = $2`, [
      tenant,
      `task_${n}`,
      status,
      n % 7,
    ]);

  it('are right at every moment, while tasks move and several add them up at once', async () => {
    await seed(60);
    const statuses = ['ready', 'in_progress', 'review', 'failed', 'done'];
    let moving = true;
    const totals = new Set<number>();
    const watch = async (): Promise<void> => {
      while (moving)
        totals.add(
          (await rows<{ n: number }>(`select sum(n)::int as n from work_task_counts where tenant_id = $1 and kind = 'all'`))[0]!.n,
        );
    };
    const tidy = async (): Promise<void> => {
      while (moving) await fold();
    };
    const helpers = [watch(), tidy(), tidy()];
    await Promise.all(
      [0, 1, 2, 3].map(async (lane) => {
        for (let round = 0; round < 60; round += 1) await move(1 + ((round * 4 + lane) % 60), statuses[(round + lane) % statuses.length]!);
      }),
    );
    moving = false;
    await Promise.all(helpers);
    expect([...totals]).toEqual([60]);
    expect(await differences()).toEqual([]);
    const [first, second] = await Promise.all([fold(), fold()]);
    expect(first + second).toBeGreaterThan(0);
    await fold();
    // A row for each phase, status and being archived, at most.
    expect(await length()).toBeLessThanOrEqual(3 * 5 * 2);
    expect(await differences()).toEqual([]);
  });

  it('do not know of a change that was rolled back, nor add up what another tenant has', async () => {
    await seed(20);
    const before = await length();
    await expect(
      asTenant(tenant, () =>
        stack.db.transaction(async (query) => {
          await query(`update work_tasks set status = 'done' where tenant_id = $1`, [tenant]);
          await query(`select fold_task_counts($1, 'all', '')`, [tenant]);
          throw new Error('killed');
        }),
      ),
    ).rejects.toThrow('killed');
    expect(await length()).toBe(before);
    expect(await differences()).toEqual([]);
    const other = `o${randomBytes(6).toString('hex')}`;
    await stack.caller({ tenant: other });
    expect(await fold('all', '', other)).toBe(0);
    expect(await differences()).toEqual([]);
    await rows('delete from work_tasks where tenant_id = $1');
    expect(await differences()).toEqual([]);
  });

  it('are added up by who reads many rows, and by the sweep', async () => {
    await seed(30);
    for (let round = 0; round < 12; round += 1) {
      await rows(`update work_tasks set status = $2 where tenant_id = $1 and archived_at is null`, [
        tenant,
        round % 2 ? 'ready' : 'review',
      ]);
    }
    expect(await length()).toBeGreaterThan(400);
    const { stats } = await stack.ok<{ stats: Record<string, number> }>(pm, 'work.board.get', {});
    expect(await length()).toBeLessThanOrEqual(20);
    expect((await stack.ok<{ stats: Record<string, number> }>(pm, 'work.board.get', {})).stats).toEqual(stats);
    expect(await length('agent', 'agent-1')).toBeGreaterThan(40);
    expect(await asTenant(tenant, () => stack.services.work.counts.sweep(tenant))).toBeGreaterThan(100);
    expect(await length('agent', 'agent-1')).toBeLessThanOrEqual(20);
    expect(await asTenant(tenant, () => stack.services.work.counts.sweep(tenant))).toBe(0);
    expect(await differences()).toEqual([]);
  });
});
