import type { Database } from '../../../adapters/postgres/database.ts';
import type { JobRef } from '../../../contracts/activities/kernel/jobs.ts';
import type { TopArticle } from '../../../contracts/feeds/briefs.ts';

/** Input of a `daily_brief` job. */
export interface DailySpec extends Record<string, unknown> {
  date: string;
  run_id: string;
  /** Null: readers are notified once a day, by the first run with a brief. */
  notify: boolean | null;
  /** ISO 8601; the window of publication times. */
  from: string;
  until: string;
}

/** Input of a `brief` job. */
export interface RequestSpec extends Record<string, unknown> {
  date: string;
  run_id: string;
  articles: TopArticle[];
  max_highlights: number;
}

export interface JobOf<S> {
  spec: S;
  createdBy: string;
  /** ISO 8601 */
  createdAt: string;
}

async function jobOf<S>(db: Database, { tenant, id }: JobRef): Promise<JobOf<S>> {
  const [row] = await db.query<{ spec: S; created_by: string; created_at: Date }>(
    'select spec, created_by, created_at from jobs where tenant_id = $1 and id = $2',
    [tenant, id],
  );
  if (!row) throw new Error(`job ${id} has no row`);
  return { spec: row.spec, createdBy: row.created_by, createdAt: row.created_at.toISOString() };
}

/** Cache for the latest runs: a job's input never changes, and each of many sources reads it. */
const known = new Map<string, JobOf<DailySpec>>();
const mostKnown = 100;

export async function dailyOf(db: Database, job: JobRef): Promise<JobOf<DailySpec>> {
  const key = JSON.stringify([db.sessions, job.tenant, job.id]);
  const found = known.get(key) ?? (await jobOf<DailySpec>(db, job));
  if (known.size >= mostKnown) known.clear();
  known.set(key, found);
  return found;
}

export const requestOf = (db: Database, job: JobRef): Promise<JobOf<RequestSpec>> => jobOf(db, job);

/** Id of a day's run, in perception's form; stable. */
export const runIdOf = (date: string): string => `run_${Date.parse(`${date}T00:00:00Z`) / 1_000}`;
