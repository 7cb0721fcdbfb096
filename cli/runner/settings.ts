/** What one runner was told: flags, and what follows from them. */
import { createHash } from 'node:crypto';
import { homedir, hostname } from 'node:os';
import { basename, join } from 'node:path';
import type { MergeWay } from '../../contracts/work/runs.ts';
import type { Target } from '../target.ts';
import type { Agent } from './agents/agent.ts';

/** Times in milliseconds; tests shorten them. */
export interface Pace {
  /** How often files, processes and requests to stop are looked at. */
  tick: number;
  /** Least time between two batches of events: a key has a limit per minute. */
  append: number;
  /** Between TERM and KILL. */
  grace: number;
  /** The lease must stand so long before anything is written under it. */
  margin: number;
  /** How long one wait for events lasts. */
  wait: number;
  /** First and longest pause after a failed call. */
  retry: number;
  retryMost: number;
  /** How often approved runs are looked for when nothing else wakes the runner. */
  approved: number;
}

export const paceOf = (leaseSeconds: number): Pace => ({
  tick: 250,
  append: 1_000,
  grace: 5_000,
  margin: Math.min(10_000, leaseSeconds * 250),
  wait: 25_000,
  retry: 250,
  retryMost: 10_000,
  approved: 15_000,
});

export interface Settings {
  target: Target;
  phase: number;
  /** Main folder of the repository. */
  repo: string;
  /** As the server knows it. */
  repository: string;
  agent: Agent;
  /** Arguments of the agent, or the command of a plain one. */
  extra: string[];
  agentVersion: string | null;
  model: string | null;
  /** Tells two runners on one data folder apart; empty: the first. */
  name: string;
  max: number;
  base: string;
  data: string;
  leaseSeconds: number;
  /** Seconds that one run may take, and that it may show no life. */
  timeout: number;
  idle: number;
  /** Seconds for one command of setup or checks. */
  commandTimeout: number;
  budgetUsd: number | null;
  tokens: number | null;
  dayUsd: number | null;
  dayTokens: number | null;
  setup: string[];
  checks: string[];
  /** Null: what the phase says, else `merge`. */
  merge: MergeWay | null;
  push: 'base' | 'branch' | null;
  remote: string;
  /** Names of variables that agents get besides the usual ones. */
  env: string[];
  once: boolean;
  untilEmpty: boolean;
  keep: boolean;
  pace: Pace;
  /** A line for the person who watches. */
  say(line: string): void;
}

const short = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 6);
const plainName = (text: string): string => text.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '') || 'x';

/** Outside the repository, one folder for each. */
export function dataFolder(repo: string, env: NodeJS.ProcessEnv): string {
  const state = env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state');
  return join(state, 'signalbox', 'work', `${plainName(basename(repo)).slice(0, 40)}-${short(repo)}`);
}

export const host = (): string => plainName(hostname()).slice(0, 40);

/** The worker that holds the leases of a slot. Repositories and data folders of one machine never share a name. */
export const workerName = ({ repo, data, name }: Pick<Settings, 'repo' | 'data' | 'name'>, slot: number): string =>
  `runner/${host()}/${plainName(basename(repo)).slice(0, 30)}-${short(`${repo}\n${data}`)}${name === '' ? '' : `-${plainName(name).slice(0, 30)}`}-${slot}`;
