import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerCheck } from '../contracts/activities/ledger.ts';
import type { Job } from '../contracts/jobs.ts';
import { callTool, failure, ok } from './client.ts';
import type { LedgerFilters } from './commands/jobs.ts';
import { CliError, exits } from './exit.ts';
import { defined, facts, note, paint, say, sayJson, table } from './output.ts';
import { aside } from './tools.ts';

const ended = new Set<Job['status']>(['completed', 'failed', 'cancelled']);

/** Follows a job to its end; `onStage` hears of each change. */
export async function followJob(id: string, onStage?: (job: Job) => void): Promise<Job> {
  let told = '';
  for (;;) {
    // Short waits only where somebody watches; a key has few calls a minute.
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

export const failedJob = (job: Job): CliError =>
  new CliError(exits.failed, 'INTERNAL', `${job.title}: ${job.status}${job.error ? ` (${job.error.code}: ${job.error.message})` : ''}`, {
    document: { job },
  });

export async function getJob(id: string, options: { wait?: boolean }, json: boolean): Promise<void> {
  if (options.wait) {
    const job = await followJob(id, json ? undefined : (state) => note(progressLine(state)));
    if (job.status !== 'completed') throw failedJob(job);
    return json ? sayJson({ job }) : showJob(job);
  }
  const answer = await ok<{ job: Job }>('system.job.get', { job_id: id });
  if (json) return sayJson(answer.data);
  showJob(answer.data.job);
  aside(answer);
}

export async function cancelJob(id: string, json: boolean): Promise<void> {
  const { data } = await ok<{ job: Job }>('system.job.cancel', { job_id: id });
  if (json) return sayJson(data);
  say(`${data.job.job_id} is ${data.job.status}; it ends when its current step is done.`);
}

/** "embed 40 of 200" */
export function progressLine(job: Job): string {
  const { stage, done, total } = job.progress as { stage?: string; done?: number; total?: number };
  const count = total === undefined ? '' : ` ${done ?? 0} of ${total}`;
  return `${stage ?? job.status}${count}`;
}

function showJob(job: Job): void {
  facts([
    ['job', job.job_id],
    ['kind', job.kind],
    ['title', job.title],
    ['status', job.status],
    ['progress', progressLine(job)],
    ['result', job.result && JSON.stringify(job.result, null, 2)],
    ['error', job.error && `${job.error.code}: ${job.error.message}`],
    ['created', `${job.created_at} by ${job.created_by}`],
    ['finished', job.finished_at],
  ]);
}

interface LedgerEvent {
  tool_call_id: string;
  type: string;
  tool: string;
  principal: string;
  front: string;
  status: string | null;
  error_code: string | null;
  duration_ms: number | null;
  at: string;
}

export async function searchLedger(options: LedgerFilters, json: boolean): Promise<void> {
  const { data, metadata } = await ok<{ events: LedgerEvent[] }>(
    'system.ledger.search',
    defined({
      tool: options.tool,
      tool_call_id: options.call,
      type: options.type && `tool.call.${options.type}`,
      principal: options.principal,
      error_code: options.error,
      since: options.since,
      until: options.until,
      limit: options.limit,
    }),
  );
  if (json) return sayJson({ ...data, next_cursor: metadata.next_cursor });
  if (data.events.length === 0) return say('No entries.');
  table(
    ['at', 'event', 'tool', 'by', 'through', 'ms', 'outcome', 'call'],
    data.events.map((event) => [
      event.at.slice(0, 23).replace('T', ' '),
      event.type.replace('tool.call.', ''),
      event.tool,
      event.principal,
      event.front,
      event.duration_ms === null ? null : Math.round(event.duration_ms),
      event.error_code ?? event.status,
      event.tool_call_id,
    ]),
    (text, row, column) => (column === 1 && data.events[row]?.type.endsWith('failed') ? paint('red', text) : text),
  );
}

export async function verifyLedger(json: boolean): Promise<void> {
  const { data } = await ok<{ job_id: string } & Partial<LedgerCheck>>('system.ledger.verify', {});
  if (data.intact !== undefined) return showLedgerCheck(data as LedgerCheck, json);
  const job = await followJob(data.job_id, json ? undefined : (state) => note(progressLine(state)));
  if (job.status !== 'completed') throw failedJob(job);
  showLedgerCheck(job.result as unknown as LedgerCheck, json);
}

export function showLedgerCheck(data: LedgerCheck, json: boolean): void {
  if (!data.intact) process.exitCode = 1;
  if (json) return sayJson(data);
  facts([
    ['ledger', data.intact ? 'as it was written' : 'changed'],
    ['entries', data.events],
    ['links', data.links],
    ['head', data.head && `${data.head.link} ${data.head.hash}`],
  ]);
  if (data.breaches.length > 0)
    table(
      ['what', 'entry', 'link', 'how'],
      data.breaches.map((each) => [each.kind, each.event_id ?? null, each.link ?? null, each.what]),
    );
}
