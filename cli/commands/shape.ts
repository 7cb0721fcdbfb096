import { readFileSync } from 'node:fs';
import type { Output } from '../client.ts';
import { usage } from '../exit.ts';
import { asAgent, choice, either, list, number, option } from '../fields.ts';
import { aside, note, paint, say, sayJson, table } from '../output.ts';
import { call, plain, type Rows, verb } from '../table.ts';
import { paintStatus } from './work.ts';

const expected_rev = option('--expected-rev <n>', 'edit_rev that you have read; refused if it was edited since', number(0, 2_147_483_647));
const free = option('--free', 'take it off the blockers of tasks that wait for it; otherwise it is refused when there are any');
const reason = option('--reason <text>', 'told to whoever held it or waited for it');

type Task = Output<'work.task.edit'>['task'];
const named = ({ id, title }: Task): string => (title === null ? id : `${id} (${title})`);
const sayReady = (ids: string[]): void => {
  if (ids.length > 0) say(`Now ready: ${ids.join(', ')}`);
};

/** Commands for what people decide about tasks. */
export const shapeRows: Rows = {
  'tasks edit': plain({
    help: 'change what a task says and how it is worked on\nChanges fields of a task; those that are left out stay. `signalbox tasks get` shows the result.',
    takes: {
      task_id: '<id>',
      title: option('--title <text>', 'a short name; empty: none'),
      description: option('--description <text>', 'what is to be done'),
      tags: option('--tags <list>', 'replaces all tags', list),
      due_at: option('--due <time>', 'with time zone, e.g. 2027-03-01T17:00:00Z; empty: none'),
      needs_review: either('review', 'finished work waits for a review', 'finished work is done'),
      max_attempts: option('--max-attempts <n>', 'claims before a lapsed lease means triage', number(1, 20)),
      lease_seconds: option('--lease <seconds>', 'how long a claim lasts without a heartbeat', number(1, 86_400)),
      expected_rev,
      agentId: asAgent,
    },
    examples: [
      'signalbox tasks edit task_01jd3f8k2m9x --title "Fix the login" --due 2027-03-01T17:00:00Z',
      'signalbox tasks edit task_01jd3f8k2m9x --tags auth,urgent --expected-rev 3',
    ],
    tool: 'work.task.edit',
    input: ({ agentId: _agent, json: _json, title, due_at, ...fields }) => ({
      ...fields,
      ...(title === undefined ? {} : { title: title || null }),
      ...(due_at === undefined ? {} : { due_at: due_at || null }),
    }),
    show: ({ data: { task } }) => say(`${named(task)} is edited; its edit_rev is ${task.edit_rev}.`),
  }),
  'tasks move': plain({
    help: 'give a task another phase or priority\nMoves a task; claims go by phase and priority. A running lease stays.',
    takes: {
      task_id: '<id>',
      phase_id: option('--phase <n>', 'its new phase', number(1, 1000)),
      priority: choice('--priority <priority>', ['high', 'medium', 'low']),
      expected_rev,
      agentId: asAgent,
    },
    examples: ['signalbox tasks move task_01jd3f8k2m9x --phase 3', 'signalbox tasks move task_01jd3f8k2m9x --priority high'],
    tool: 'work.task.move',
    input({ agentId: _agent, json: _json, ...fields }) {
      if (fields.phase_id === undefined && fields.priority === undefined) throw usage('Give --phase, --priority or both.');
      return fields;
    },
    show: ({ data: { task } }) => say(`${named(task)} is in phase ${task.phase_id} with priority ${task.priority}.`),
  }),
  'tasks assign': plain({
    help: 'reserve a task for a worker\nReserves a task, so that a claim gives it to this worker only. Without a worker the reservation is lifted.',
    takes: { task_id: '<id>', worker: '[worker]', expected_rev, agentId: asAgent },
    examples: ['signalbox tasks assign task_01jd3f8k2m9x builder-1', 'signalbox tasks assign task_01jd3f8k2m9x # lifts the reservation'],
    tool: 'work.task.assign',
    input: ({ agentId: _agent, json: _json, worker = null, ...fields }) => ({ ...fields, worker }),
    show: ({ data: { task } }) =>
      say(`${named(task)} is ${task.reserved_for === null ? 'for any worker' : `reserved for ${task.reserved_for}`}.`),
  }),
  'tasks ready': plain({
    help: 'give failed, reviewed or held work to the next claim\nMakes a task ready again; the attempt does not count. Whoever claimed it shows its token.',
    takes: {
      task_id: '<id>',
      fencing_token: option('--token <n>', 'the fencing token of the claim', number(1, Number.MAX_SAFE_INTEGER)),
      agentId: asAgent,
    },
    examples: ['signalbox tasks ready task_01jd3f8k2m9x'],
    tool: 'work.task.update_status',
    input: ({ agentId: _agent, json: _json, ...fields }) => ({ ...fields, status: 'ready' as const }),
    show: ({ data: { task } }) => say(`${named(task)} is ready.`),
  }),
  'tasks archive': plain({
    help: 'take an ended task off the board\nTakes a task that is done or has failed off lists and boards. It stays readable by its id.',
    takes: { task_id: '<id>', undo: option('--undo', 'put it back'), agentId: asAgent },
    examples: ['signalbox tasks archive task_01jd3f8k2m9x', 'signalbox tasks archive task_01jd3f8k2m9x --undo'],
    tool: 'work.task.archive',
    input: ({ task_id, undo }) => ({ task_id, archived: undo !== true }),
    show: ({ data: { task } }) => say(`${named(task)} is ${task.archived_at === null ? 'on the board' : 'archived'}.`),
  }),
  'tasks cancel': plain({
    help: 'end a task that is not wanted any more\nEnds a task at once, also one that somebody works on. It stays readable and leaves the board.',
    takes: { task_id: '<id>', reason, free, agentId: asAgent },
    examples: ['signalbox tasks cancel task_01jd3f8k2m9x --reason "Out of scope"', 'signalbox tasks cancel task_01jd3f8k2m9x --free'],
    tool: 'work.task.cancel',
    input: ({ task_id, reason: why, free: freed }) => ({
      task_id,
      ...(why === undefined ? {} : { reason: why }),
      dependants: freed ? 'free' : 'refuse',
    }),
    show({ data: { task, unblocked_tasks } }) {
      say(`${named(task)} is cancelled.`);
      sayReady(unblocked_tasks);
    },
  }),
  'tasks delete': plain({
    help: 'delete a task for good\nDeletes a task with its comments and history, and ends its process. Only people may.',
    takes: { task_id: '<id>', reason, free },
    examples: ['signalbox tasks delete task_01jd3f8k2m9x --reason "Filed twice"'],
    tool: 'work.task.delete',
    input: ({ task_id, reason: why, free: freed }) => ({
      task_id,
      ...(why === undefined ? {} : { reason: why }),
      dependants: freed ? 'free' : 'refuse',
    }),
    show({ data: { unblocked_tasks } }, { task_id }) {
      say(`${task_id} is deleted.`);
      sayReady(unblocked_tasks);
    },
  }),
  'tasks graph': plain({
    help: 'dependencies as a tree\nShows what a task waits for and what waits for it, with the state of each.',
    takes: { task_id: '<id>', depth: option('--depth <n>', 'steps in each direction', number(1, 20)) },
    examples: ['signalbox tasks graph task_01jd3f8k2m9x', 'signalbox tasks graph task_01jd3f8k2m9x --depth 2 --json'],
    tool: 'work.task.graph',
    async show({ data: graph }, { task_id }) {
      const { treeOf } = await import('../trees.ts');
      const looks = { status: paintStatus, dim: (text: string) => paint('dim', text) };
      for (const [way, head] of [
        ['up', 'waits for'],
        ['down', 'is waited for by'],
      ] as const) {
        const lines = treeOf(graph, task_id, way, looks);
        say(lines.length === 0 ? `${task_id} ${head} nothing.` : `${task_id} ${head}`);
        for (const line of lines) say(line);
      }
      if (graph.more) note('\nThere are more; --depth shows further steps.');
    },
  }),
  'tasks plan': verb({
    help: 'split a text or a big task into tasks\nProposes tasks with phases and dependencies from a Markdown file, from - (standard input) or from the description of a task. Nothing is filed without --accept.',
    takes: {
      source: '<source>',
      phase_id: option('--phase <n>', 'of tasks for which the text names none', number(1, 1000)),
      by_rules: option('--by-rules', 'without the language model'),
      accept: option('--accept', 'file the tasks'),
      agentId: asAgent,
    },
    examples: [
      'signalbox tasks plan PLAN.md',
      'signalbox tasks plan PLAN.md --accept',
      'signalbox tasks plan task_01jd3f8k2m9x --by-rules',
    ],
    async run({ source, phase_id, by_rules, accept, agentId, json }) {
      const given = /^task_[0-9a-z]+$/.test(source) ? { task_id: source } : { text: textOf(source) };
      const proposed = await call('work.plan.propose', { ...given, phase_id, by_rules: by_rules === true }, { agentId });
      const { plan, by } = proposed.data;
      if (!accept) {
        if (json) return sayJson(proposed.data);
        table(plan.tasks, [
          'ref',
          'phase_id as phase',
          'priority',
          { after: ({ after }) => after.join(', ') || null },
          'part_of as part of',
          'title',
        ]);
        aside(proposed);
        return note(`\n${plan.tasks.length} tasks, read by ${by === 'rules' ? 'rules' : 'the language model'}; --accept files them.`);
      }
      const filed = await call('work.plan.accept', { plan }, { agentId });
      if (json) return sayJson(filed.data);
      const titles = new Map(plan.tasks.map(({ ref, title }) => [ref, title]));
      table(filed.data.tasks, ['task_id as id', 'status', { title: ({ ref }) => titles.get(ref) }], { status: paintStatus });
      aside(proposed);
    },
  }),
  'tasks boards': plain({
    help: 'list saved boards\nShows the boards that have a name; `signalbox tasks board --board NAME` shows one.',
    examples: ['signalbox tasks boards'],
    tool: 'work.board.list',
    list: 'boards',
    columns: ['name', { filter: ({ filter }) => JSON.stringify(filter) }, 'created_by as by'],
    none: 'No boards.',
  }),
};

/** @throws CliError when it cannot be read */
function textOf(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw usage(
      `${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`,
      'Give a Markdown file, - or the id of a task.',
    );
  }
}
