import type { Job } from '../../../../contracts/jobs.ts';
import type { JobKind } from '../../../../contracts/temporal.ts';
import type { AspectName } from '../../ui/Aspect.tsx';

export const aspects: Record<Job['status'], AspectName> = {
  queued: 'caution',
  running: 'held',
  completed: 'clear',
  failed: 'stop',
  cancelled: 'out',
};

export const isOver = ({ status }: Pick<Job, 'status'>): boolean => status === 'completed' || status === 'failed' || status === 'cancelled';

export interface Progress {
  stage: string;
  done: number | null;
  total: number | null;
}

/** The progress that a job reports, as far as it makes sense. */
export function progressOf({ progress, status }: Pick<Job, 'progress' | 'status'>): Progress {
  const { stage, done, total } = progress as { stage?: unknown; done?: unknown; total?: unknown };
  const number = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null);
  const [n, of] = [number(done), number(total)];
  const known = of !== null && of > 0 && n !== null;
  return { stage: typeof stage === 'string' && stage !== '' ? stage : status, done: n, total: known ? Math.max(of, n) : null };
}

export const wordsOf = ({ stage, done, total }: Progress): string =>
  done === null ? stage : `${stage} ${done.toLocaleString('en')}${total === null ? '' : ` of ${total.toLocaleString('en')}`}`;

/** When a stage of a job was seen first, and how far it was. */
interface Seen {
  stage: string;
  done: number;
  at: number;
}

export interface Rate {
  /** Of the stage, per second. */
  perSecond: number;
  /** Until the stage ends, in ms; null: unknown. */
  restMs: number | null;
}

/** A shorter time says nothing about the rate, in ms. */
const least = 1_000;

/** Rates of jobs, by what has been seen of them since the page was opened. */
export class Rates {
  private readonly seen = new Map<string, Seen>();

  /** Notes how far the job is. @returns its rate in this stage; null: not known yet */
  note(job: Pick<Job, 'job_id' | 'status' | 'progress' | 'updated_at'>): Rate | null {
    const { stage, done, total } = progressOf(job);
    if (isOver(job) || done === null) {
      this.seen.delete(job.job_id);
      return null;
    }
    const at = Date.parse(job.updated_at);
    const first = this.seen.get(job.job_id);
    if (!first || first.stage !== stage || first.done > done) {
      this.seen.set(job.job_id, { stage, done, at });
      return null;
    }
    const [gone, more] = [at - first.at, done - first.done];
    if (gone < least || more <= 0) return null;
    const perSecond = more / (gone / 1_000);
    return { perSecond, restMs: total === null ? null : ((total - done) / perSecond) * 1_000 };
  }
}

/** `3.2/s`, `14/min`: with a whole number where there is one. */
export function rateText({ perSecond }: Rate): string {
  const [value, unit] = perSecond >= 1 ? [perSecond, 's'] : perSecond * 60 >= 1 ? [perSecond * 60, 'min'] : [perSecond * 3_600, 'h'];
  return `${value >= 10 ? Math.round(value).toLocaleString('en') : value.toFixed(1).replace(/\.0$/, '')}/${unit}`;
}

/** What people call the kinds of jobs. */
export const kinds: Record<string, string> = {
  ingest: 'ingestion',
  ingest_run: 'ingestion of many',
  removal: 'removal',
  pipeline: 'pipeline run',
  merge: 'merge of entities',
  split: 'split of an entity',
  clear_graph: 'clearing the graph',
  table_link: 'linking tables',
  draft: 'draft',
  brief: 'brief',
  daily_brief: 'daily brief',
  connector_call: 'call of a connector',
  notification: 'notification',
  ledger_verify: 'verification of the ledger',
  export: 'export',
} satisfies Record<JobKind, string>;
