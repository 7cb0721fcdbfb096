/** Claim, board and lists of a tenant with many tasks, and of one with ten times as many. */
import type { Caller } from '../clients.ts';
import type { Context } from '../context.ts';
import type { Section } from '../report.ts';
import { measureGrowthOf } from './growth.ts';
import { fillPhase, startedAll } from './tasks.ts';

/** Claims are made here, where every task has its process. */
const claimed = 9;

export const measureGrowth = (context: Context): Promise<Section> =>
  measureGrowthOf(context, {
    title: (size) => `The board with ${size} tasks`,
    what: 'tasks',
    sizes: { whole: [100_000, 1_000_000], quick: [30_000, 300_000] },
    tables: ['work_tasks', 'work_task_tags', 'work_task_counts'],
    async seed(tenant, size, { owner, thin, asked }) {
      await owner(phasesSql, [tenant, claimed]);
      await owner(seedSql, [tenant, size]);
      const ids = await fillPhase(thin, claimed, asked);
      await startedAll(context.stack.runtime, tenant, ids.slice(-50));
    },
    paths: pathsOf,
    note: '80 of 100 tasks are done, 10 ready, 5 blocked, 2 in progress, 1 in review, 2 failed; 5 phases, 200 assignees.',
  });

function pathsOf(thin: Caller): Record<string, () => Promise<unknown>> {
  let claims = 0;
  let turn = 0;
  const agent = (): string => `agent-${(turn += 7) % 200}`;
  return {
    'work.task.claim': async () => {
      const name = `claimer-${claims++}`;
      const { task } = await thin.ok<{ task: { assigned_agent_id: string } | null }>(
        'work.task.claim',
        { phase_id: claimed },
        { agent: name },
      );
      if (task?.assigned_agent_id !== name) throw new Error(`the claim of ${name} was answered with ${JSON.stringify(task)}`);
    },
    'work.board.get': () => thin.ok('work.board.get', {}),
    'work.board.get, details': () => thin.ok('work.board.get', { details: true }),
    'work.board.get, a phase': () => thin.ok('work.board.get', { phase_id: 2 }),
    'work.board.get, a tag of 1 in 10': () => thin.ok('work.board.get', { tags: ['common'] }),
    'work.board.get, a tag of 1 in 1,000': () => thin.ok('work.board.get', { tags: ['rare'] }),
    'work.board.get, an assignee': () => thin.ok('work.board.get', { assigned_to: agent() }),
    'work.task.list': () => thin.ok('work.task.list', {}),
    'work.task.list, a status': () => thin.ok('work.task.list', { status: 'ready' }),
    'work.task.list, a tag of 1 in 10': () => thin.ok('work.task.list', { tags: ['common'] }),
    'work.task.list, a tag of 1 in 10, newest': () => thin.ok('work.task.list', { tags: ['common'], order: 'newest' }),
    'work.task.list, a tag of 1 in 1,000': () => thin.ok('work.task.list', { tags: ['rare'] }),
    'work.task.list, an assignee': () => thin.ok('work.task.list', { assigned_to: agent() }),
  };
}

const phasesSql = `
  insert into phases (tenant_id, id, name, description, done_definitions) select $1, n, 'Phase ' || n, '', '{"It works"}' from generate_series(1, $2::int) n
  on conflict do nothing`;
/** Rows alone: what is read here uses no process. */
const seedSql = `
  insert into work_tasks (tenant_id, id, description, phase_id, priority, priority_rank, status, created_by, lease_seconds, max_attempts,
    assigned_agent_id, tags, created_at, updated_at, started_at, completed_at, lease_expires_at)
  select $1, 'task_' || n, 'Task ' || n || ': look into what a customer reported, and say what is to be done.', 1 + n % 5,
    (array['high', 'medium', 'low'])[1 + n % 3], n % 3, s, 'bench', 300, 3,
    case when s not in ('ready', 'blocked') then 'agent-' || (n / 7) % 200 end,
    case when n % 10 = 3 then '{common}'::text[] when n % 1000 = 7 then '{rare}' else '{}' end,
    now() - make_interval(secs => $2 - n), now() - make_interval(secs => $2 - n), case when s not in ('ready', 'blocked') then now() - make_interval(secs => $2 - n - 60) end,
    case when s = 'done' then now() - make_interval(secs => $2 - n - 600) end, case when s = 'in_progress' then now() + interval '1 day' end
  from generate_series(1, $2::int) n, lateral (select case when r < 80 then 'done' when r < 90 then 'ready' when r < 95 then 'blocked'
    when r < 97 then 'in_progress' when r < 98 then 'review' else 'failed' end as s from (select (n * 37 + n / 1000) % 100 as r) x) status`;
