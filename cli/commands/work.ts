import type { Command } from 'commander';
import type { Priority, Task } from '../../contracts/work/work.ts';
import { examples, isJson, list, number, oneOf } from './help.ts';

// Not imported as values: help needs no zod.
const priorities = ['high', 'medium', 'low'] as const satisfies Priority[];
const taskStatuses = ['blocked', 'ready', 'in_progress', 'review', 'done', 'failed'] as const satisfies Task['status'][];

const phase = number(1, 1000);
const agentIdHelp = 'the worker in whose name it is done; default: the key';

export interface TaskFilters {
  phase?: number;
  status?: string;
  tags?: string[];
  assignedTo?: string;
  limit: number;
}

export interface NewTask {
  phase: number;
  priority?: string;
  blockedBy?: string[];
  tags?: string[];
  lease?: number;
  agentId?: string;
  idempotencyKey?: string;
}

export interface Claim {
  phase?: number;
  lease?: number;
  agentId?: string;
}

export interface Completion {
  token?: number;
  result?: string;
  agentId?: string;
}

export function addWorkCommands(program: Command): void {
  const tasks = program
    .command('tasks')
    .summary('the board: file, claim and finish tasks')
    .description('Tasks, their dependencies and who works on them.');
  const load = () => import('../work.ts');

  tasks
    .command('ls')
    .summary('list tasks')
    .description('Lists tasks, oldest first.')
    .option('--phase <n>', '1 plan, 2 implement, 3 verify', phase)
    .option('--status <status>', taskStatuses.join(', '), oneOf(...taskStatuses))
    .option('--tags <list>', 'that carry all of these', list)
    .option('--assigned-to <agent>', 'held by this worker')
    .option('--limit <n>', 'at most', number(1, 100), 50)
    .addHelpText('after', examples(['signalbox tasks ls --status ready', ''], ['signalbox tasks ls --phase 2 --tags auth --json', '']))
    .action(async (options: TaskFilters, command: Command) => (await load()).listTasks(options, isJson(command)));

  tasks
    .command('create <description>')
    .summary('file a task')
    .description('Files a task for any worker to claim. It becomes ready by itself when the tasks it waits for are done.')
    .requiredOption('--phase <n>', '1 plan, 2 implement, 3 verify', phase)
    .option('--priority <priority>', priorities.join(', '), oneOf(...priorities))
    .option('--blocked-by <ids>', 'tasks that must be done first', list)
    .option('--tags <list>', 'words to find it by', list)
    .option('--lease <seconds>', 'how long a claim lasts without a heartbeat', number(1, 86_400))
    .option('--agent-id <id>', agentIdHelp)
    .option('--idempotency-key <key>', 'a repeat under the same key acts once')
    .addHelpText(
      'after',
      examples(
        ['signalbox tasks create "Write the migration" --phase 2 --priority high', ''],
        ['signalbox tasks create "Test it" --phase 3 --blocked-by task_01jd3f8k', 'waits for the other'],
      ),
    )
    .action(async (description: string, options: NewTask, command: Command) =>
      (await load()).createTask(description, options, isJson(command)),
    );

  tasks
    .command('claim [id]')
    .summary('take the next ready task, or a certain one')
    .description(
      'Assigns the next ready task of a phase, or the named one, under a lease. Prints the fencing token that completing it needs.',
    )
    .option('--phase <n>', 'take the next ready task of this phase', phase)
    .option('--lease <seconds>', 'default: as the task says', number(1, 86_400))
    .option('--agent-id <id>', agentIdHelp)
    .addHelpText(
      'after',
      examples(['signalbox tasks claim --phase 2 --agent-id builder-1', ''], ['signalbox tasks claim task_01jd3f8k2m9x', '']),
    )
    .action(async (id: string | undefined, options: Claim, command: Command) => (await load()).claimTask(id, options, isJson(command)));

  tasks
    .command('complete <id>')
    .summary('hand in a task')
    .description('Marks a claimed task done. Tasks that wait for it become ready.')
    .option('--token <n>', 'the fencing token of the claim; whoever claimed must show it', number(1, Number.MAX_SAFE_INTEGER))
    .option('--result <text>', 'what was achieved')
    .option('--agent-id <id>', agentIdHelp)
    .addHelpText('after', examples(['signalbox tasks complete task_01jd3f8k2m9x --token 3 --result "Merged"', '']))
    .action(async (id: string, options: Completion, command: Command) => (await load()).completeTask(id, options, isJson(command)));

  tasks
    .command('get <id>')
    .summary('everything about a task')
    .description('Shows a task with its comments.')
    .addHelpText('after', examples(['signalbox tasks get task_01jd3f8k2m9x', '']))
    .action(async (id: string, _options: unknown, command: Command) => (await load()).getTask(id, isJson(command)));

  tasks
    .command('board')
    .summary('the board by column')
    .description('Shows how many tasks stand where, and the first of each column.')
    .option('--phase <n>', 'only this phase', phase)
    .addHelpText('after', examples(['signalbox tasks board', ''], ['signalbox tasks board --phase 2', '']))
    .action(async (options: { phase?: number }, command: Command) => (await load()).showBoard(options, isJson(command)));
}
