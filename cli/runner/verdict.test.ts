import { describe, expect, it } from 'vitest';
import { agents } from './agents/index.ts';
import { sessionIsGone } from './verdict.ts';

/** What each one printed when it was told to continue a session that nobody knows. */
const refusals: Record<string, { out?: string; err: string; exit?: number }> = {
  claude: {
    out: '{"type":"result","subtype":"error_during_execution","is_error":true,"errors":["No conversation found with session ID: d9ef"]}',
    err: 'No conversation found with session ID: d9ef',
  },
  codex: { err: 'Error: thread/resume: thread/resume failed: no rollout found for thread id 7753 (code -32600)' },
  gemini: { err: 'Error resuming session: No previous sessions found for this project.', exit: 42 },
  opencode: { err: '\u001b[91m\u001b[1mError: \u001b[0mSession not found' },
  qwen: { err: 'No saved session found with ID 2288. Run `qwen --resume` without an ID to choose from existing sessions.' },
  copilot: {
    err: "Error: No session, task, or name matched '2573'.\n\nTo start a new session with ID:   copilot --session-id=<valid-uuid>",
  },
};

describe.each(Object.keys(agents))('%s', (name) => {
  const { out, err, exit: exitCode = 1 } = refusals[name]!;
  const end = (errors: string, line: string | null = out ?? null) => {
    const reader = agents[name]!.reader();
    if (line !== null) reader.read(line);
    return reader.end({ exitCode, signal: null, errors });
  };

  it('does not know a session', () => {
    expect(sessionIsGone(end(err), exitCode, false)).toBe(true);
  });

  it('has ended for another reason', () => {
    expect(sessionIsGone(end(err), exitCode, true)).toBe(false);
    expect(sessionIsGone(end(err), null, false)).toBe(false);
    expect(sessionIsGone(end('connect ECONNREFUSED 127.0.0.1:1', null), exitCode, false)).toBe(false);
    expect(sessionIsGone(end('401 unauthorized for this session', null), exitCode, false)).toBe(false);
  });
});
