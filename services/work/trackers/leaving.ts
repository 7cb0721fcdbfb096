import type { IssueQuery } from '../../../adapters/trackers/types.ts';
import type { TrackerRef } from '../../../contracts/activities/work/tracker.ts';
import { AppError } from '../../../contracts/errors.ts';
import type { IssueAway } from '../../../contracts/work/trackers.ts';
import { Service } from '../../kernel/service.ts';
import { tell } from '../records.ts';
import { asked, callerOf, placeOf, trackerRow, type Given, type LinkRow, type TrackerRow } from './rows.ts';

type Link = Pick<LinkRow, 'number' | 'task_id' | 'left_as'>;

/** Per round. More than so many pages are not read: whatever is not on them is looked at by itself. */
const most = { pages: 40, looks: 50 };

/** From one round to the next, in seconds: a round costs a call per fifty open issues, also when nothing is new. */
const lookEvery = 600;

/** As the history of a task says it. */
const words: Record<IssueAway, string> = {
  filter: "not in the tracker's filter",
  moved: 'moved elsewhere',
  gone: 'deleted or hidden',
};
const wordsOf = (left: IssueAway | null): string => (left === null ? 'followed' : words[left]);

/**
 * Issues that left those of their tracker: a list of changes does not name them. The open issues of the filter are listed,
 * and one that is missing is looked at by itself, because pages shift while they are read.
 */
export class IssueLeaving extends Service<'trackers' | 'secrets'> {
  /**
   * A round, unless one of the last minutes came to its end.
   * @returns how many left or came back. @throws AppError the first failure
   */
  async tend(ref: TrackerRef): Promise<number> {
    const [due] = await this.db.query<Pick<TrackerRow, 'rev'>>(
      `select rev from work_trackers where tenant_id = $1 and id = $2 and (looked_at is null or looked_at < now() - make_interval(secs => $3))`,
      [ref.tenant, ref.id, lookEvery],
    );
    if (!due) return 0;
    const count = await this.look(ref);
    const done = [ref.tenant, ref.id, due.rev];
    await this.db.query('update work_trackers set looked_at = now() where tenant_id = $1 and id = $2 and rev = $3', done);
    return count;
  }

  /**
   * A failed look does not keep others from being looked at, unless the other side limits calls.
   * @returns how many left or came back. @throws AppError the first failure
   */
  async look(ref: TrackerRef): Promise<number> {
    const tracker = await trackerRow(this.db, ref);
    if (!tracker) return 0;
    const turn = await this.turn(ref);
    const links = await this.links(ref);
    if (links.length === 0) return 0;
    const given: Given = { ref, tracker, place: placeOf(tracker, this.deps.secrets) };
    const listed = await this.listed(given);
    const missing = links.filter(({ number, left_as }) => left_as === null && !listed.has(number));
    let count = 0;
    for (const link of links) if (link.left_as !== null && listed.has(link.number)) count += await this.write(given, link, null, turn);
    let failure: AppError | null = null;
    for (const link of missing.slice(0, most.looks)) {
      try {
        const left = await this.away(given, link.number);
        if (left !== null) count += await this.write(given, link, left, turn);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        failure ??= error;
        if (error.code === 'RATE_LIMIT_EXCEEDED') break;
      }
    }
    if (failure !== null) throw failure;
    return count;
  }

  /** What a list of changes says of an issue: it is followed again (null), or was moved. */
  async note(ref: TrackerRef, tracker: TrackerRow, link: Link, left: IssueAway | null): Promise<void> {
    if (left !== link.left_as) await this.write({ ref, tracker }, link, left, await this.turn(ref));
  }

  /** Begins a round: an older one writes nothing any more. */
  private async turn({ tenant, id }: TrackerRef): Promise<number> {
    const [row] = await this.db.query<{ looks: number }>(
      'update work_trackers set looks = looks + 1 where tenant_id = $1 and id = $2 returning looks',
      [tenant, id],
    );
    return row?.looks ?? -1;
  }

  /** Issues of tasks that are not over, those first that were looked at longest ago. */
  private async links({ tenant, id }: TrackerRef): Promise<Link[]> {
    return await this.db.query<Link>(
      `select i.number, i.task_id, i.left_as from work_task_issues i join work_tasks t on t.tenant_id = i.tenant_id and t.id = i.task_id
       where i.tenant_id = $1 and i.tracker_id = $2 and (i.state = 'open' or i.left_as is not null) and t.status <> 'done' and not t.cancelled
       order by i.looked_at nulls first, i.number`,
      [tenant, id],
    );
  }

  /** Numbers of the open issues of the filter. */
  private async listed({ ref, tracker, place }: Given): Promise<Set<number>> {
    const port = this.deps.trackers[tracker.kind];
    const { labels, assignee = null } = tracker.filter;
    const wanted = { since: null, state: 'open', labels, assignee, etag: null } as const;
    const numbers = new Set<number>();
    let next: string | null = null;
    for (let count = 0; count < most.pages; count += 1) {
      const query: IssueQuery = next === null ? wanted : { ...wanted, page: next };
      const page = await asked(this.db, ref, () => port.issues(place, query));
      for (const { number } of page.issues) numbers.add(number);
      if (page.next === null) break;
      next = page.next;
    }
    return numbers;
  }

  private async away({ ref, tracker, place }: Given, number: number): Promise<IssueAway | null> {
    const { labels, assignee = null } = tracker.filter;
    const left = await asked(this.db, ref, () => this.deps.trackers[tracker.kind].away(place, number, { labels, assignee }));
    await this.db.query('update work_task_issues set looked_at = now() where tenant_id = $1 and tracker_id = $2 and number = $3', [
      ref.tenant,
      ref.id,
      number,
    ]);
    return left;
  }

  /**
   * Notes it in the task's history once. Nothing is written when a later round has begun, or when the tracker has got
   * another filter meanwhile.
   * @returns how many: one or none
   */
  private async write({ ref, tracker }: Pick<Given, 'ref' | 'tracker'>, link: Link, left: IssueAway | null, turn: number): Promise<number> {
    const { principal } = callerOf(ref.tenant, tracker);
    const edited = [{ field: 'issue', from: wordsOf(link.left_as), to: wordsOf(left) }];
    const written = await this.db.query(
      `with own as materialized (
         select 1 from work_trackers where tenant_id = $1 and id = $2 and looks = $5::int and rev = $6 for share
       ), link as (
         update work_task_issues i set left_as = $4::text where i.tenant_id = $1 and i.tracker_id = $2 and i.number = $3
           and i.left_as is distinct from $4::text and exists (select from own) returning i.task_id
       ), noted as (
         insert into work_task_events (tenant_id, task_id, rev, mark, status, agent, token, attempts, lease_expires_at, ended_by, ended_as, edited)
         select t.tenant_id, t.id, t.rev, 'issue/' || lpad($5::int::text, 10, '0'), t.status, t.assigned_agent_id, t.fencing_token, t.attempts,
           t.lease_expires_at, $7, 'platform', $8::jsonb from work_tasks t, link where t.tenant_id = $1 and t.id = link.task_id
         on conflict do nothing
       ), told as (${tell('work_tasks t, link')} where t.tenant_id = $1 and t.id = link.task_id)
       select 1 from link`,
      [ref.tenant, ref.id, link.number, left, turn, tracker.rev, principal, JSON.stringify(edited)],
    );
    return written.length;
  }
}
