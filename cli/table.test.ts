import { Command } from 'commander';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { needed, number, option } from './fields.ts';
import { pick, table } from './output.ts';
import { buildProgram } from './program.ts';
import { addRows, call, plain, type Rows, verb } from './table.ts';

/** A fake Signalbox: records requests and answers what the test sets. */
const asked: { url: string | undefined; agent: string | undefined; body: unknown }[] = [];
let envelope: object = {};
const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => void parts.push(part));
  request.on('end', () => {
    const agent = request.headers['x-agent-id'] as string | undefined;
    asked.push({ url: request.url, agent, body: JSON.parse(Buffer.concat(parts).toString()) });
    response.end(JSON.stringify({ status: 'success', metadata: {}, refs: [], warnings: [], tool_call_id: 'x', ...envelope }));
  });
});
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  vi.stubEnv('SIGNALBOX_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
});
afterEach(() => void asked.splice(0));

/** Runs a command line. @returns its stdout and stderr */
async function run(rows: Rows, line: string): Promise<[out: string, err: string]> {
  const printed: [string, string] = ['', ''];
  const spies = [process.stdout, process.stderr].map((stream, i) =>
    vi.spyOn(stream, 'write').mockImplementation((text) => ((printed[i as 0 | 1] += text as string), true)),
  );
  try {
    const program = new Command('signalbox').option('--json').exitOverride();
    addRows(program, rows);
    for (const each of program.commands) each.exitOverride();
    await program.parseAsync(line.split(' '), { from: 'user' });
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return printed;
}

const rows: Rows = {
  tasks: { help: 'tasks\nAll about tasks.' },
  'tasks ls': plain({
    help: 'list tasks',
    takes: { phase_id: option('--phase <n>', 'of this phase', number(1, 9)), limit: option('--limit <n>', 'at most', number(1, 9), 5) },
    tool: 'work.task.list',
    list: 'tasks',
    columns: ['id', 'phase_id as phase', { about: ({ description }) => description.toUpperCase() }],
    none: ({ phase_id }) => `None of ${phase_id ?? 'any phase'}.`,
  }),
  'tasks done': plain({
    help: 'hand in',
    takes: { task_id: '<id>', agentId: option('--agent-id <id>', 'who') },
    tool: 'work.task.complete',
    show: ({ data }, { task_id }) => void process.stdout.write(`${task_id}: ${data.task.status}\n`),
  }),
};

it('sends what was given under the names of the tool, and prints a list', async () => {
  const tasks = [{ id: 'task_1', phase_id: 2, description: 'dig' }];
  envelope = { data: { tasks }, metadata: { total_count: 3, next_cursor: 'c' } };
  expect(await run(rows, 'tasks ls --phase 2')).toEqual([
    'id      phase  about\ntask_1      2  DIG\n',
    '\n1 of 3; --limit shows more, filters show others.\n',
  ]);
  expect(asked).toEqual([{ url: '/api/tools/work.task.list', agent: undefined, body: { phase_id: 2, limit: 5 } }]);
  expect(JSON.parse((await run(rows, 'tasks ls --json'))[0])).toEqual({ tasks, total: 3, next_cursor: 'c' });
  envelope = { data: { tasks: [] } };
  expect(await run(rows, 'tasks ls --phase 2')).toEqual(['None of 2.\n', '']);
});

it('sends headers apart, and tells warnings beside the answer', async () => {
  envelope = { data: { task: { status: 'done' } }, warnings: ['late'] };
  expect(await run(rows, 'tasks done task_1 --agent-id ann')).toEqual(['task_1: done\n', 'Note: late\n']);
  expect(asked).toEqual([{ url: '/api/tools/work.task.complete', agent: 'ann', body: { task_id: 'task_1' } }]);
});

it('shows no answer where a person must agree first', async () => {
  envelope = { status: 'pending_approval', data: { approval_id: 'apr_1' }, warnings: ['It waits for a person.'] };
  expect(await run(rows, 'tasks done task_1')).toEqual(['', 'Note: It waits for a person.\n']);
  expect(JSON.parse((await run(rows, 'tasks done task_1 --json'))[0])).toEqual({ approval_id: 'apr_1' });
  const done = verb({
    help: 'x',
    run: async () => void process.stdout.write((await call('work.task.complete', { task_id: 'task_1' })).data.task.status),
  });
  expect(await run({ done }, 'done')).toEqual(['', 'Note: It waits for a person.\n']);
});

it('throws what the tool refuses', async () => {
  envelope = { status: 'error', data: null, error: { code: 'FORBIDDEN', message: 'No.', retryable: false } };
  await expect(run(rows, 'tasks done task_1')).rejects.toMatchObject({ code: 'FORBIDDEN', exit: 4 });
});

it('hands a function arguments and options by their names, without those that were not given', async () => {
  const seen: object[] = [];
  const row = verb({
    help: 'x',
    takes: { first: '<first>', rest: '[rest...]', must: needed('--must <text>', 'm'), flag: option('-f, --flag', 'f') },
    run: (given) => void seen.push(given),
  });
  await run({ go: row }, 'go a b c --must m');
  await run({ go: row }, 'go a --must m -f --json');
  expect(seen).toEqual([
    { first: 'a', rest: ['b', 'c'], must: 'm', json: false },
    { first: 'a', rest: [], must: 'm', flag: true, json: true },
  ]);
});

it('has a summary for every command, and examples that name it', () => {
  const walk = (command: Command, path: string): void => {
    expect([path, command.summary() || command.description()]).not.toEqual([path, '']);
    let help = '';
    command.configureOutput({ writeOut: (text) => void (help += text) }).outputHelp();
    for (const [, line] of help.matchAll(/^ {2}\$ (.*)$/gm)) if (path !== 'signalbox') expect(line).toContain(command.name());
    for (const each of command.commands) walk(each, `${path} ${each.name()}`);
  };
  walk(buildProgram(), 'signalbox');
});

it('shows lists joined, and what is absent as a dash', () => {
  expect(pick({ a: 1, tags: ['x', 'y'] }, 'a as number', 'tags')).toEqual({ number: 1, tags: 'x, y' });
  const lines: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => (lines.push(text as string), true));
  table([{ a: null, tags: ['x', 'y'] }], ['a', 'tags'], { tags: (text) => `<${text}>` });
  spy.mockRestore();
  expect(lines).toEqual(['a  tags\n', '-  <x, y>\n']);
});
