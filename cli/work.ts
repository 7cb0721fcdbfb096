import type { Comment, Task, TaskSummary } from '../contracts/work/work.ts';
import { ok } from './client.ts';
import type { Claim, Completion, NewTask, TaskFilters } from './commands/work.ts';
import { usage } from './exit.ts';
import { defined, facts, note, oneLine, paint, say, sayJson, table } from './output.ts';
import { aside } from './tools.ts';

const colours = { ready: 'cyan', in_progress: 'yellow', review: 'yellow', done: 'green', failed: 'red', blocked: 'dim' } as const;
const paintStatus = (text: string): string => {
  const colour = colours[text.trim() as keyof typeof colours];
  return colour ? paint(colour, text) : text;
};

function showTask(task: Task): void {
  facts([
    ['task', task.id],
    ['status', task.status],
    ['phase', task.phase_id],
    ['priority', task.priority],
    ['description', task.description],
    ['tags', task.tags.join(', ')],
    ['waits for', task.blocked_by.join(', ')],
    ['held by', task.assigned_agent_id],
    ['token', task.status === 'in_progress' ? task.fencing_token : null],
    ['lease until', task.lease_expires_at],
    ['attempts', task.attempts > 0 ? `${task.attempts} of ${task.max_attempts}` : null],
    ['progress', task.progress],
    ['result', task.result],
    ['failure', task.failure],
    ['created', `${task.created_at} by ${task.created_by}`],
    ['completed', task.completed_at],
  ]);
}

export async function listTasks(options: TaskFilters, json: boolean): Promise<void> {
  const answer = await ok<{ tasks: TaskSummary[] }>(
    'work.task.list',
    defined({ phase_id: options.phase, status: options.status, tags: options.tags, assigned_to: options.assignedTo, limit: options.limit }),
  );
  if (json) return sayJson({ ...answer.data, total: answer.metadata.total_count, next_cursor: answer.metadata.next_cursor });
  if (answer.data.tasks.length === 0) return say('No tasks.');
  table(
    ['id', 'phase', 'status', 'priority', 'held by', 'description'],
    answer.data.tasks.map((task) => [task.id, task.phase_id, task.status, task.priority, task.assigned_agent_id, task.description]),
    (text, _row, column) => (column === 2 ? paintStatus(text) : text),
  );
  const total = answer.metadata.total_count ?? 0;
  if (total > answer.data.tasks.length) note(`\n${answer.data.tasks.length} of ${total}; --limit shows more, filters show others.`);
}

export async function createTask(description: string, options: NewTask, json: boolean): Promise<void> {
  const answer = await ok<{ task: Task }>(
    'work.task.create',
    defined({
      description,
      phase_id: options.phase,
      priority: options.priority,
      blocked_by: options.blockedBy,
      tags: options.tags,
      lease_seconds: options.lease,
    }),
    { agentId: options.agentId, idempotencyKey: options.idempotencyKey },
  );
  if (json) return sayJson(answer.data);
  say(`${answer.data.task.id} is ${paintStatus(answer.data.task.status)}.`);
  aside(answer);
}

export async function claimTask(id: string | undefined, options: Claim, json: boolean): Promise<void> {
  if ((id === undefined) === (options.phase === undefined))
    throw usage('Give either a task id or --phase.', '--phase takes the next ready task of a phase.');
  const answer = await ok<{ task: Task | null }>(
    'work.task.claim',
    defined({ task_id: id, phase_id: options.phase, lease_seconds: options.lease }),
    { agentId: options.agentId },
  );
  if (json) return sayJson(answer.data);
  const { task } = answer.data;
  if (!task) return say(`No task of phase ${options.phase} is ready.`);
  showTask(task);
  aside(answer);
  const worker = options.agentId === undefined ? '' : ` --agent-id ${options.agentId}`;
  note(`Hand it in with \`signalbox tasks complete ${task.id} --token ${task.fencing_token}${worker}\`.`);
}

export async function completeTask(id: string, options: Completion, json: boolean): Promise<void> {
  const answer = await ok<{ task: Task; unblocked_tasks: string[] }>(
    'work.task.complete',
    defined({ task_id: id, fencing_token: options.token, result: options.result }),
    { agentId: options.agentId },
  );
  if (json) return sayJson(answer.data);
  say(`${answer.data.task.id} is ${paintStatus(answer.data.task.status)}.`);
  if (answer.data.unblocked_tasks.length > 0) say(`Now ready: ${answer.data.unblocked_tasks.join(', ')}`);
  aside(answer);
}

export async function getTask(id: string, json: boolean): Promise<void> {
  const answer = await ok<{ task: Task; comments?: Comment[] }>('work.task.get', { task_id: id });
  if (json) return sayJson(answer.data);
  showTask(answer.data.task);
  for (const comment of answer.data.comments ?? [])
    say(`${paint('dim', `${comment.created_at} ${comment.author}`)}  ${oneLine(comment.body)}`);
  aside(answer);
}

export async function showBoard(options: { phase?: number }, json: boolean): Promise<void> {
  const answer = await ok<{ columns: Record<string, TaskSummary[]>; stats: Record<string, number> }>(
    'work.board.get',
    defined({ phase_id: options.phase }),
  );
  if (json) return sayJson(answer.data);
  const { columns, stats } = answer.data;
  say(
    Object.entries(stats)
      .map(([name, count]) => `${paint('bold', String(count))} ${name.replaceAll('_', ' ')}`)
      .join(', '),
  );
  for (const [name, tasks] of Object.entries(columns)) {
    if (tasks.length === 0) continue;
    say();
    say(paint('bold', name.replaceAll('_', ' ')));
    table(
      ['id', 'phase', 'priority', 'held by', 'description'],
      tasks.map((task) => [task.id, task.phase_id, task.priority, task.assigned_agent_id, task.description]),
    );
  }
}
