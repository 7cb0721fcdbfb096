import { expect, it, describe } from 'vitest';
import type { Briefing, WorkRun } from '../../contracts/work/runs.ts';
import { plainAgent } from './agents/plain.ts';
import { environmentFor, passed, secretsOf } from './environment.ts';
import { earliest } from './finish.ts';
import { reviewLink } from './git.ts';
import { versionIn } from './preflight.ts';
import { backAnew, backFor, prompt, saysNoChange } from './prompt.ts';
import { dataFolder, workerName } from './settings.ts';
import { endingOf, unsaid } from './verdict.ts';

const run = {
  attempt: 1,
  agent: 'claude',
  state: 'returned',
  outcome: 'failed',
  reason: 'It showed no life.',
  summary: 'Half of it',
  checks: [{ command: 'npm test', exit_code: 1, seconds: 2, output: '1 failed' }],
  review: { verdict: 'send_back', by: 'ann', at: '', note: 'Twice, please' },
} as unknown as WorkRun;

const briefing: Briefing = {
  task: { id: 'task_1', description: 'Add a flag\n\nWith a test.', tags: [], attempt: 2, max_attempts: 3 },
  phase: {
    id: 2,
    name: 'Implement',
    description: '',
    done_definitions: ['Tests pass'],
    additional_notes: 'Small steps',
    setup: [],
    checks: ['npm test'],
    merge: null,
    needs_review: false,
  },
  blockers: [{ id: 'task_0', description: 'Plan', result: 'Use commander' }],
  comments: [{ author: 'ann', body: 'Not so\nhere', created_at: '2026-01-01', path: 'cli/main.ts', line: 7, run_id: null }],
  earlier: [run],
};
const place = { worktree: '/w/task_1', branch: 'signalbox/task_1-2', base: 'main', continues: true, tools: true };

describe('the prompt', () => {
  it('has all that is known of the task, and how to end', () => {
    const text = prompt(briefing, place);
    for (const part of [
      'With a test.',
      'Tests pass',
      'Small steps',
      '> Use commander',
      'cli/main.ts line 7',
      '> Not so\n> here',
      'no life',
      '> Twice, please',
      '> 1 failed',
      '/w/task_1',
      'commits of a former attempt',
      '`npm test`',
      '`DONE`',
    ])
      expect(text).toContain(part);
    expect(text.indexOf('# Task task_1')).toBe(0);
    expect(prompt({ ...briefing, comments: [], earlier: [], blockers: [] }, place)).not.toContain('## Comments');
  });

  it('keeps the task in sight of long results, and says what an agent is sent back for', () => {
    const long = prompt({ ...briefing, blockers: [{ id: 'task_0', description: 'Plan', result: 'x'.repeat(500_000) }] }, place);
    expect(long.length).toBeLessThan(30_000);
    expect(backAnew('first', backFor.conflict('main', ['a.txt']))).toMatch(/^first\n[^]*- a\.txt[^]*`DONE`/);
    expect(saysNoChange(null, 'There is no change needed, because')).toBe(true);
    expect(saysNoChange('No changes were required.')).toBe(true);
    expect(saysNoChange('I changed what was needed', null)).toBe(false);
  });
});

describe('any program', () => {
  const read = (lines: string[], end: { exitCode: number | null; signal?: string }) => {
    const reader = plainAgent(['./my-agent']).reader();
    const events = lines.flatMap((line) => reader.read(line));
    return { events, reader, verdict: reader.end({ signal: null, errors: '', ...end }) };
  };

  it('gets the prompt by file where its arguments say so, else on standard input', () => {
    const agent = plainAgent(['bin/my-agent', '--file={prompt_file}']);
    expect(agent).toMatchObject({ name: 'my-agent', command: 'bin/my-agent' });
    const start = {
      prompt: 'Do it',
      promptFile: '/p.md',
      sessionId: '1',
      resume: null,
      folder: '/f',
      worktree: '/w',
      mcp: null,
      model: null,
      budgetUsd: null,
    };
    expect(agent.launch({ ...start, extra: ['bin/my-agent', '--file={prompt_file}'] })).toMatchObject({
      args: ['--file=/p.md'],
      stdin: null,
    });
    expect(agent.launch({ ...start, extra: ['bin/my-agent'] })).toMatchObject({ args: [], stdin: 'Do it' });
  });

  it.each([
    ['DONE', 'done', null],
    ['BLOCKED no network', 'blocked', 'no network'],
    ['QUESTION: Which colour?', 'question', 'Which colour?'],
    ['DONEXT', null, null],
  ])('that ends with "%s" has ended as %s', (last, outcome, reason) => {
    expect(read(['Working', last, ''], { exitCode: 0 }).verdict).toMatchObject({ well: true, outcome, reason });
  });

  it('that fails has done nothing, whatever it says', () => {
    expect(read(['DONE'], { exitCode: 1 }).verdict).toMatchObject({ well: false, outcome: null, reason: 'It ended with 1.', retry: true });
    expect(read(['DONE'], { exitCode: 137, signal: 'SIGKILL' }).verdict.reason).toBe('It ended with SIGKILL.');
    expect(endingOf(read(['DONE'], { exitCode: null }).verdict, null)).toMatchObject({ outcome: 'failed', reason: 'It was killed.' });
    expect(endingOf(read(['Fine'], { exitCode: 0 }).verdict, null)).toMatchObject({ outcome: 'failed', reason: unsaid });
    expect(endingOf(read(['DONE'], { exitCode: 0 }).verdict, { reason: 'Too long', retry: true })).toMatchObject({
      outcome: 'failed',
      reason: 'Too long',
    });
  });

  it('may tell events, sums and its session in JSON; other JSON is text', () => {
    const { events, reader } = read(
      [
        '{"kind":"tool","text":"ran","data":{"exit_code":0}}',
        '{"kind":"usage","usage":{"input_tokens":5,"cost_usd":0.5}}',
        '{"kind":"session","id":"s1"}',
        '{"other":1}',
        '{broken',
      ],
      { exitCode: 0 },
    );
    expect(events).toEqual([
      { kind: 'tool', text: 'ran', data: { exit_code: 0 } },
      { kind: 'text', text: '{"other":1}' },
      { kind: 'text', text: '{broken' },
    ]);
    expect(reader.usage).toEqual({ input_tokens: 5, output_tokens: 0, cached_tokens: 0, cost_usd: 0.5 });
    expect(reader.sessionId).toBe('s1');
  });
});

it('agents get what they need of the environment, and never keys of Signalbox', () => {
  const from = {
    PATH: '/bin',
    HOME: '/h',
    SIGNALBOX_API_KEY: 'sb_secret',
    MCP_API_KEY: 'x',
    ANTHROPIC_API_KEY: 'sk-ant',
    OPENAI_API_KEY: 'sk',
    DATABASE_URL: 'postgres://',
    https_proxy: 'p',
    MINE: '1',
  };
  expect(passed(from, 'claude', ['MINE'])).toEqual({ PATH: '/bin', HOME: '/h', ANTHROPIC_API_KEY: 'sk-ant', https_proxy: 'p', MINE: '1' });
  expect(passed(from, null, [])).toEqual({ PATH: '/bin', HOME: '/h', https_proxy: 'p' });
  expect(environmentFor({}, 'wrun_1', true)).toMatchObject({ SIGNALBOX_RUN_ID: 'wrun_1', GIT_AUTHOR_NAME: 'Signalbox' });
  expect(secretsOf({ A_KEY: '1', GH_TOKEN: '2', KEYBOARD: '3' })).toEqual(['1', '2']);
});

it('two repositories, data folders or names of one machine never share a worker', () => {
  const one = { repo: '/home/ann/shop', data: '/d', name: '' };
  const names = [one, { ...one, repo: '/home/bob/shop' }, { ...one, data: '/e' }, { ...one, name: 'second' }].map((each) =>
    workerName(each, 1),
  );
  expect(new Set(names).size).toBe(4);
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,127}$/);
  expect(dataFolder('/home/ann/My Shop', { XDG_STATE_HOME: '/s' })).toMatch(/^\/s\/signalbox\/work\/My-Shop-[0-9a-f]{6}$/);
});

it.each([
  ['https://github.com/o/r', 'https://github.com/o/r/compare/main...signalbox%2Ft-1?expand=1'],
  ['github.com:o/r', 'https://github.com/o/r/compare/main...signalbox%2Ft-1?expand=1'],
  ['https://gitlab.example.com/o/r', 'https://gitlab.example.com/o/r/-/merge_requests/new?merge_request[source_branch]=signalbox%2Ft-1'],
  ['box:/home/ann/shop', null],
])('a branch of %s is reviewed at %s', (repository, link) => {
  expect(reviewLink(repository, 'main', 'signalbox/t-1')).toBe(link);
});

describe('base before a task', () => {
  const runs = (...commits: (string | null)[]) => ({ earlier: commits.map((base_commit) => ({ base_commit })) });

  it('is that of its first attempt, as long as all attempts are known', () => {
    expect(earliest({ baseCommit: 'c', briefing: runs() })).toBe('c');
    expect(earliest({ baseCommit: 'c', briefing: runs('b', 'a') })).toBe('a');
    expect(earliest({ baseCommit: 'c', briefing: runs('b', null) })).toBeNull();
    // The first attempt may have merged the task, and is not among the latest any more.
    expect(earliest({ baseCommit: 'g', briefing: runs('f', 'e', 'd', 'c', 'b') })).toBeNull();
  });
});

it('finds the version in what agents print about themselves', () => {
  expect(
    [
      'codex-cli 0.171.0',
      "GitHub Copilot CLI 1.0.102.\nRun 'copilot update' to check for updates.",
      '(node:1) Warning: needs node 22.1\n2.0.0-beta.3',
      'nightly',
      '',
    ].map(versionIn),
  ).toEqual(['0.171.0', '1.0.102', '2.0.0-beta.3', 'nightly', null]);
});
