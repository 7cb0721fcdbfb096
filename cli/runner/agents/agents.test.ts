/** The adapters, on lines that the real command lines printed (`npm run agents -- --record`). */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../contracts/work/runs.ts';
import type { End, Reader, Start, Verdict } from './agent.ts';
import { agents } from './index.ts';

const names = Object.keys(agents);
const well: End = { exitCode: 0, signal: null, errors: '' };

interface Read {
  reader: Reader;
  events: AgentEvent[];
  verdict: Verdict;
}

const linesOf = (agent: string, of: string): string[] =>
  readFileSync(join(import.meta.dirname, 'fixtures', agent, `${of}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');

function readLines(agent: string, lines: string[], end: End = well): Read {
  const reader = agents[agent]!.reader();
  const events = lines.flatMap((line) => reader.read(line));
  return { reader, events, verdict: reader.end(end) };
}
const read = (agent: string, of: string, end?: End): Read => readLines(agent, linesOf(agent, of), end);
const texts = (events: AgentEvent[], kind: AgentEvent['kind']): string[] =>
  events.filter((event) => event.kind === kind).map(({ text }) => text);

describe.each(names)('%s', (name) => {
  it('tells what was done, how it ended and what it used', () => {
    const { reader, events, verdict } = read(name, 'work');
    expect(verdict).toEqual({ well: true, outcome: 'done', summary: 'The file is written.', reason: null, retry: true });
    expect(reader.sessionId).toMatch(/^[\w-]{20,}$/);
    expect(reader.hopeless).toBeNull();
    expect(texts(events, 'text').at(-1)).toContain('DONE');
    expect([...texts(events, 'tool'), ...texts(events, 'file')].join('\n')).toMatch(/hello\.txt/);
    expect(texts(events, 'tool').join('\n')).toMatch(/pwd/);
    expect(texts(events, 'tool_result').length).toBeGreaterThanOrEqual(2);
    // The scripted model says 1000 and 20 for each of its four answers.
    const tokens = name === 'copilot' ? { input_tokens: 0, output_tokens: 0 } : { input_tokens: 4_000, output_tokens: 80 };
    expect(reader.usage).toMatchObject(tokens);
  });

  it('shows calls of Signalbox, and understands DONE in bold', () => {
    const { events, verdict } = read(name, 'mcp');
    expect(verdict).toMatchObject({ well: true, outcome: 'done', summary: 'I have read the board.' });
    expect(texts(events, 'tool').join('\n')).toMatch(/board.get/);
    expect(texts(events, 'tool_result').join('\n')).toMatch(/total_tasks/);
  });

  it('tells a question, and the session that went on', () => {
    const { reader, verdict } = read(name, 'resume');
    expect(verdict).toEqual({ well: true, outcome: 'question', summary: 'I went on.', reason: 'Which colour?', retry: true });
    expect(reader.sessionId).toBe(read(name, 'work').reader.sessionId);
  });

  it('tells why it is blocked', () => {
    expect(read(name, 'blocked').verdict).toEqual({
      well: true,
      outcome: 'blocked',
      summary: 'I looked for it.',
      reason: 'the database cannot be reached',
      retry: true,
    });
  });

  it('is not done after a permission was refused, although it exits with 0', () => {
    const { verdict } = read(name, 'refusal');
    expect(verdict.outcome).toBeNull();
    // Codex says nothing of a refusal; its answer tells no outcome, either.
    if (name === 'codex') return expect(verdict.well).toBe(true);
    expect(verdict).toMatchObject({ well: false, retry: false });
    expect(verdict.reason).toMatch(/refused by its permissions/i);
  });

  it('wants no other attempt when the key of its model is refused, whatever the exit code', () => {
    for (const exitCode of [0, 1, 145]) {
      const { verdict } = read(name, '401', { ...well, exitCode });
      expect(verdict).toMatchObject({ well: false, outcome: null, retry: false });
      expect(verdict.reason).toMatch(/40[13]|refuses the key|authentication/i);
    }
  });

  it('is not done when it was stopped', () => {
    for (const end of [
      { exitCode: null, signal: 'SIGTERM' },
      { exitCode: 143, signal: null },
      { exitCode: null, signal: null },
    ]) {
      const { verdict } = read(name, 'SIGTERM', { ...end, errors: 'first\nlast words\n' });
      expect(verdict).toMatchObject({ well: false, outcome: null, retry: true });
      expect(verdict.reason).toContain('last words');
    }
  });

  it('is not done when it was killed', () => {
    expect(read(name, 'kill-9', { exitCode: null, signal: 'SIGKILL', errors: '' }).verdict).toMatchObject({
      well: false,
      outcome: null,
      reason: 'The agent was ended by SIGKILL before it had finished.',
      retry: true,
    });
  });

  it('is not done when its output ends anywhere before its last line', () => {
    const lines = linesOf(name, 'work');
    // What comes after the end is no part of it, e.g. a count of tokens.
    for (let count = 0; count < lines.length - 1; count += 1) {
      expect(readLines(name, lines.slice(0, count)).verdict, `${count} lines`).toMatchObject({ well: false, outcome: null, retry: true });
    }
  });

  it('survives lines that are not of its format', () => {
    const odd = [
      '',
      'warning: something',
      '{',
      'null',
      '[]',
      '17',
      '{"type":null}',
      '{"type":"result"',
      '{"type":"assistant","message":7}',
    ];
    const { verdict, events } = readLines(
      name,
      odd.flatMap((line) => [line, ...linesOf(name, 'work')]),
    );
    expect(verdict).toMatchObject({ well: true, outcome: 'done' });
    expect(texts(events, 'raw')).toContain('warning: something');
  });
});

describe('traps', () => {
  it('Qwen Code 0.15 ends with success when its key is refused', () => {
    expect(read('qwen', '401-0.15.10').verdict).toMatchObject({ well: false, retry: false, reason: expect.stringContaining('401') });
  });

  it('Claude Code retries a refused key for minutes: it is hopeless after the third time', () => {
    const reader = agents['claude']!.reader();
    const hopeless = linesOf('claude', '401').map((line) => (reader.read(line), /api_retry/.test(line) ? reader.hopeless !== null : null));
    expect(hopeless.filter((each) => each !== null).slice(0, 4)).toEqual([false, false, true]);
  });

  it('a refusal that the agent found a way around does not undo its work', () => {
    const lines = linesOf('claude', 'refusal').map((line) => line.replaceAll('I could not do it.', String.raw`Done otherwise.\nDONE`));
    const { verdict } = readLines('claude', lines);
    expect(verdict).toMatchObject({ well: true, outcome: 'done', reason: 'Refused by its permissions: Bash' });
  });

  it('only the last line decides', () => {
    const blocked = (text: string): Verdict =>
      readLines(
        'claude',
        linesOf('claude', 'blocked').map((line) => line.replaceAll(/I looked for it\.\\nBLOCKED the database cannot be reached/g, text)),
      ).verdict;
    expect(blocked(String.raw`DONE\nbut I am not sure`)).toMatchObject({ well: true, outcome: null });
    expect(blocked('done')).toMatchObject({ outcome: null });
    expect(blocked('DONENESS')).toMatchObject({ outcome: null });
    expect(blocked(String.raw`Text\n\n> **DONE.**\n\n`)).toMatchObject({ outcome: 'done', summary: 'Text' });
    expect(blocked(String.raw`Which of both?\n\nQUESTION`)).toMatchObject({ outcome: 'question', reason: 'Which of both?' });
    expect(blocked('BLOCKED: no key')).toMatchObject({ outcome: 'blocked', reason: 'no key' });
  });

  it('an answer with an exit code other than 0 is no end', () => {
    expect(read('codex', 'work', { ...well, exitCode: 1 }).verdict).toMatchObject({ well: false, retry: true });
    // Stopped because it did not exit after its last word.
    expect(read('codex', 'work', { exitCode: null, signal: 'SIGTERM', errors: '' }).verdict).toMatchObject({ well: true, outcome: 'done' });
  });

  it('counts what a resumed session used, without what it had used before', () => {
    for (const name of ['claude', 'codex', 'gemini', 'opencode', 'qwen']) {
      const former = read(name, 'work').reader.usage;
      const reader = agents[name]!.reader(former);
      for (const line of linesOf(name, 'resume')) reader.read(line);
      expect(reader.usage, name).toMatchObject({ input_tokens: 2_000, output_tokens: 40, cached_tokens: 0 });
      if (former.cost_usd !== null) expect(reader.usage.cost_usd).toBeCloseTo(former.cost_usd / 2);
    }
  });

  it('long output is cut in the middle', () => {
    const [line] = linesOf('codex', 'work').filter((each) => each.includes('agent_message'));
    const { events } = readLines('codex', [line!.replace('The file is written.', 'x'.repeat(20_000))]);
    expect(events[0]!.text.length).toBeLessThanOrEqual(8_000);
    expect(events[0]!.text).toMatch(/DONE$/);
  });
});

describe.each(names)('start of %s', (name) => {
  const start: Start = {
    prompt: 'Do it',
    promptFile: '/run/prompt.md',
    sessionId: '5f0c3f0e-7e0f-4a7e-9c55-0d2f6c1b6a11',
    resume: null,
    folder: '/run',
    worktree: '/tree',
    mcp: { url: 'http://127.0.0.1:8080/mcp/p/worker', headers: { 'X-API-Key': 'secret', 'X-Agent-Id': 'runner/host/1' } },
    model: 'some-model',
    budgetUsd: 5,
    extra: ['--extra'],
  };
  const { launch } = agents[name]!;

  it('keeps the key out of the arguments, and the prompt as well', () => {
    const { args, env, files, stdin } = launch(start);
    expect(args.join(' ')).not.toMatch(/secret|Do it/);
    expect(stdin).toBe('Do it');
    expect(JSON.stringify([env, files])).toContain('secret');
    expect(JSON.stringify([env, files, args])).toContain('/mcp/p/worker');
    for (const { path } of files) expect(path.startsWith('/run/')).toBe(true);
    expect(args).toContain('some-model');
    expect(args).toContain('--extra');
  });

  it('continues a session', () => {
    expect(launch(start).args.join(' ')).not.toContain('resume');
    const { args } = launch({ ...start, resume: 'session-1' });
    expect(args.join(' ')).toMatch(/(?:--resume[ =]session-1|--session session-1|exec resume .* session-1 -)(?: |$)/);
    expect(args.join(' ')).not.toContain(start.sessionId);
  });

  it('starts without tools of Signalbox', () => {
    const bare = launch({ ...start, mcp: null, model: null, budgetUsd: null, extra: [] });
    expect(bare.files).toEqual([]);
    expect(JSON.stringify(bare)).not.toMatch(/mcp_servers|mcp.json|SYSTEM_SETTINGS|OPENCODE_CONFIG/);
  });
});

it('every adapter has recorded lines of each case', () => {
  for (const name of names) {
    for (const of of ['work', 'mcp', 'resume', 'blocked', 'refusal', '401', 'SIGTERM', 'kill-9']) {
      expect(existsSync(join(import.meta.dirname, 'fixtures', name, `${of}.jsonl`)), `${name} ${of}`).toBe(true);
    }
  }
});
