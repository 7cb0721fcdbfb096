import { z } from 'zod';
import { board, type BoardAnswer } from '../../contracts/work/board.ts';
import { boardName } from '../../contracts/work/saved-boards.ts';
import { columns, headlineOf, taskFilter, taskOrders, withDetails } from '../../contracts/work/work.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = taskFilter.extend({
  board: boardName.optional().describe('A saved board; other filters narrow it or take the place of its own'),
  order: z.enum(taskOrders).default('priority'),
  limit_per_column: z.number().int().min(1).max(1_000).default(25),
  column: z.enum(columns).optional().describe('Only this column; use with cursor'),
  cursor: z.string().max(512).optional().describe('From next'),
  details: withDetails,
  since_rev: z.string().max(64).optional().describe('rev of an earlier answer: only tasks that changed since'),
});

const getKanbanBoard: Alias<z.input<typeof input>, BoardAnswer> = {
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
    'The board of one phase or all: backlog, ready, in_progress, review, done, each with its first tasks, a cursor for more, and counts of everything; or what changed since an earlier answer.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:read'],
  latency: 'L1',
  input,
  output: board,
  intents: ['show me the board', 'how is the project going', 'how many tasks are left'],
  core: { seldom: ['stuck', 'overdue', 'reserved_for', 'parent_id', 'archived', 'board', 'order', 'since_rev'] },
  aliases: [getKanbanBoard],
  async handler({ limit_per_column: limit, since_rev: since, board: name, ...given }, { caller, services }) {
    const wanted = await services.work.saved.within(caller.tenant, name, given);
    const found = await services.work.boards.get(caller.tenant, { ...wanted, limit, since });
    const listed = Object.values(found.columns).reduce((sum, tasks) => sum + tasks.length, 0);
    return { data: found, metadata: { result_count: listed, total_count: found.stats.total_tasks } };
  },
});
