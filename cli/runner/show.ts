/** Commands about runs: what the server knows of them, and what is left of them on this machine. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { RunEvent, WorkRun } from '../../contracts/work/runs.ts';
import { ok } from '../client.ts';
import type { RunListing } from '../commands/work-runner.ts';
import { CliError, exits } from '../exit.ts';
import { clean, duration, facts, note, oneLine, paint, pick, say, sayJson, table } from '../output.ts';
import { target } from '../target.ts';
import { Api } from './api.ts';
import { baseOf, repositoryAt } from './preflight.ts';
import { dataFolder, paceOf } from './settings.ts';
import { askToStop, folderOf, openStates, runFolders } from './state.ts';
import { sweep } from './sweep.ts';

const api = (): Api => new Api(target(), paceOf(120));
const get = async (run: string): Promise<WorkRun> => (await api().call<{ run: WorkRun }>('work.run.get', { run_id: run })).run;
const seconds = ({ started_at, ended_at }: WorkRun): number =>
  (Date.parse(ended_at ?? new Date().toISOString()) - Date.parse(started_at)) / 1_000;
const dollars = (usd: number | null): string | null => (usd === null ? null : `$${usd.toFixed(2)}`);

/** A run that ended with a question has failed, for the server; a person wants to know that it waits for an answer. */
const standing = ({ state, outcome }: WorkRun): string =>
  state === 'failed' && (outcome === 'blocked' || outcome === 'question') ? outcome : state;
const counted = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;

export async function listRuns({ state, task, phase, limit, json }: RunListing): Promise<void> {
  const { runs } = await api().call<{ runs: WorkRun[] }>('work.run.list', { state, task_id: task, phase_id: phase, limit });
  if (json) return sayJson({ runs });
  if (runs.length === 0) return say('No runs.');
  table(runs, [
    'id',
    { state: standing },
    'agent',
    'task_id as task',
    'attempt',
    { time: (run) => duration(seconds(run)) },
    { changes: ({ commits, insertions, deletions }) => (commits === 0 ? null : `+${insertions} -${deletions}`) },
    { cost: ({ usage }) => dollars(usage.cost_usd) },
    'title',
  ]);
}

export async function showRun({ run: id, json }: { run: string; json: boolean }): Promise<void> {
  const run = await get(id);
  if (json) return sayJson({ run });
  const { usage, checks, review } = run;
  facts({
    run: run.id,
    state: standing(run),
    ...pick(run, 'task_id as task', 'title', 'attempt', 'agent', 'agent_version as version', 'worker', 'repository', 'branch', 'base'),
    changes:
      run.commits === 0
        ? null
        : `${counted(run.commits, 'commit')}, ${counted(run.files_changed, 'file')}, +${run.insertions} -${run.deletions}`,
    merged: run.merged_commit,
    tokens:
      usage.input_tokens + usage.output_tokens === 0
        ? null
        : `${usage.input_tokens} in (${usage.cached_tokens} cached), ${usage.output_tokens} out`,
    cost: dollars(usage.cost_usd),
    time: duration(seconds(run)),
    ...pick(run, 'session_id as session', 'summary'),
    reason: run.reason === run.summary ? null : run.reason,
    review: review === null ? null : `${review.verdict.replace('_', ' ')} by ${review.by}${review.note === null ? '' : `: ${review.note}`}`,
    checks: checks
      .map(({ command, exit_code, seconds: took }) => `${exit_code === 0 ? 'passed' : 'failed'} in ${took} s: ${command}`)
      .join('\n'),
  });
}

const looks: Partial<Record<RunEvent['kind'], string>> = { tool: '→', tool_result: '←', file: '✎', notice: '•' };

export async function tailRun({ run, json }: { run: string; json: boolean }): Promise<void> {
  const server = api();
  for (let after = 0; ;) {
    const page = await server.call<{ events: RunEvent[]; after: number; state: string }>(
      'work.run.tail',
      { run_id: run, after, limit: 200, wait_seconds: 25 },
      { until: () => true },
    );
    for (const event of page.events) {
      if (json) say(JSON.stringify(event));
      else say(`${paint('dim', event.at.slice(11, 19))} ${looks[event.kind] ?? ' '} ${clean(event.text)}`);
    }
    after = page.after;
    if (page.events.length === 0 && page.state !== 'running') return json ? undefined : note(`The run is ${page.state}.`);
  }
}

export async function diffRun({ run: id, json }: { run: string; json: boolean }): Promise<void> {
  const run = await get(id);
  if (run.patch_artifact === null)
    throw new CliError(exits.failed, 'NOT_FOUND', `${id} has no changes${run.state === 'running' ? ' yet' : ''}.`, {
      hint: `\`signalbox work show ${id}\` shows how it went.`,
    });
  const parts: string[] = [];
  let cursor: string | undefined;
  do {
    const { data, metadata } = await ok('substrate.artifact.get', { sha256: run.patch_artifact, include_content: true, cursor });
    parts.push(data.artifact.content ?? '');
    cursor = metadata.next_cursor;
  } while (cursor !== undefined);
  const patch = parts.join('');
  if (json) return sayJson({ run: id, patch });
  process.stdout.write(patch);
}

export async function reviewRun({
  run,
  verdict,
  note: why,
  json,
}: {
  run: string;
  verdict: 'approve' | 'send-back';
  note?: string;
  json: boolean;
}): Promise<void> {
  const answer = await api().call<{ run: WorkRun; task_status: string }>('work.run.review', {
    run_id: run,
    verdict: verdict === 'approve' ? 'approve' : 'send_back',
    note: why,
  });
  if (json) return sayJson(answer);
  say(`The run is ${answer.run.state}, its task ${answer.task_status.replace('_', ' ')}.`);
}

async function folderFor(given: { repo?: string; data?: string }): Promise<{ repo: string; data: string }> {
  const repo = await repositoryAt(resolve(given.repo ?? '.'));
  return { repo, data: resolve(given.data ?? dataFolder(repo, environment())) };
}

export async function stopRun({ run, json, ...given }: { run: string; repo?: string; data?: string; json: boolean }): Promise<void> {
  const { data } = await folderFor(given);
  if (!existsSync(folderOf(data, run)) || !openStates(data).some((state) => state.run === run))
    throw new CliError(exits.failed, 'NOT_FOUND', `No runner of this repository on this machine has the run ${oneLine(run)}.`, {
      hint: 'Elsewhere, `signalbox tools call work.task.fail` on its task ends it at the next heartbeat.',
    });
  askToStop(data, run);
  if (json) return sayJson({ run, stopping: true });
  say(`${run} is being stopped. \`signalbox work tail ${run}\` follows it.`);
}

export async function cleanRuns({
  all = false,
  json,
  ...given
}: {
  all?: boolean;
  repo?: string;
  data?: string;
  json: boolean;
}): Promise<void> {
  const { repo, data } = await folderFor(given);
  const before = runFolders(data).length;
  const swept = await sweep(api(), repo, await baseOf(repo, undefined), data, { all, output: true });
  if (json) return sayJson(swept);
  say(`${swept.worktrees.length} worktrees and ${swept.runs.length} of ${before} folders of runs are removed.`);
  for (const path of swept.kept) say(`Unfinished work stays in ${path}`);
}

// oxlint-disable-next-line node/no-process-env -- where the user keeps such data
const environment = (): NodeJS.ProcessEnv => process.env;
