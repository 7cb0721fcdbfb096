/** Claim, board and lists in a tenant with many tasks, and in one with ten times as many. */
import pg from 'pg';
import { thinCaller, type Caller } from '../clients.ts';
import type { Context } from '../context.ts';
import { ms, spreadText, type Line, type Section } from '../report.ts';
import { spread, takeTurns, timed, type Spread } from '../stats.ts';
import { fillPhase, startedAll } from './tasks.ts';

/** How much slower ten times the tasks may make each path, at p95. */
const goal = 1.5;
/** Claims are made here, where every task has its process. */
const claimed = 9;

export async function measureGrowth(context: Context): Promise<Section> {
  const { runtime } = context.stack;
  const sizes = context.quick ? [30_000, 300_000] : [100_000, 1_000_000];
  const [rounds, block, warmUp] = context.quick ? [5, 8, 8] : [10, 10, 15];
  const notes: string[] = [];
  const tenants: { thin: Caller; name: string }[] = [];
  try {
    for (const size of sizes) {
      const name = `growth-${size}`;
      const thin = thinCaller(runtime.mcp, await context.stack.key({ tenant: name, role: 'agent', name: 'reader' }));
      tenants.push({ thin, name });
      context.say(`growth: writing ${size} tasks`);
      await asOwner(runtime.database_owner_url, phasesSql, [name, claimed]);
      const written = await timed(() => asOwner(runtime.database_owner_url, seedSql, [name, size]));
      notes.push(`${size} tasks: written in ${(written / 1_000).toFixed(1)} s.`);
      const ids = await fillPhase(thin, claimed, rounds * block + warmUp);
      await startedAll(runtime, name, ids.slice(-50));
    }
    await asOwner(runtime.database_owner_url, 'vacuum analyze');
    const times = await takeTurns(
      Object.fromEntries(tenants.flatMap(({ thin, name }) => Object.entries(pathsOf(thin)).map(([path, ask]) => [`${name}/${path}`, ask]))),
      { rounds, block, warmUp },
    );
    const [few, many] = tenants as [(typeof tenants)[number], (typeof tenants)[number]];
    const lines = Object.keys(pathsOf(few.thin)).map((path): Line => {
      const floor = spread(times[`${few.name}/${path}`]!);
      const product = spread(times[`${many.name}/${path}`]!);
      const ratio = product.p95 / floor.p95;
      // Below two milliseconds more, the ratio is only noise.
      const met = ratio <= goal || product.p95 - floor.p95 < 2;
      const figures: Record<string, Spread> = { product, floor };
      return { path, product: spreadText(product), floor: `p95 ${ms(floor.p95)} ms`, ratio, goal: `p95 ≤ ×${goal}`, met, figures };
    });
    notes.push(`Floor: the same with ${sizes[0]} tasks. ${seeded}`);
    return { title: `The board with ${sizes[1]} tasks`, lines, notes };
  } finally {
    await Promise.allSettled(tenants.map(({ thin }) => thin.close()));
  }
}

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

const seeded = '80 of 100 tasks are done, 10 ready, 5 blocked, 2 in progress, 1 in review, 2 failed; 5 phases, 200 assignees.';
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

async function asOwner(connectionString: string, statement: string, values?: [tenant: string, number: number]): Promise<void> {
  const owner = new pg.Client({ connectionString });
  await owner.connect();
  try {
    if (values) await owner.query(`select set_config('app.tenant', $1, false)`, [values[0]]);
    await owner.query(statement, values);
  } finally {
    await owner.end();
  }
}
