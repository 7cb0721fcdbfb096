/** Reads: the kanban board compared with its bare statement, and the cost of listing tools. */
import { openDatabase } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { Boards } from '../../services/work/board.ts';
import { officialCaller, thinCaller } from '../clients.ts';
import type { Context } from '../context.ts';
import { ms, spreadText, type Line, type Section } from '../report.ts';
import { spread, takeTurns } from '../stats.ts';
import { tokensOf } from '../../scripts/token-count.ts';

const tasks = 1_000;
const p95Goal = 20;
const addedGoal = 5;

export async function measureBoard(context: Context): Promise<Section> {
  const { runtime } = context.stack;
  const tenant = 'board';
  const thin = thinCaller(runtime.mcp, await context.stack.key({ tenant, role: 'agent', name: 'reader' }));
  const db = await openDatabase(runtime.database_url, { max: 4 });
  const boards = new Boards({ db });
  const turns = context.quick ? { rounds: 5, block: 20, warmUp: 40 } : { rounds: 20, block: 25, warmUp: 100 };
  const lines: Line[] = [];
  try {
    // Writes only rows: a board does not use the workflows.
    await asTenant(tenant, () =>
      db.query(
        `insert into work_tasks (tenant_id, id, description, phase_id, priority, priority_rank, status, created_by, lease_seconds, max_attempts,
           assigned_agent_id, completed_at)
         select $1, 'task_' || n, 'Task ' || n || ': look into what a customer reported, and say what is to be done.', 1 + n % 3,
           (array['high', 'medium', 'low'])[1 + n % 3], n % 3, s, 'bench', 300, 3, case when s in ('in_progress', 'review', 'done') then 'agent-' || n end,
           case when s = 'done' then now() end
         from generate_series(1, $2::int) n, lateral (select (array['ready', 'done', 'blocked', 'in_progress', 'review', 'failed'])[1 + n % 6] as s) status`,
        [tenant, tasks],
      ),
    );
    for (const [path, limit] of [
      ['work.board.get, 25 a column', undefined],
      ['work.board.get, everything', tasks],
    ] as const) {
      const times = await takeTurns(
        {
          product: () => thin.ok('work.board.get', limit === undefined ? {} : { limit_per_column: limit }),
          bare: () => asTenant(tenant, () => boards.get(tenant, { order: 'priority', details: false, limit: limit ?? 25 })),
        },
        turns,
      );
      const [product, bare] = [spread(times.product), spread(times.bare)];
      const added = product.p50 - bare.p50;
      lines.push(
        {
          path: `${path} (${tasks} tasks)`,
          product: spreadText(product),
          floor: `p50 ${ms(bare.p50)} ms`,
          ratio: product.p50 / bare.p50,
          goal: `p95 ≤ ${p95Goal} ms`,
          met: product.p95 <= p95Goal,
          figures: { product, floor: bare },
        },
        {
          path: '  of which the front end',
          product: `${ms(added)} ms at p50`,
          floor: '',
          goal: limit === undefined ? `≤ ${addedGoal} ms` : '',
          ...(limit === undefined ? { met: added <= addedGoal } : {}),
          figures: { added },
        },
      );
    }
  } finally {
    await thin.close();
    await db.close();
  }
  return { title: 'The board', lines, notes: ['Floor: the same statement in one process, tenant set, row-level security on.'] };
}

const mostTools = 20;
const mostTokens = 3_000;

export async function measureList(context: Context): Promise<Section> {
  const { runtime } = context.stack;
  const key = await context.stack.key({ tenant: 'lists', role: 'admin', name: 'lister' });
  const callers = {
    thin: thinCaller(runtime.mcp, key),
    session: await officialCaller(runtime.mcp, key, '2025'),
    modern: await officialCaller(runtime.mcp, key, '2026'),
  };
  try {
    const listed = await callers.thin.list();
    const tokens = tokensOf({ tools: listed });
    const times = await takeTurns(
      { thin: () => callers.thin.list(), session: () => callers.session.list(), modern: () => callers.modern.list() },
      context.quick ? { rounds: 4, block: 10, warmUp: 20 } : { rounds: 10, block: 20, warmUp: 50 },
    );
    const line = (path: string, name: keyof typeof callers): Line => ({
      path,
      product: spreadText(spread(times[name])),
      floor: '',
      goal: '',
      figures: { product: spread(times[name]) },
    });
    return {
      title: 'tools/list, profile core',
      lines: [
        {
          path: 'tools',
          product: String(listed.length),
          floor: '',
          goal: `≤ ${mostTools}`,
          met: listed.length <= mostTools,
          figures: { tools: listed.length },
        },
        {
          path: 'tokens (o200k)',
          product: String(tokens),
          floor: '',
          goal: `≤ ${mostTokens}`,
          met: tokens <= mostTokens,
          figures: { tokens },
        },
        line('plain JSON-RPC posts', 'thin'),
        line('official client, session (2025)', 'session'),
        line('official client, stateless (2026)', 'modern'),
      ],
      notes: ['The 2026 client may answer from its own cache: the list says how long it stands.'],
    };
  } finally {
    await Promise.allSettled(Object.values(callers).map((caller) => caller.close()));
  }
}
