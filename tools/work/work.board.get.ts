import { z } from 'zod';
import { columns, taskFilter, headlineOf, taskOrders, taskSummary } from '../../contracts/work/work.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = taskFilter.extend({
  order: z.enum(taskOrders).default('priority'),
  limit_per_column: z.number().int().min(1).max(1_000).default(25),
  column: z.enum(columns).optional().describe('More of this column alone, with its cursor'),
  cursor: z.string().max(512).optional().describe('From next'),
  since_rev: z.string().max(64).optional().describe('The rev of a former answer: only tasks that changed since'),
});

const ofEach = <T extends z.ZodType>(type: T) =>
  z.object(Object.fromEntries(columns.map((name) => [name, type])) as Record<(typeof columns)[number], T>);

const output = z.object({
  columns: ofEach(z.array(taskSummary)),
  next: ofEach(z.string().optional()).describe('The cursor of each column that has more tasks'),
  stats: z.object({
    total_tasks: z.number(),
    ready: z.number(),
    done: z.number(),
    in_progress: z.number(),
    blocked: z.number(),
    review: z.number(),
    failed: z.number(),
  }),
  rev: z.string().describe('Pass it as since_rev to get what changed afterwards'),
  changed: z
    .array(z.string())
    .nullable()
    .describe('With since_rev: all tasks that changed; the columns have those that match. Null: the board anew'),
});

const getKanbanBoard: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'get_kanban_board',
  system: 'devflow',
  description: 'The whole board: backlog, ready, in_progress, review, done, with counts.',
  input: z.object({}),
  toInput: () => ({ limit_per_column: 1_000 }),
  toAnswer: ({ columns: all, stats: { total_tasks, done, in_progress, blocked } }) => ({
    // Fields that this contract does not have are left out.
    columns: Object.fromEntries(Object.entries(all).map(([name, tasks]) => [name, tasks.map(headlineOf)])),
    stats: { total_tasks, done, in_progress, blocked },
  }),
};

export default defineTool({
  name: 'work.board.get',
  title: 'Kanban board',
  description:
    'The board of one phase or all: backlog, ready, in_progress, review, done, each with its first tasks, a cursor for more, and counts of everything; or what changed since a former answer.',
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
  async handler({ limit_per_column: limit, since_rev: since, ...wanted }, { caller, services }) {
    const board = await services.work.boards.get(caller.tenant, { ...wanted, limit, since });
    const listed = Object.values(board.columns).reduce((sum, tasks) => sum + tasks.length, 0);
    return { data: board, metadata: { result_count: listed, total_count: board.stats.total_tasks } };
  },
});
