/** The board and lists of ten thousand tasks: filters, cursors, what changed since. */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Holder, Lane } from '../../contracts/work/board.ts';
import { columns, stuckReasons, type Column, type TaskSummary } from '../../contracts/work/work.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { Boards } from '../../services/work/board.ts';
import { seedWork } from '../console/seed-work.ts';
import { committedVisible, onServer, withDatabase } from '../setup/databases.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

interface BoardAnswer {
  columns: Record<Column, TaskSummary[]>;
  next: Partial<Record<Column, string>>;
  stats: Record<string, number>;
  by_phase: Record<string, number>[];
  rev: string;
  changed?: string[] | null;
}

let stack: TestStack;
let pm: Caller;
beforeAll(async () => {
  stack = await testStack({ model: false });
  pm = await stack.caller({ name: 'pm', tenant: 'big' });
  await seedWork(stack.db, 'big');
  // As autovacuum does within a minute of so many rows.
  await onServer(
    withDatabase(inject('servers').ownerUrl, new URL(stack.databaseUrl).pathname.slice(1)),
    'analyze work_tasks, work_task_dependencies, work_task_tags',
  );
});
afterAll(() => stack?.stop());

const board = (args: object = {}): Promise<BoardAnswer> => stack.ok<BoardAnswer>(pm, 'work.board.get', { details: true, ...args });
const list = async (args: object = {}) => {
  const { envelope } = await stack.call(pm, 'work.task.list', { details: true, ...args });
  return { tasks: (envelope.data as { tasks: TaskSummary[] }).tasks, ...envelope.metadata };
};

describe('the board', () => {
  it('has each task once, column by column, by its cursors', async () => {
    const first = await board({ limit_per_column: 500 });
    expect(first.stats).toMatchObject({
      total_tasks: 10_000,
      done: 3_000,
      ready: 2_000,
      in_progress: 1_000,
      blocked: 2_000,
      review: 1_000,
      failed: 1_000,
    });
    const seen = new Set<string>();
    for (const column of columns) {
      let page = first;
      const here: TaskSummary[] = [];
      for (;;) {
        here.push(...page.columns[column]);
        const cursor = page.next[column];
        if (!cursor) break;
        page = await board({ limit_per_column: 500, column, cursor });
        expect(Object.values(page.columns).flat()).toHaveLength(page.columns[column].length);
      }
      for (const { id } of here) expect(seen.has(id), id).toBe(false);
      for (const { id } of here) seen.add(id);
      if (column !== 'done') {
        const rank = { high: 0, medium: 1, low: 2 };
        expect(here.map(({ priority }) => rank[priority])).toEqual(here.map(({ priority }) => rank[priority]).toSorted((a, b) => a - b));
      } else expect(here.every(({ completed_at: at }, i) => i === 0 || at! <= here[i - 1]!.completed_at!)).toBe(true);
    }
    expect(seen.size).toBe(10_000);
    for (const args of [{ column: 'ready' }, { cursor: 'x' }, { column: 'ready', cursor: first.next.done }, { since_rev: '!' }]) {
      expect((await stack.call(pm, 'work.board.get', args)).error?.code, JSON.stringify(args)).toBe('VALIDATION_ERROR');
    }
  });

  it('tells details, counts by phase and its revision only to those who ask', async () => {
    const short = ['id', 'title', 'description', 'phase_id', 'status', 'priority', 'assigned_agent_id', 'created_at', 'tags', 'blocked_by'];
    const plain = await board({ details: false, stuck: 'blocked' });
    expect(Object.keys(plain).toSorted()).toEqual(['columns', 'next', 'stats']);
    const { tasks } = await list({ details: false, stuck: 'blocked' });
    for (const task of [...Object.values(plain.columns).flat(), ...tasks]) expect(Object.keys(task)).toEqual(short);
    expect(tasks).toHaveLength(40);
    const full = await board({ stuck: 'blocked' });
    expect(full.columns.backlog.map(({ id }) => id)).toEqual(plain.columns.backlog.map(({ id }) => id));
    expect(full.columns.backlog[0]).toMatchObject(plain.columns.backlog[0]!);
    expect(full).not.toHaveProperty('changed');
    expect(full.stats).toEqual(plain.stats);
    const { by_phase: phases, stats } = await board();
    expect(phases.map(({ phase_id }) => phase_id)).toEqual([1, 2, 3, 4]);
    for (const name of Object.keys(stats))
      expect(
        phases.reduce((sum, one) => sum + one[name]!, 0),
        name,
      ).toBe(stats[name]);
    const later = await board({ details: false, since_rev: full.rev });
    expect(Object.keys(later).toSorted()).toEqual(['changed', 'columns', 'next', 'rev', 'stats']);
  });

  it.each(stuckReasons)('finds those that are stuck: %s', async (reason) => {
    const { columns: found, stats } = await board({ stuck: reason, limit_per_column: 100 });
    const tasks = Object.values(found).flat();
    expect(tasks).toHaveLength(40);
    expect(stats['total_tasks']).toBe(40);
    expect(new Set(tasks.map(({ stuck }) => stuck))).toEqual(new Set([reason]));
    expect((await list({ stuck: reason })).total_count).toBe(40);
  });

  it('is narrowed by words, priority, tags, holder and phase alike in both tools', async () => {
    for (const [filter, holds] of [
      [{ search: 'INVOICE task' }, (t: TaskSummary) => t.description.includes('invoice')],
      [{ search: 'task_000042' }, (t: TaskSummary) => t.id === 'task_000042'],
      [{ priority: 'high', phase_id: 2 }, (t: TaskSummary) => t.priority === 'high' && t.phase_id === 2],
      [{ tags: ['urgent', 'eu'] }, (t: TaskSummary) => t.tags.includes('urgent') && t.tags.includes('eu')],
      [{ assigned_to: 'worker-8' }, (t: TaskSummary) => t.assigned_agent_id === 'worker-8'],
      [{ stuck: 'any' }, (t: TaskSummary) => t.stuck !== null],
    ] as const) {
      const { columns: found, stats } = await board({ ...filter, limit_per_column: 1_000 });
      const tasks = Object.values(found).flat();
      const { total_count } = await list(filter);
      expect(tasks.length, JSON.stringify(filter)).toBeGreaterThan(0);
      expect(tasks.every(holds), JSON.stringify(filter)).toBe(true);
      expect(stats['total_tasks']).toBe(total_count);
    }
    expect((await board({ search: `'; drop table work_tasks; --` })).stats['total_tasks']).toBe(0);
    expect((await board({ stuck: 'any' })).stats['total_tasks']).toBe(200);
  });

  it('tells what a card shows', async () => {
    const [failed] = (await list({ status: 'failed', stuck: 'exhausted', limit: 1 })).tasks;
    expect(failed).toMatchObject({ attempts: 3, max_attempts: 3, failure: expect.stringContaining('left-pad'), stuck: 'exhausted' });
    const [blocked] = (await list({ stuck: 'blocked', limit: 1 })).tasks;
    expect(blocked!.blocked_by).toHaveLength(1);
    const [held] = (await list({ status: 'in_progress', limit: 1 })).tasks;
    expect(held).toMatchObject({ lease_seconds: 900, lease_expires_at: expect.stringMatching(/Z$/), rev: 1 });
    const { tasks } = await list({ order: 'updated', limit: 3 });
    expect(tasks.map(({ id }) => id)).toEqual(['task_000001', 'task_000002', 'task_000003']);
    const inColumn = (await board({ phase_id: 3 })).columns.in_progress[0]!;
    expect((await list({ search: inColumn.id })).tasks).toEqual([inColumn]);
    const { task } = await stack.ok<{ task: { blockers: { id: string; status: string }[] } }>(pm, 'work.task.get', {
      task_id: blocked!.id,
    });
    expect(task.blockers).toMatchObject([{ id: blocked!.blocked_by[0], status: 'failed' }]);
    const other = await stack.ok<{ task: { dependants: { id: string }[] } }>(pm, 'work.task.get', { task_id: task.blockers[0]!.id });
    expect(other.task.dependants.map(({ id }) => id)).toContain(blocked!.id);
  });

  it('tells what changed since, also what no longer matches', async () => {
    const worker = await stack.caller({ role: 'agent', name: 'mover', tenant: 'big' });
    const phase_id = 4;
    // The first event of a tenant: what came before it could be gone.
    await stack.ok(pm, 'work.task.create', { description: 'first', phase_id });
    await committedVisible(stack.db);
    const { rev } = await board({ phase_id });
    expect(await board({ phase_id, since_rev: rev })).toMatchObject({ changed: [] });
    const { task: made } = await stack.ok<{ task: { id: string } }>(pm, 'work.task.create', {
      description: 'second',
      phase_id,
      priority: 'high',
    });
    await stack.ok(worker, 'work.task.claim', { task_id: made.id });
    await committedVisible(stack.db);
    const since = await board({ phase_id, since_rev: rev });
    expect(since.changed).toEqual([made.id]);
    expect(since.columns.in_progress).toMatchObject([{ id: made.id, assigned_agent_id: 'mover', rev: 1 }]);
    expect(Object.values(since.columns).flat()).toHaveLength(1);
    const elsewhere = await board({ phase_id: 1, since_rev: rev });
    expect(elsewhere).toMatchObject({ changed: [made.id] });
    expect(Object.values(elsewhere.columns).flat()).toEqual([]);
    expect((await board({ phase_id, since_rev: since.rev })).changed).toEqual([]);
    // So old that events since then may be gone, or more changes than are told one by one.
    expect((await board({ phase_id, since_rev: Buffer.from('["1"]').toString('base64url') })).changed).toBeNull();
  });

  it('reads a first page and a later one by its index, and few rows of it', async () => {
    const plans: string[] = [];
    await asTenant('big', () =>
      stack.db.transaction(async (query) => {
        const explained: Database['query'] = async (text, values) => {
          const rows = await query<{ 'QUERY PLAN': string }>(`explain (analyze, costs off, timing off) ${text}`, values);
          plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
          return await query(text, values);
        };
        const boards = new Boards({ db: { ...stack.db, query: explained } });
        const { next } = await boards.get('big', { order: 'priority', details: true, limit: 25 });
        await boards.get('big', { order: 'priority', details: true, limit: 25, column: 'review', cursor: next.review });
      }),
    );
    const [first, later] = plans.filter((plan) => plan.includes('work_tasks')) as [string, string];
    expect(first).toMatch(/work_tasks_board/);
    expect(first).toMatch(/work_tasks_done/);
    expect(later).toMatch(/Merge Append|work_tasks_board/);
    expect(later).toMatch(/Index Cond: .*ROW\(priority_rank, created_at, id\)|priority_rank, created_at, id\) >/);
  });
});

describe('lanes', () => {
  const lanes = async (args: object): Promise<{ lanes: Lane[]; total_count?: number | undefined }> => {
    const { envelope } = await stack.call(pm, 'work.lane.list', args);
    return { ...(envelope.data as { lanes: Lane[] }), ...envelope.metadata };
  };

  it('count what the board of each lane counts, with the same filter', async () => {
    for (const [by, narrowed] of [
      ['phase', (lane: string) => ({ phase_id: Number(lane) })],
      ['priority', (lane: string) => ({ priority: lane })],
    ] as const) {
      const found = await lanes({ by, stuck: 'any' });
      expect([by, found.lanes.map(({ lane }) => lane)]).toEqual([by, by === 'phase' ? ['1', '2', '3', '4'] : ['high', 'medium', 'low']]);
      for (const { lane, stats } of found.lanes)
        expect([lane, stats]).toEqual([lane, (await board({ ...narrowed(lane), stuck: 'any', limit_per_column: 1 })).stats]);
    }
  });

  it('put those who hold most first and tasks of nobody last; one lane is a filter', async () => {
    const { lanes: all, total_count } = await lanes({ by: 'assignee', limit: 500 });
    expect(total_count).toBe(all.length);
    const held = all.map(({ stats }) => stats.in_progress);
    expect(held.slice(0, -1)).toEqual(held.slice(0, -1).toSorted((a, b) => b - a));
    expect(all.at(-1)).toMatchObject({ lane: '', stats: { in_progress: 0, done: 0 } });
    expect(all.at(-1)!.stats.total_tasks).toBeGreaterThanOrEqual(4_000);
    for (const { lane, stats } of [all[0]!, all.at(-1)!])
      expect([lane, stats]).toEqual([lane, (await board({ assigned_to: lane, limit_per_column: 1 })).stats]);
    const few = await lanes({ by: 'assignee', limit: 2 });
    expect([few.lanes.length, few.total_count]).toEqual([2, total_count]);
    // What nobody has is there however many have something.
    expect(few.lanes).toEqual([all[0], all.at(-1)]);
    const other = await stack.caller({ tenant: 'elsewhere', name: 'eve' });
    expect((await stack.ok<{ lanes: Lane[] }>(other, 'work.lane.list', { by: 'assignee' })).lanes).toEqual([]);
  });

  it('name the holders with their presence: of registered agents as they are watched, of others none', async () => {
    const { lanes: all } = await lanes({ by: 'assignee', limit: 500 });
    const [quiet, paused, stranger] = all.map(({ lane }) => lane);
    await asTenant('big', () =>
      stack.db.query(
        `insert into agents (tenant_id, id, kind, agent_type, name, registered_by, key_id, health, admin_status)
         values ('big', $1, 'managed', 'worker', 'w', 'pm', 'k', 'unhealthy', 'active'), ('big', $2, 'managed', 'worker', 'w', 'pm', 'k', 'healthy', 'paused')`,
        [quiet, paused],
      ),
    );
    const { holders } = await stack.ok<{ holders: Holder[] }>(pm, 'work.holder.list', { limit: 1_000 });
    const of = (agent: string | undefined) => holders.find((one) => one.agent === agent);
    expect([of(quiet)?.presence, of(paused)?.presence, of(stranger)?.presence]).toEqual(['unhealthy', 'paused', 'none']);
    expect(of(quiet)?.since).toMatch(/^\d{4}-/);
    expect(holders.reduce((sum, { tasks }) => sum + tasks, 0)).toBe((await board({ limit_per_column: 1 })).stats['in_progress']);
    const other = await stack.caller({ tenant: 'elsewhere', name: 'eve' });
    expect((await stack.ok<{ holders: Holder[] }>(other, 'work.holder.list', {})).holders).toEqual([]);
  });
});
