/** What the readers of all agents share: state, verdict, and safe access to JSON of foreign programs. */
import type { AgentEvent, RunOutcome, RunUsage } from '../../../contracts/work/runs.ts';
import type { End, Reader, Verdict } from './agent.ts';

export type Json = Record<string, unknown>;

/** Filled by an agent's `take`, judged by `readerOf`. */
export interface State {
  sessionId: string | null;
  usage: RunUsage;
  hopeless: string | null;
  /** The latest text of the agent: at the end, its answer. */
  text: string;
  /** The format said that the agent ended by itself. */
  finished: boolean;
  /** The format said that the run failed, and why. */
  failure: string | null;
  /** Calls that a permission refused. */
  refused: string[];
  /** Answers of the model's provider that refused the key. */
  keyRefused: number;
}

/** An agent that is told so often that its key is wrong only costs time: some go on for minutes. */
const keyRefusals = 3;

/** @param take reads one event of the agent's format into the state @returns what to show of it */
export function readerOf(take: (event: Json, state: State) => AgentEvent[]): Reader {
  const state: State = {
    sessionId: null,
    usage: { input_tokens: 0, output_tokens: 0, cached_tokens: 0, cost_usd: null },
    hopeless: null,
    text: '',
    finished: false,
    failure: null,
    refused: [],
    keyRefused: 0,
  };
  return {
    read(line) {
      const event = parsed(line);
      if (event === null) return line.trim() === '' ? [] : [shown('raw', line)];
      const events = take(event, state);
      if (state.keyRefused >= keyRefusals) state.hopeless ??= 'The provider of the model refuses the key.';
      return events;
    },
    get sessionId() {
      return state.sessionId;
    },
    get usage() {
      return state.usage;
    },
    get hopeless() {
      return state.hopeless;
    },
    end: (end) => verdictOf(state, end),
  };
}

function verdictOf(state: State, end: End): Verdict {
  const { outcome, reason, summary } = said(state.text);
  const failure = state.hopeless ?? state.failure ?? unfinished(state, end);
  if (failure !== null) return { well: false, outcome: null, summary, reason: failure, retry: !isLasting(failure) };
  const refusal = state.refused.length > 0 ? `Refused by its permissions: ${[...new Set(state.refused)].join(', ')}` : null;
  // An agent may find another way after a refusal, and then says how it ended. If it does not, the refusal was the end.
  if (refusal !== null && outcome === null) return { well: false, outcome, summary, reason: refusal, retry: false };
  return { well: true, outcome, summary, reason: reason ?? refusal, retry: true };
}

/** Null: it finished. A signal after the last event takes nothing back. */
function unfinished({ finished, refused }: State, { exitCode, signal, errors }: End): string | null {
  if (finished && (exitCode ?? 0) === 0) return null;
  const how = signal ? `was ended by ${signal}` : exitCode === null ? 'ended' : `ended with exit code ${exitCode}`;
  const why = refused.length > 0 ? `refused by its permissions: ${refused.at(-1)}` : lastLine(errors);
  return `The agent ${how}${finished ? ' after its answer' : ' before it had finished'}${why ? `: ${why}` : '.'}`;
}

/** Another attempt fails in the same way: a person must change something first. */
const isLasting = (reason: string): boolean =>
  /\b40[13]\b|unauthori[sz]ed|authentication|refuses the key|invalid.{0,12}api.?key|refused by its permissions|model.{0,40}not.found|unknown model|budget/i.test(
    reason,
  );

/** The last line of the answer says how it ended, possibly with marks of emphasis around it. */
function said(text: string): { outcome: RunOutcome | null; reason: string | null; summary: string | null } {
  const lines = text.trim().split('\n');
  const match = /^[\s*_`>#-]*(DONE|BLOCKED|QUESTION)\b[\s*_`:.—–-]*(.*?)[\s*_`]*$/.exec(lines.at(-1) ?? '');
  const before = match ? lines.slice(0, -1).join('\n').trim() : text.trim();
  const summary = (before || match?.[2] || '').slice(0, 16_000) || null;
  if (!match) return { outcome: null, reason: null, summary };
  if (match[1] === 'DONE') return { outcome: 'done', reason: null, summary };
  const outcome = match[1] === 'BLOCKED' ? 'blocked' : 'question';
  return { outcome, reason: (match[2] || before).slice(0, 4_000) || null, summary };
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1)!.trim().slice(0, 500);

function parsed(line: string): Json | null {
  try {
    const value: unknown = JSON.parse(line);
    return isJson(value) ? value : null;
  } catch {
    return null;
  }
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value under these keys; undefined when there is none. */
export const at = (value: unknown, ...keys: string[]): unknown =>
  keys.reduce<unknown>((each, key) => (isJson(each) ? each[key] : undefined), value);
export const textAt = (value: unknown, ...keys: string[]): string => {
  const found = at(value, ...keys);
  return typeof found === 'string' ? found : found === undefined || found === null ? '' : JSON.stringify(found);
};
export const countAt = (value: unknown, ...keys: string[]): number => {
  const found = at(value, ...keys);
  return typeof found === 'number' && found > 0 ? Math.round(found) : 0;
};
export const listAt = (value: unknown, ...keys: string[]): Json[] => {
  const found = at(value, ...keys);
  return Array.isArray(found) ? found.filter(isJson) : [];
};

const longest = 8_000;
export function shown(kind: AgentEvent['kind'], text: string, data?: Json): AgentEvent {
  const cut = text.length > longest ? `${text.slice(0, longest / 2)}\n…\n${text.slice(3 - longest / 2)}` : text;
  return { kind, text: cut, ...(data ? { data } : {}) };
}

/** Tools that write files, by the names that the agents give them. */
const writers = new Set([
  'Write',
  'Edit',
  'MultiEdit',
  'NotebookEdit',
  'write_file',
  'replace',
  'edit',
  'write',
  'create',
  'str_replace_editor',
]);

/** A call of a tool, in one line. */
export function toolCall(tool: string, input: unknown): AgentEvent {
  // Qwen Code calls a tool that it holds back through this one.
  if (tool === 'tool_call') return toolCall(textAt(input, 'name'), at(input, 'arguments'));
  const path = ['file_path', 'filePath', 'path'].map((key) => at(input, key)).find((value) => typeof value === 'string');
  if (writers.has(tool) && typeof path === 'string') return shown('file', path, { tool, path });
  const first = at(input, 'command') ?? path ?? at(input, 'pattern') ?? at(input, 'query') ?? input;
  return shown('tool', `${tool} ${typeof first === 'string' ? first : JSON.stringify(first ?? {})}`.slice(0, 500), { tool });
}

export const usageEvent = (usage: RunUsage): AgentEvent =>
  shown('usage', `${usage.input_tokens} tokens in, ${usage.output_tokens} out`, { ...usage });
