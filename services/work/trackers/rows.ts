/** Rows of trackers and of the issues that became tasks. */
import type { Row } from '../../../adapters/postgres/database.ts';
import type { IssueComment, TrackerPlace } from '../../../adapters/trackers/types.ts';
import type { TrackerRef } from '../../../contracts/activities/work/tracker.ts';
import { actingFor, type Caller } from '../../../contracts/caller.ts';
import { AppError } from '../../../contracts/errors.ts';
import { kindsOfTrackers, type TrackerKind } from '../../../contracts/work/tracker-kinds.ts';
import type { IssueAway, SyncCounts, Tracker, TrackerFilter } from '../../../contracts/work/trackers.ts';
import type { Columns } from '../../../prisma/rows.ts';
import type { Kernel } from '../../kernel/kernel.ts';

export interface TrackerRow
  extends
    Row,
    Columns<
      'work_trackers',
      | 'id'
      | 'name'
      | 'base_url'
      | 'repository'
      | 'remote'
      | 'phase_id'
      | 'close_done'
      | 'credentials'
      | 'every_seconds'
      | 'since'
      | 'begun_at'
      | 'all_states'
      | 'etag'
      | 'limited_until'
      | 'last_started_at'
      | 'last_ended_at'
      | 'last_error'
      | 'rev'
      | 'synced'
      | 'created_by'
      | 'updated_at'
    > {
  kind: TrackerKind;
  filter: TrackerFilter;
  status: 'active' | 'paused' | 'removing';
  last_done: (Omit<SyncCounts, 'left'> & { left?: number }) | null;
}

export interface LinkRow
  extends
    Row,
    Columns<
      'work_task_issues',
      'tracker_id' | 'number' | 'task_id' | 'url' | 'seen' | 'task_edits' | 'told_rev' | 'comments_since' | 'created_at'
    > {
  state: 'open' | 'closed';
  left_as: IssueAway | null;
}

/** The repository's address for people, without scheme: it names the repository whatever the tracker's id is. */
export const placeName = ({ base_url, repository }: Pick<TrackerRow, 'base_url' | 'repository'>): string => {
  const { host } = new URL(base_url);
  return `${host === 'api.github.com' ? 'github.com' : host}/${repository}`;
};

/**
 * A tracker acts as itself: it is the creator of its tasks, with the platform's standing. No key is of this line.
 */
export const callerOf = (tenant: string, { kind, repository }: Pick<TrackerRow, 'kind' | 'repository'>): Caller =>
  actingFor(tenant, `${kind}:${repository}`, '');

export const placeOf = (row: TrackerRow, secrets: Kernel['secrets']): TrackerPlace => ({
  baseUrl: row.base_url,
  repository: row.repository,
  token: secrets.open(row.credentials),
});

/** @returns null: removed */
export async function trackerRow(db: Kernel['db'], { tenant, id }: TrackerRef): Promise<TrackerRow | null> {
  const [row] = await db.query<TrackerRow>(`select * from work_trackers where tenant_id = $1 and id = $2 and status <> 'removing'`, [
    tenant,
    id,
  ]);
  return row ?? null;
}

/** The longest pause that the other side may ask for, in seconds. */
const longestPause = 7_200;

/**
 * Asks the other side. When it limits calls, the tracker waits until it may ask again, and nothing is tried meanwhile.
 * @throws AppError as the port; RATE_LIMIT_EXCEEDED is not retried by the activity: a later sync goes on
 */
export async function asked<T>(db: Kernel['db'], { tenant, id }: TrackerRef, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.details?.['reason'] !== 'rate_limited') throw error;
    const pause = Math.min(error.retryAfterSeconds ?? 60, longestPause);
    await db.query(
      `update work_trackers set limited_until = greatest(limited_until, now() + make_interval(secs => $3)) where tenant_id = $1 and id = $2`,
      [tenant, id, pause],
    );
    throw new AppError(error.code, error.message, {
      hint: 'The next sync after the pause goes on.',
      retryable: false,
      retryAfterSeconds: pause,
      details: { ...error.details },
      cause: error,
    });
  }
}

/** A sync: whose, of which tracker, and how it is asked. */
export interface Given {
  ref: TrackerRef;
  tracker: TrackerRow;
  place: TrackerPlace;
}

/** The comments of an issue that changed at or after `since`, page by page. @throws AppError as the port */
export async function* commentPages(
  { db, trackers }: Pick<Kernel, 'db' | 'trackers'>,
  { ref, tracker, place }: Given,
  number: number,
  since: string | null,
): AsyncGenerator<IssueComment[]> {
  let page: string | null = null;
  do {
    const to: { since: string | null; page?: string } = page === null ? { since } : { since, page };
    const found = await asked(db, ref, () => trackers[tracker.kind].comments(place, number, to));
    yield found.comments;
    page = found.next;
  } while (page !== null);
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

export const trackerView = (row: TrackerRow): Tracker => ({
  tracker_id: row.id,
  name: row.name,
  kind: row.kind,
  base_url: row.base_url,
  repository: row.repository,
  remote: kindsOfTrackers[row.kind].code ? row.remote : null,
  filter: row.filter,
  phase_id: row.phase_id,
  close_done: row.close_done,
  every_minutes: Math.round(row.every_seconds / 60),
  status: row.status === 'paused' ? 'paused' : 'active',
  limited_until: row.limited_until !== null && row.limited_until > new Date() ? iso(row.limited_until) : null,
  last:
    row.last_ended_at === null || row.last_done === null
      ? null
      : {
          ...row.last_done,
          // Syncs of before did not count them.
          left: row.last_done.left ?? 0,
          started_at: iso(row.last_started_at) ?? '',
          ended_at: row.last_ended_at.toISOString(),
          error: row.last_error,
        },
  created_by: row.created_by,
  updated_at: row.updated_at.toISOString(),
});
