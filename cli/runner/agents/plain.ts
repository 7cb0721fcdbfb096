/**
 * Any program. It gets the path of the prompt where its arguments say {prompt_file}, else the prompt on standard input. Its
 * lines are text, or events in JSON: {"kind":"tool","text":"ran the tests"}; {"kind":"usage",…} tells sums, and
 * {"kind":"session","id":"…"} a session, which a later launch gets as SIGNALBOX_SESSION.
 */
import { basename } from 'node:path';
import { agentEvent, runUsage, type AgentEvent, type RunOutcome, type RunUsage } from '../../../contracts/work/runs.ts';
import type { Agent, End, Launch, Reader, Start, Verdict } from './agent.ts';

const place = '{prompt_file}';

export function plainAgent(command: readonly string[]): Agent {
  const name = basename(command[0] ?? 'program').slice(0, 64);
  return {
    name,
    title: name,
    command: command[0] ?? null,
    install: 'Give the program after `--`.',
    resumes: false,
    named: false,
    launch,
    reader,
  };
}

function launch({ prompt, promptFile, extra, mcp, resume }: Start): Launch {
  const [command = '', ...rest] = extra;
  const named = rest.some((arg) => arg.includes(place));
  return {
    command,
    args: rest.map((arg) => arg.replaceAll(place, promptFile)),
    env: {
      ...(mcp === null ? {} : { SIGNALBOX_MCP_URL: mcp.url, SIGNALBOX_MCP_HEADERS: JSON.stringify(mcp.headers) }),
      ...(resume === null ? {} : { SIGNALBOX_SESSION: resume }),
    },
    files: [],
    stdin: named ? null : prompt,
  };
}

const endings: Record<string, RunOutcome> = { DONE: 'done', BLOCKED: 'blocked', QUESTION: 'question' };

function reader(): Reader {
  let usage: RunUsage = runUsage.parse({});
  let sessionId: string | null = null;
  /** The latest lines; the last one says how it ended. */
  let lines: string[] = [];

  const own = (line: string): AgentEvent[] | null => {
    if (!line.startsWith('{')) return null;
    let data: unknown;
    try {
      data = JSON.parse(line);
    } catch {
      return null;
    }
    const said = data as { kind?: unknown; id?: unknown; usage?: unknown };
    if (said.kind === 'session' && typeof said.id === 'string') {
      sessionId = said.id.slice(0, 200);
      return [];
    }
    if (said.kind === 'usage') {
      const sums = runUsage.safeParse(said.usage ?? said);
      if (sums.success) usage = sums.data;
      return [];
    }
    const event = agentEvent.safeParse({ text: '', ...said });
    if (!event.success) return null;
    if (event.data.kind === 'text') remember(event.data.text);
    return [event.data];
  };
  const remember = (text: string): void => {
    lines = [...lines, ...text.split('\n').filter((line) => line.trim() !== '')].slice(-40);
  };

  return {
    read(line) {
      const events = own(line.trim());
      if (events) return events;
      if (line.trim() === '') return [];
      remember(line);
      return [{ kind: 'text', text: line.slice(0, 8_000) }];
    },
    get sessionId() {
      return sessionId;
    },
    get usage() {
      return usage;
    },
    hopeless: null,
    end: (end) => verdict(lines, end),
  };
}

function verdict(lines: readonly string[], { exitCode, signal, errors }: End): Verdict {
  const last = lines.at(-1)?.trim() ?? '';
  const [, word = '', why = ''] = /^(DONE|BLOCKED|QUESTION)\b[:.\s]*(.*)$/.exec(last) ?? [];
  const outcome = endings[word] ?? null;
  const summary = lines.slice(0, outcome === null ? undefined : -1).join('\n') || null;
  if (exitCode === 0) return { well: true, outcome, summary, reason: why === '' ? null : why, retry: true };
  const how = exitCode === null ? 'was killed' : `ended with ${signal ?? exitCode}`;
  return { well: false, outcome: null, summary, reason: `It ${how}.${errors === '' ? '' : `\n${errors}`}`, retry: true };
}
