import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerCheck } from '../contracts/activities/governance/ledger.ts';
import type { Job } from '../contracts/jobs.ts';
import { callTool, failure, ok } from './client.ts';
import { CliError, exits } from './exit.ts';
import { aside, facts, note, pick, sayJson, table } from './output.ts';

const ended = new Set<Job['status']>(['completed', 'failed', 'cancelled']);

/** Waits until a job ends; calls `onStage` at each change. */
export async function followJob(id: string, onStage?: (job: Job) => void): Promise<Job> {
  let told = '';
  for (;;) {
    // Waits are short only when progress is shown, because a key has a limit per minute.
    const envelope = await callTool('system.job.get', { job_id: id, wait_seconds: onStage ? 2 : 30 });
    if (envelope.error?.code === 'RATE_LIMIT_EXCEEDED') {
      await sleep((envelope.error.retry_after_seconds ?? 5) * 1000);
      continue;
    }
    if (envelope.error) throw failure(envelope);
    const { job } = envelope.data as { job: Job };
    const now = JSON.stringify([job.status, job.progress]);
    if (now !== told) onStage?.(job);
    told = now;
    if (ended.has(job.status)) return job;
  }
}

/** Waits until a job ends and shows progress on stderr, except with `json`. @throws CliError when the job did not complete */
export async function completed(id: string, json: boolean, tell = note): Promise<Job> {
  const job = await followJob(id, json ? undefined : (state) => tell(progressLine(state)));
  if (job.status === 'completed') return job;
  const why = job.error ? ` (${job.error.code}: ${job.error.message})` : '';
  throw new CliError(exits.failed, 'INTERNAL', `${job.title}: ${job.status}${why}`, { document: { job } });
}

export async function getJob(id: string, wait: boolean, json: boolean): Promise<void> {
  const answer = wait ? undefined : await ok('system.job.get', { job_id: id });
  const job = answer?.data.job ?? (await completed(id, json));
  if (json) return sayJson({ job });
  facts({
    ...pick(job, 'job_id as job', 'kind', 'title', 'status'),
    progress: progressLine(job),
    result: job.result && JSON.stringify(job.result, null, 2),
    error: job.error && `${job.error.code}: ${job.error.message}`,
    created: `${job.created_at} by ${job.created_by}`,
    finished: job.finished_at,
  });
  if (answer) aside(answer);
}

/** "embed 40 of 200" */
export function progressLine(job: Job): string {
  const { stage, done, total } = job.progress as { stage?: string; done?: number; total?: number };
  const count = total === undefined ? '' : ` ${done ?? 0} of ${total}`;
  return `${stage ?? job.status}${count}`;
}

export async function verifyLedger(json: boolean): Promise<void> {
  const { data } = await ok('system.ledger.verify', {});
  const checked = data.intact === undefined ? (await completed(data.job_id, json)).result : data;
  showLedgerCheck(checked as unknown as LedgerCheck, json);
}

export function showLedgerCheck(data: LedgerCheck, json: boolean): void {
  if (!data.intact) process.exitCode = 1;
  if (json) return sayJson(data);
  facts({
    ledger: data.intact ? 'as it was written' : 'changed',
    entries: data.events,
    links: data.links,
    head: data.head && `${data.head.link} ${data.head.hash}`,
  });
  if (data.breaches.length > 0) table(data.breaches, ['kind as what', 'event_id as entry', 'link', 'what as how']);
}
