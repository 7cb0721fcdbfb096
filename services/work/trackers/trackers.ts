import { isUniqueViolation } from '../../../adapters/postgres/errors.ts';
import type { SyncDone, TrackerRef } from '../../../contracts/activities/work/tracker.ts';
import type { Caller } from '../../../contracts/caller.ts';
import { AppError, notFound } from '../../../contracts/errors.ts';
import { derivedId } from '../../../contracts/ids.ts';
import { workflowIds } from '../../../contracts/temporal.ts';
import { kindsOfTrackers, type TrackerKind } from '../../../contracts/work/tracker-kinds.ts';
import type { Tracker, TrackerFilter } from '../../../contracts/work/trackers.ts';
import { assertRoom } from '../../kernel/room.ts';
import { RowClocks } from '../../kernel/row-clocks.ts';
import { triggerSchedule } from '../../kernel/schedules.ts';
import { Service } from '../../kernel/service.ts';
import type { TaskQueries } from '../queries.ts';
import { clockOf } from './clock.ts';
import { placeName, trackerRow, trackerView, type TrackerRow } from './rows.ts';

export interface WantedTracker {
  name: string;
  kind: TrackerKind;
  base_url?: string | undefined;
  repository: string;
  /** Null: as base_url and repository say. Undefined: unchanged. */
  remote?: string | null | undefined;
  filter: TrackerFilter;
  phase_id: number;
  /** Undefined: the one it has. */
  token?: string | undefined;
  close_done: boolean;
  every_minutes: number;
  paused: boolean;
}

/** Maximum per tenant, because each is a schedule of Temporal. */
const mostTrackers = 100;
/** How often the end of a sync is looked for, in ms. */
const lookEvery = 200;
/** Temporal drops a second trigger within one second; a sync that has not begun by then is asked for again. In ms. */
const askAgain = 2_000;

/** Trackers. The row is authoritative; Temporal's schedule follows it. */
export class Trackers extends Service<'temporal' | 'trackers' | 'secrets', { queries: TaskQueries }> {
  readonly clocks = new RowClocks<TrackerRow>(this.deps, {
    table: 'work_trackers',
    most: mostTrackers,
    scheduleId: workflowIds.trackerSync,
    options: clockOf,
  });

  /**
   * Creates one, or changes the one with this id, after a look whether its token may read the repository.
   * @throws AppError NOT_FOUND (id, phase, repository), FORBIDDEN (token), VALIDATION_ERROR (address, no token), CONFLICT
   * (name; another repository), SERVICE_UNAVAILABLE
   */
  async save(caller: Caller, id: string | undefined, wanted: WantedTracker, callKey: string): Promise<Tracker> {
    const { tenant, principal } = caller;
    const own = id ?? derivedId('tracker', tenant, callKey);
    await this.deps.queries.phase(tenant, wanted.phase_id);
    const known = id === undefined ? await trackerRow(this.db, { tenant, id: own }) : await this.row(tenant, own);
    const place = placeWanted(wanted, known?.base_url);
    if (known && (known.kind !== place.kind || known.base_url !== place.base_url || known.repository !== place.repository))
      throw otherPlace();
    const credentials = wanted.token === undefined ? known?.credentials : this.deps.secrets.seal(wanted.token);
    if (credentials === undefined) throw noToken();
    const token = this.deps.secrets.open(credentials);
    // One that fails can be paused, too.
    if (!wanted.paused || wanted.token !== undefined)
      await this.deps.trackers[place.kind].check({ baseUrl: place.base_url, repository: place.repository, token });
    const filter = { labels: wanted.filter.labels, ...(wanted.filter.assignee ? { assignee: wanted.filter.assignee } : {}) };
    try {
      await this.db.transaction(async (query) => {
        await assertRoom(query, {
          of: `work_trackers/${tenant}`,
          most: mostTrackers,
          count: 'select count(*)::int as n from work_trackers where tenant_id = $1 and id <> $2',
          values: [tenant, own],
          refusal: () => new AppError('CONFLICT', `A tenant has ${mostTrackers} trackers at most.`, { hint: 'Remove one first.' }),
        });
        await query(
          `insert into work_trackers as w (tenant_id, id, name, kind, base_url, repository, remote, filter, phase_id, close_done, credentials,
             every_seconds, status, created_by)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
           on conflict (tenant_id, id) do update set name = excluded.name, remote = excluded.remote, filter = excluded.filter,
             phase_id = excluded.phase_id, close_done = excluded.close_done, credentials = excluded.credentials,
             every_seconds = excluded.every_seconds, status = excluded.status, rev = w.rev + 1, updated_at = now(), limited_until = null,
             -- Other issues than before: all of them are looked at again.
             since = case when w.filter = excluded.filter then w.since end, begun_at = case when w.filter = excluded.filter then w.begun_at end,
             all_states = w.all_states and w.filter = excluded.filter, etag = null,
             looked_at = case when w.filter = excluded.filter then w.looked_at end
           where w.status <> 'removing'`,
          [
            tenant,
            own,
            wanted.name,
            place.kind,
            place.base_url,
            place.repository,
            wanted.remote ?? (wanted.remote === undefined ? known?.remote : undefined) ?? placeName(place),
            JSON.stringify(filter),
            wanted.phase_id,
            wanted.close_done,
            credentials,
            wanted.every_minutes * 60,
            wanted.paused ? 'paused' : 'active',
            principal,
          ],
        );
      });
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new AppError('CONFLICT', 'There is a tracker of this name.', {
        hint: 'Take another name, or give its tracker_id to change it.',
      });
    }
    await this.clocks.follow(tenant, own);
    return trackerView(await this.row(tenant, own));
  }

  async list(tenant: string): Promise<Tracker[]> {
    const rows = await this.db.query<TrackerRow>(
      `select * from work_trackers where tenant_id = $1 and status <> 'removing' order by lower(name), id limit ${mostTrackers}`,
      [tenant],
    );
    return rows.map(trackerView);
  }

  /** Its tasks stay. @returns whether it existed. @throws AppError SERVICE_UNAVAILABLE: then it is removed later */
  async remove(tenant: string, id: string): Promise<boolean> {
    const marked = await this.db.query(
      `update work_trackers set status = 'removing', rev = rev + 1, updated_at = now()
       where tenant_id = $1 and id = $2 and status <> 'removing' returning 1`,
      [tenant, id],
    );
    await this.clocks.follow(tenant, id);
    return marked.length > 0;
  }

  /**
   * Has a sync run now, after one that runs already, and waits for its end.
   * @returns `finished`: whether it has ended within `waitMs`
   * @throws AppError NOT_FOUND, RATE_LIMIT_EXCEEDED (the other side limits calls), SERVICE_UNAVAILABLE
   */
  async sync(tenant: string, id: string, waitMs: number): Promise<{ tracker: Tracker; finished: boolean }> {
    const { limited_until: until } = await this.row(tenant, id);
    if (until !== null && until > new Date()) {
      throw new AppError('RATE_LIMIT_EXCEEDED', `The tracker limits calls until ${until.toISOString()}.`, {
        hint: 'It goes on by itself after that.',
        retryAfterSeconds: Math.ceil((until.getTime() - Date.now()) / 1_000),
      });
    }
    const [clock] = await this.db.query<{ now: Date }>('select clock_timestamp() as now');
    await this.trigger(tenant, id);
    const end = Date.now() + waitMs;
    let asked = Date.now();
    for (;;) {
      const row = await this.row(tenant, id);
      const { last_started_at: started, last_ended_at: ended } = row;
      const finished = started !== null && ended !== null && started >= clock!.now && ended >= started;
      if (finished || Date.now() >= end) return { tracker: trackerView(row), finished };
      if ((started === null || started < clock!.now) && Date.now() - asked > askAgain) {
        await this.trigger(tenant, id);
        asked = Date.now();
      }
      await new Promise((done) => setTimeout(done, Math.max(1, Math.min(lookEvery, end - Date.now()))));
    }
  }

  /** Has a sync run soon. @throws AppError SERVICE_UNAVAILABLE */
  async trigger(tenant: string, id: string): Promise<void> {
    const schedule = workflowIds.trackerSync(tenant, id);
    if (await triggerSchedule(this.deps.temporal, schedule)) return;
    // Lost in Temporal.
    await this.clocks.follow(tenant, id);
    await triggerSchedule(this.deps.temporal, schedule);
  }

  /** For the process. @returns false: removed, or the other side limits calls */
  async begin({ tenant, id }: TrackerRef): Promise<boolean> {
    const begun = await this.db.query(
      `update work_trackers set last_started_at = clock_timestamp()
       where tenant_id = $1 and id = $2 and status <> 'removing' and (limited_until is null or limited_until <= now()) returning 1`,
      [tenant, id],
    );
    if (begun.length > 0) return true;
    const [kept] = await this.db.query('select 1 from work_trackers where tenant_id = $1 and id = $2', [tenant, id]);
    // Deletes a schedule of Temporal that has survived its row.
    if (!kept) await this.clocks.follow(tenant, id);
    return false;
  }

  /** For the process. */
  async end({ tenant, id }: TrackerRef, { error, ...done }: SyncDone & { error: string | null }): Promise<void> {
    await this.db.query(
      'update work_trackers set last_ended_at = clock_timestamp(), last_done = $3, last_error = $4 where tenant_id = $1 and id = $2',
      [tenant, id, JSON.stringify(done), error?.slice(0, 1_000) ?? null],
    );
  }

  private async row(tenant: string, id: string): Promise<TrackerRow> {
    const row = await trackerRow(this.db, { tenant, id });
    if (!row) throw notFound('tracker', id, 'work.tracker.list shows them.');
    return row;
  }
}

/** @throws AppError VALIDATION_ERROR when the kind has no such place */
function placeWanted({ kind, base_url, repository, remote }: WantedTracker, known: string | undefined) {
  const { title, url, pattern, names, code } = kindsOfTrackers[kind];
  const address = base_url ?? known ?? url;
  if (address === null) {
    throw new AppError('VALIDATION_ERROR', `Say where ${title} is.`, { hint: 'Give base_url, e.g. https://acme.atlassian.net.' });
  }
  if (!pattern.test(repository)) {
    throw new AppError('VALIDATION_ERROR', `${repository} is no ${title} repository or project.`, { hint: `For ${title} it is ${names}.` });
  }
  if (!code && remote) {
    throw new AppError('VALIDATION_ERROR', `${title} has no code, so the tracker has no remote.`, {
      hint: 'Leave `remote` out. Pull requests are opened by a tracker of the kind github or gitlab.',
    });
  }
  return { kind, base_url: address.replace(/\/+$/, ''), repository };
}

/** Its token would go to another server, and its tasks would be those of other issues. */
const otherPlace = (): AppError =>
  new AppError('CONFLICT', 'A tracker keeps its kind, its server and its repository.', {
    hint: 'Save a new one, and remove this one with work.tracker.remove.',
    details: { reason: 'other_place' },
  });

const noToken = (): AppError =>
  new AppError('VALIDATION_ERROR', 'A new tracker needs a token.', {
    hint: 'Give one that reads and writes its issues, and pull requests where phases open them.',
  });
