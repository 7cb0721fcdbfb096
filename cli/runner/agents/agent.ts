/** What the runner needs to know of a coding agent's command line. Pure: adapters start nothing and read no file. */
import type { AgentEvent, RunOutcome, RunUsage } from '../../../contracts/work/runs.ts';

export interface Start {
  /** Also stands in `promptFile`. */
  prompt: string;
  promptFile: string;
  /** A new UUID, for agents that let their session be named. */
  sessionId: string;
  /** The session to continue; null: begin anew. */
  resume: string | null;
  /** The run's private folder, outside the worktree: configuration files belong here. */
  folder: string;
  worktree: string;
  /** Null: the agent gets no tools of Signalbox. */
  mcp: { url: string; headers: Record<string, string> } | null;
  model: string | null;
  budgetUsd: number | null;
  /** Further arguments, as the user gave them after `--`. */
  extra: string[];
}

export interface Launch {
  command: string;
  args: string[];
  env: Record<string, string>;
  /** Written with mode 0600 before the start. */
  files: { path: string; content: string }[];
  /** Null: standard input is empty. */
  stdin: string | null;
}

export interface End {
  exitCode: number | null;
  signal: string | null;
  /** The last lines of standard error. */
  errors: string;
}

/** An exit code proves nothing: the verdict is what the agent's own format says. */
export interface Verdict {
  /** The format says that the agent finished by itself. */
  well: boolean;
  /** Null: the agent did not say. */
  outcome: RunOutcome | null;
  summary: string | null;
  reason: string | null;
  /** Another attempt may succeed. False: wrong key, unknown model, refused permission. */
  retry: boolean;
}

/** Reads one run's output, line by line. */
export interface Reader {
  read(line: string): AgentEvent[];
  readonly sessionId: string | null;
  readonly usage: RunUsage;
  /** The run cannot succeed any more, e.g. the key was refused three times: stop it. */
  readonly hopeless: string | null;
  end(end: End): Verdict;
}

export interface Agent {
  name: string;
  title: string;
  /** The program looked for on PATH; null: the user gives it. */
  command: string | null;
  /** How to get it, for the message when it is missing. */
  install: string;
  /** Its own session can be continued. */
  resumes: boolean;
  /** Its session has the id that it is given, also when it ends before it tells one. */
  named: boolean;
  launch(start: Start): Launch;
  /** @param former what the session had used when it was continued: some agents count the whole session anew */
  reader(former?: RunUsage | null): Reader;
}
