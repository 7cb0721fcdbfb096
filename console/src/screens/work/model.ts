/** What follows from the board's data: filters, the effect of a change, and the moves that a task's process accepts. */
import type { Board, Holder, LaneKind } from '../../../../contracts/work/board.ts';
import type { Column, Phase, StuckReason, TaskSummary } from '../../../../contracts/work/work.ts';

export const columns = ['backlog', 'ready', 'in_progress', 'review', 'done'] as const satisfies Column[];
export const columnNames: Record<Column, string> = {
  backlog: 'Backlog',
  ready: 'Ready',
  in_progress: 'In progress',
  review: 'Review',
  done: 'Done',
};
export const stuckWords: Record<StuckReason, string> = {
  lapsed: 'its lease has expired',
  silent: 'no heartbeat for half its lease',
  blocked: 'a blocker has failed',
  exhausted: 'all attempts are used',
  waiting: 'waits far longer than usual',
};

export const defaults = {
  phase: '',
  q: '',
  priority: '',
  agent: '',
  tag: '',
  stuck: '',
  order: 'priority',
  view: 'board',
  lanes: '',
  column: 'ready',
  create: '',
};
export type WorkUrl = typeof defaults;
export const cleared = { phase: '', q: '', priority: '', agent: '', tag: '', stuck: '' };

export const isFiltered = (url: WorkUrl): boolean => Object.keys(cleared).some((name) => url[name as keyof typeof cleared] !== '');

/** Arguments of work.board.get and work.task.list. */
export const filterOf = (url: WorkUrl): Record<string, unknown> => ({
  ...(/^\d{1,9}$/.test(url.phase) ? { phase_id: Number(url.phase) } : {}),
  ...(url.q.trim() ? { search: url.q.trim().slice(0, 200) } : {}),
  ...(/^(high|medium|low)$/.test(url.priority) ? { priority: url.priority } : {}),
  ...(url.agent.trim() ? { assigned_to: url.agent.trim().slice(0, 128) } : {}),
  ...(url.tag.trim() ? { tags: url.tag.split(',').flatMap((tag) => tag.trim() || []) } : {}),
  ...(url.stuck in { any: 1, ...stuckWords } ? { stuck: url.stuck } : {}),
  order: /^(priority|oldest|newest|updated)$/.test(url.order) ? url.order : 'priority',
});

export type Presences = ReadonlyMap<string, Holder['presence']>;
export const presencesOf = (holders: readonly Holder[]): Presences => new Map(holders.map(({ agent, presence }) => [agent, presence]));
export const presenceWords: Record<Holder['presence'], string> = {
  healthy: 'online',
  unhealthy: 'quiet',
  offline: 'offline',
  paused: 'paused',
  none: 'not watched',
};

export const laneWords: Record<LaneKind, string> = { phase: 'by phase', assignee: 'by assignee', priority: 'by priority' };
export const laneOf = (text: string): LaneKind | null => (Object.hasOwn(laneWords, text) ? (text as LaneKind) : null);

export function laneName(by: LaneKind, lane: string, phases: readonly Pick<Phase, 'id' | 'name'>[]): string {
  if (by === 'phase') return `${lane} ${phases.find(({ id }) => String(id) === lane)?.name ?? ''}`.trim();
  return lane === '' ? 'Nobody' : by === 'priority' ? `${lane[0]!.toUpperCase()}${lane.slice(1)}` : lane;
}

/** A lane's tasks, as a filter of the board. */
export const laneFilter = (by: LaneKind, lane: string, filter: Record<string, unknown>): Record<string, unknown> => ({
  ...filter,
  ...(by === 'phase' ? { phase_id: Number(lane) } : by === 'priority' ? { priority: lane } : { assigned_to: lane }),
});

/** Tasks counted in a column. */
export const countOf = ({ stats }: Pick<Board, 'stats'>, column: Column): number =>
  ({ backlog: stats.blocked, ready: stats.ready, in_progress: stats.in_progress, review: stats.review + stats.failed, done: stats.done })[
    column
  ];

export const columnOf = ({ status }: Pick<TaskSummary, 'status'>): Column =>
  status === 'blocked' ? 'backlog' : status === 'failed' ? 'review' : status;

const rank = { high: 0, medium: 1, low: 2 };
/** As the server sorts a column. */
export function before(a: TaskSummary, b: TaskSummary, column: Column, order: string): number {
  const byText = (x: string, y: string): number => (x < y ? -1 : x > y ? 1 : 0);
  if (order === 'priority' && column === 'done') return byText(b.completed_at ?? '', a.completed_at ?? '') || byText(a.id, b.id);
  if (order === 'priority') return rank[a.priority] - rank[b.priority] || byText(a.created_at, b.created_at) || byText(a.id, b.id);
  if (order === 'oldest') return byText(a.created_at, b.created_at) || byText(a.id, b.id);
  if (order === 'newest') return byText(b.created_at, a.created_at) || byText(b.id, a.id);
  return byText(b.updated_at, a.updated_at) || byText(b.id, a.id);
}

/**
 * The board after what changed. A task that went beyond the part of a column that was read comes with the column's next
 * page; an older revision never takes the place of a newer one.
 */
export function patched(board: Board, delta: Board, order: string): Board {
  const changed = new Set(delta.changed);
  if (changed.size === 0) return { ...board, stats: delta.stats, by_phase: delta.by_phase, rev: delta.rev };
  const known = new Map(
    columns.flatMap((column) => board.columns[column].filter(({ id }) => changed.has(id)).map((task) => [task.id, task])),
  );
  const arrived = columns
    .flatMap((column) => delta.columns[column])
    .map((task) => ((known.get(task.id)?.rev ?? -1) > task.rev ? known.get(task.id)! : task));
  const next = { ...board.columns };
  for (const column of columns) {
    const mine = arrived.filter((task) => columnOf(task) === column);
    const kept = next[column].filter(({ id }) => !changed.has(id));
    if (mine.length === 0 && kept.length === next[column].length) continue;
    const more = board.next[column] !== undefined;
    const last = next[column].at(-1);
    const within = mine.filter((task) => !more || !last || before(task, last, column, order) <= 0);
    next[column] = [...kept, ...within].toSorted((a, b) => before(a, b, column, order));
  }
  return { ...board, columns: next, stats: delta.stats, by_phase: delta.by_phase, rev: delta.rev };
}

/** A column with its next page. Tasks that came by a change meanwhile are not doubled. */
export function extended(board: Board, page: Board, column: Column): Board {
  const here = new Set(board.columns[column].map(({ id }) => id));
  const { [column]: _read, ...others } = board.next;
  return {
    ...board,
    columns: { ...board.columns, [column]: [...board.columns[column], ...page.columns[column].filter(({ id }) => !here.has(id))] },
    next: page.next[column] === undefined ? others : { ...others, [column]: page.next[column] },
  };
}

/** The title, else the first line of the description, for a card. */
export const headline = (description: string): string =>
  description
    .trimStart()
    .split('\n', 1)[0]!
    .replace(/^#{1,6}\s+/, '')
    .trim() || 'Untitled task';

/** What is left of a lease, from 1 to 0. */
export const leaseRest = (
  { lease_expires_at: at, lease_seconds: seconds }: Pick<TaskSummary, 'lease_expires_at' | 'lease_seconds'>,
  now: number,
): number => (at === null ? 0 : Math.max(0, Math.min(1, (Date.parse(at) - now) / (seconds * 1000))));

export interface Group {
  agent: string;
  tasks: TaskSummary[];
}
/** Tasks by holder, those with the most first. */
export function byAgent(tasks: TaskSummary[]): Group[] {
  const groups = new Map<string, TaskSummary[]>();
  for (const task of tasks) {
    const agent = task.assigned_agent_id ?? '';
    groups.set(agent, [...(groups.get(agent) ?? []), task]);
  }
  return [...groups]
    .map(([agent, its]) => ({ agent, tasks: its }))
    .toSorted((a, b) => b.tasks.length - a.tasks.length || (a.agent < b.agent ? -1 : 1));
}
