import { z } from 'zod';
import { columns, phaseId, taskSummary } from '../../contracts/work/work.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({
  phase_id: phaseId.optional(),
  limit_per_column: z.number().int().min(1).max(1_000).default(25),
});

const output = z.object({
  columns: z.object(
    Object.fromEntries(columns.map((name) => [name, z.array(taskSummary)])) as Record<
      (typeof columns)[number],
      z.ZodArray<typeof taskSummary>
    >,
  ),
  stats: z.object({
    total_tasks: z.number(),
    ready: z.number(),
    done: z.number(),
    in_progress: z.number(),
    blocked: z.number(),
    review: z.number(),
    failed: z.number(),
  }),
});

const getKanbanBoard: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'get_kanban_board',
  system: 'devflow',
  description: 'The whole board: backlog, ready, in_progress, review, done, with counts.',
  input: z.object({}),
  toInput: () => ({ limit_per_column: 1_000 }),
  toAnswer: ({ columns: all, stats: { total_tasks, done, in_progress, blocked } }) => ({
    columns: all,
    stats: { total_tasks, done, in_progress, blocked },
  }),
};

export default defineTool({
  name: 'work.board.get',
  title: 'Kanban board',
  description:
    'The board of one phase or all: backlog, ready, in_progress, review, done, each with its first tasks, and counts of everything.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:read'],
  latency: 'L1',
  input,
  output,
  intents: ['show me the board', 'how is the project going', 'how many tasks are left'],
  core: true,
  aliases: [getKanbanBoard],
  async handler({ phase_id, limit_per_column }, { caller, services }) {
    const board = await services.work.queries.board(caller.tenant, phase_id, limit_per_column);
    const listed = Object.values(board.columns).reduce((sum, tasks) => sum + tasks.length, 0);
    return { data: board, metadata: { result_count: listed, total_count: board.stats.total_tasks } };
  },
});
