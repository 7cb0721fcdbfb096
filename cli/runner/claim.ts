/** From a ready task to an opened run: the claim, the record on the server, the state on disk. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Briefing, WorkRun } from '../../contracts/work/runs.ts';
import type { Task } from '../../contracts/work/work.ts';
import { isAway, isOver } from './api.ts';
import { commitOf } from './git.ts';
import { Lease } from './lease.ts';
import { Run } from './run.ts';
import { host, workerName } from './settings.ts';
import type { Shop } from './shop.ts';
import { busyFolders, noUsage, worktreesIn, writeState, type RunState } from './state.ts';
import { findSpot } from './worktree.ts';

/** @returns null when nothing is ready. A claim whose runner died before it knew is found again: the same worker gets the same task. */
export async function claim(shop: Shop, slot: number): Promise<Run | null> {
  const { settings, api } = shop;
  const worker = workerName(settings, slot);
  const asked = performance.now();
  const { task } = await api.call<{ task: Task | null }>(
    'work.task.claim',
    { phase_id: settings.phase, lease_seconds: settings.leaseSeconds, for_run: true },
    { agentId: worker },
  );
  if (task === null) return null;
  const token = task.fencing_token;
  if (token === null) throw new Error(`${task.id} is held by ${worker} in another session. Give this runner its own --name.`);
  // One heartbeat at once: a claim that was found again may be old.
  const lease = new Lease(api, { task: task.id, token, worker, seconds: settings.leaseSeconds }, settings.pace, performance.now() - asked);
  if (!(await lease.renew())) return null;
  const renewed = performance.now();
  try {
    return await open(shop, slot, { ...task, fencing_token: token }, () => performance.now() - renewed);
  } catch (error) {
    // Not without a word: nobody else could take it until the lease ends.
    if (!isAway(error) && !isOver(error))
      await api.call('work.task.release', { task_id: task.id, fencing_token: token }, { agentId: worker }).catch(() => {});
    throw error;
  }
}

async function open(shop: Shop, slot: number, task: Task & { fencing_token: number }, since: () => number): Promise<Run> {
  const { settings, api } = shop;
  const worker = workerName(settings, slot);
  const leaseMs = settings.leaseSeconds * 1_000 - settings.pace.margin;
  const merge = settings.merge ?? (await phaseMerge(shop)) ?? 'merge';
  const spot = await findSpot(settings.repo, settings.data, task.id, task.attempts, busyFolders(settings.data));
  const baseCommit = await commitOf(settings.repo, `refs/heads/${settings.base}`);
  if (baseCommit === null) throw new Error(`There is no branch ${settings.base} any more.`);
  const { run, briefing, key } = await api.call<{ run: WorkRun; briefing: Briefing; key: { api_key: string } | null }>(
    'work.run.open',
    {
      task_id: task.id,
      fencing_token: task.fencing_token,
      agent: settings.agent.name,
      agent_version: settings.agentVersion,
      host: host(),
      repository: settings.repository,
      branch: spot.branch,
      base: settings.base,
      base_commit: baseCommit,
      merge,
    },
    { agentId: worker, until: () => since() < leaseMs },
  );
  const state: RunState = {
    run: run.id,
    task: task.id,
    token: task.fencing_token,
    attempt: task.attempts,
    worker,
    slot,
    leaseSeconds: settings.leaseSeconds,
    agent: settings.agent.name,
    extra: settings.extra,
    base: settings.base,
    baseCommit,
    ...spot,
    // A repeat finds the record of the first time.
    branch: run.branch ?? spot.branch,
    merge,
    briefing,
    key: key?.api_key ?? null,
    step: 'opened',
    sessionId: null,
    resume: sessionOf(shop, task.id, briefing.earlier),
    launches: 0,
    sentBack: [],
    message: null,
    pid: null,
    mark: null,
    startedAt: 0,
    outside: [],
    offset: 0,
    seq: run.events,
    usage: run.usage ?? noUsage,
    checks: [],
    ending: null,
  };
  writeState(settings.data, state);
  return new Run(shop, state, since());
}

async function phaseMerge({ api, settings }: Shop): Promise<Briefing['phase']['merge']> {
  const { phase } = await api.call<{ phase: { merge?: Briefing['phase']['merge'] } }>('work.phase.get', { phase_id: settings.phase });
  return phase.merge ?? null;
}

/** The session of the former attempt, if the same agent can go on with it in the same folder. One that failed twice is left. */
function sessionOf({ settings }: Shop, task: string, [last, before]: readonly WorkRun[]): string | null {
  const here = last?.host === host() && last.agent === settings.agent.name && existsSync(join(worktreesIn(settings.data), task));
  if (!here || !settings.agent.resumes || last.session_id === before?.session_id) return null;
  return last.session_id;
}
