/** What a runner must know after a crash, one file for each run. Written before each step that a crash must be able to continue from. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Briefing, MergeWay, RunCheck, RunOutcome, RunUsage } from '../../contracts/work/runs.ts';

/**
 * `opened`: nothing runs yet. `started`: the agent runs, or has ended unseen. `ended`: its verdict is known, what is
 * left to do can be repeated.
 */
type Step = 'opened' | 'started' | 'ended';

export interface Ending {
  outcome: RunOutcome;
  summary: string | null;
  reason: string | null;
  retry: boolean;
}

export interface RunState {
  run: string;
  task: string;
  token: number;
  attempt: number;
  worker: string;
  slot: number;
  leaseSeconds: number;
  agent: string;
  /** Arguments of the agent or, for a plain one, its command. */
  extra: string[];
  base: string;
  baseCommit: string;
  branch: string;
  worktree: string;
  merge: MergeWay;
  briefing: Briefing;
  /** The agent's own key of Signalbox. */
  key: string | null;
  step: Step;
  sessionId: string | null;
  /** The session that the next launch continues. */
  resume: string | null;
  /** How often the agent was started, and for what it was sent back. */
  launches: number;
  sentBack: string[];
  /** Told to the agent at the next launch instead of the task. */
  message: string | null;
  pid: number | null;
  /** Tells the process from a later one with the same pid. */
  mark: string | null;
  startedAt: number;
  /** Changes in the user's own folder before the launch. */
  outside: string[];
  /** Where the output of this launch begins to be unsent, in bytes, and the last number of a sent event. */
  offset: number;
  seq: number;
  /** Sums of the launches before this one. */
  usage: RunUsage;
  checks: RunCheck[];
  ending: Ending | null;
}

export const noUsage: RunUsage = { input_tokens: 0, output_tokens: 0, cached_tokens: 0, cost_usd: null };

export const addUsage = (one: RunUsage, other: RunUsage): RunUsage => ({
  input_tokens: one.input_tokens + other.input_tokens,
  output_tokens: one.output_tokens + other.output_tokens,
  cached_tokens: one.cached_tokens + other.cached_tokens,
  cost_usd: one.cost_usd === null && other.cost_usd === null ? null : (one.cost_usd ?? 0) + (other.cost_usd ?? 0),
});

const runsIn = (data: string): string => join(data, 'runs');
export const folderOf = (data: string, run: string): string => join(runsIn(data), run);
export const worktreesIn = (data: string): string => join(data, 'worktrees');
const fileOf = (data: string, run: string): string => join(folderOf(data, run), 'state.json');

/** Files of one launch. */
export const filesOf = (data: string, { run, launches }: Pick<RunState, 'run' | 'launches'>) => {
  const file = (name: string): string => join(folderOf(data, run), `${launches}-${name}`);
  return { prompt: file('prompt.md'), input: file('input'), out: file('out'), err: file('err'), exit: file('exit') };
};

export const makeFolder = (path: string): void => void mkdirSync(path, { recursive: true, mode: 0o700 });

/** Whole or not at all. */
export function writeWhole(path: string, content: string): void {
  const aside = `${path}.${process.pid}.new`;
  writeFileSync(aside, content, { mode: 0o600, flush: true });
  renameSync(aside, path);
}

export function writeState(data: string, state: RunState): void {
  makeFolder(folderOf(data, state.run));
  writeWhole(fileOf(data, state.run), JSON.stringify(state));
}

export function readState(data: string, run: string): RunState | null {
  try {
    return JSON.parse(readFileSync(fileOf(data, run), 'utf8')) as RunState;
  } catch {
    return null;
  }
}

const names = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** Folders of runs, also of those that have ended. */
export const runFolders = (data: string): string[] => names(runsIn(data)).sort();
export const worktreeFolders = (data: string): string[] => names(worktreesIn(data)).sort();

/** Runs that have not ended. */
export const openStates = (data: string): RunState[] =>
  runFolders(data).flatMap((run) => {
    const state = readState(data, run);
    return state === null ? [] : [state];
  });

/** The run has ended: no later runner takes it up. What the agent printed stays for `work clean`. */
export const endState = (data: string, run: string): void => rmSync(fileOf(data, run), { force: true });

export const removeRun = (data: string, run: string): void => rmSync(folderOf(data, run), { recursive: true, force: true });

const stopFile = (data: string, run: string): string => join(folderOf(data, run), 'stop');
/** Read by whichever runner has the run. */
export const askToStop = (data: string, run: string): void => writeFileSync(stopFile(data, run), '', { mode: 0o600 });
export const isAskedToStop = (data: string, run: string): boolean => names(folderOf(data, run)).includes('stop');

/** Folders that an open run of any runner on this data folder uses. */
export const busyFolders = (data: string): Set<string> => new Set(openStates(data).map(({ worktree }) => worktree));
