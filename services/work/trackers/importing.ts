import type { Issue, IssueComment } from '../../../adapters/trackers/types.ts';
import type { TrackerActivities, TrackerRef } from '../../../contracts/activities/work/tracker.ts';
import type { Caller } from '../../../contracts/caller.ts';
import { AppError } from '../../../contracts/errors.ts';
import { derivedId, hashOf } from '../../../contracts/ids.ts';
import { issueName } from '../../../contracts/work/tracker-kinds.ts';
import { Service } from '../../kernel/service.ts';
import type { TaskChanges } from '../changes.ts';
import type { TaskCommands } from '../commands.ts';
import type { TaskQueries } from '../queries.ts';
import type { TaskRow } from '../rows.ts';
import type { TaskShaping } from '../shape.ts';
import type { IssueLeaving } from './leaving.ts';
import { adopt } from './messages.ts';
import { asked, callerOf, commentPages, placeName, placeOf, trackerRow, type Given, type LinkRow, type TrackerRow } from './rows.ts';
import { commentWords, priorityOf, taskWords } from './words.ts';

type Imported = Awaited<ReturnType<TrackerActivities['importIssues']>>;
interface Counts {
  imported: number;
  changed: number;
  comments: number;
}

interface Sync extends Given {
  caller: Caller;
  counts: Counts;
}

/**
 * From issues to tasks. The task's id follows from repository and number, so nothing that is repeated, or done by two at
 * once, makes a second task.
 */
export class IssueImport extends Service<
  'trackers' | 'secrets',
  { commands: TaskCommands; shaping: TaskShaping; changes: TaskChanges; queries: TaskQueries; leaving: IssueLeaving }
> {
  /** Imports one page of issues that changed since the last one. */
  async page(ref: TrackerRef): Promise<Imported> {
    const counts: Counts = { imported: 0, changed: 0, comments: 0 };
    const tracker = await trackerRow(this.db, ref);
    if (!tracker) return { ...counts, more: false };
    const port = this.deps.trackers[tracker.kind];
    const place = placeOf(tracker, this.deps.secrets);
    const sync: Sync = { ref, tracker, place, caller: callerOf(ref.tenant, tracker), counts };
    await this.begin(ref);
    const since = tracker.since?.toISOString() ?? null;
    const wanted = {
      since,
      state: tracker.all_states ? ('all' as const) : ('open' as const),
      labels: tracker.filter.labels,
      assignee: tracker.filter.assignee ?? null,
    };
    let page = await asked(this.db, ref, () => port.issues(place, { ...wanted, etag: tracker.etag }));
    if (page.unchanged) return { ...counts, more: false };
    const { etag } = page;
    let until = page.until;
    for (const issue of page.issues) await this.take(sync, issue);
    // Pages are asked for by time, because a change between two moves all later entries to other pages. Only many issues
    // of one moment are read page by page.
    while (page.next !== null && until !== null && since !== null && Date.parse(until) <= Date.parse(since)) {
      const next = page.next;
      page = await asked(this.db, ref, () => port.issues(place, { ...wanted, etag: null, page: next }));
      for (const issue of page.issues) await this.take(sync, issue);
      until = page.until ?? until;
    }
    const moved = until !== null && (since === null || Date.parse(until) > Date.parse(since));
    await this.note(ref, tracker, until, moved ? null : etag);
    if (page.next === null && !tracker.all_states) await this.widen(ref, tracker);
    return { ...counts, more: page.next !== null || !tracker.all_states };
  }

  private async begin({ tenant, id }: TrackerRef): Promise<void> {
    await this.db.query('update work_trackers set begun_at = coalesce(begun_at, now()) where tenant_id = $1 and id = $2', [tenant, id]);
  }

  /** How far issues have been read. */
  private async note(
    { tenant, id }: TrackerRef,
    { rev, all_states }: TrackerRow,
    until: string | null,
    etag: string | null,
  ): Promise<void> {
    await this.db.query(
      `update work_trackers set since = greatest(since, $3), etag = $4
       where tenant_id = $1 and id = $2 and rev = $5 and all_states = $6`,
      [tenant, id, until, etag, rev, all_states],
    );
  }

  /** All open issues have been read: those of any state that changed since the beginning follow. Clocks may differ. */
  private async widen({ tenant, id }: TrackerRef, { rev }: TrackerRow): Promise<void> {
    await this.db.query(
      `update work_trackers set all_states = true, etag = null, since = least(begun_at - interval '10 minutes', since)
       where tenant_id = $1 and id = $2 and rev = $3 and not all_states`,
      [tenant, id, rev],
    );
  }

  private async take(sync: Sync, issue: Issue): Promise<void> {
    const { ref, tracker, counts } = sync;
    const key = `issue:${placeName(tracker)}#${issue.number}`;
    const id = derivedId('task', ref.tenant, key);
    let link = await this.linkOf(ref, issue.number);
    if (!link) {
      // A task without its link: whoever made it was interrupted.
      if (issue.state === 'closed' && !(await this.taskOf(ref.tenant, id))) return;
      await this.create(sync, issue, key);
      if (await this.link(ref, issue, id)) counts.imported += 1;
      link = await this.linkOf(ref, issue.number);
      // Another tracker of this repository has it.
      if (!link) return;
    }
    await this.deps.leaving.note(ref, tracker, link, issue.moved ? 'moved' : null);
    // It is closed here, and goes on elsewhere.
    if (issue.moved) return;
    let task = await this.taskOf(ref.tenant, link.task_id);
    // It was deleted here, and stays so.
    if (!task) return;
    const edited = await this.words(sync, issue, link, task);
    if (edited) task = (await this.taskOf(ref.tenant, link.task_id)) ?? task;
    const ended = await this.state(sync, issue, link, task);
    if (edited || ended) counts.changed += 1;
    if (issue.comments !== 0) counts.comments += await this.comments(sync, link);
  }

  private async create({ tracker, caller }: Sync, issue: Issue, key: string): Promise<void> {
    const words = wordsOf(issue, tracker);
    await this.deps.commands.create(
      caller,
      {
        ...words,
        phaseId: tracker.phase_id,
        priority: priorityOf(issue.labels),
        blockedBy: [],
        metadata: {},
        leaseSeconds: 300,
        maxAttempts: 3,
        needsReview: undefined,
      },
      key,
    );
  }

  private async link({ tenant, id }: TrackerRef, issue: Issue, task: string): Promise<boolean> {
    const made = await this.db.query(
      `insert into work_task_issues (tenant_id, tracker_id, number, task_id, url, state) values ($1, $2, $3, $4, $5, 'open')
       on conflict do nothing returning 1`,
      [tenant, id, issue.number, task, issue.url],
    );
    return made.length > 0;
  }

  /**
   * Title, description and tags follow the issue, until somebody edits them here.
   * @returns whether the task was edited
   */
  private async words({ ref, tracker, caller }: Sync, issue: Issue, link: LinkRow, task: TaskRow): Promise<boolean> {
    const words = wordsOf(issue, tracker);
    const seen = hashOf(words);
    if (seen === link.seen) return false;
    const same = task.title === words.title && task.description === words.description && hashOf(task.tags) === hashOf(words.tags);
    let edits = link.task_edits;
    // Edits of ours whose note was lost.
    if (task.edits > edits && !(await this.editedHere(caller, task.id, edits))) edits = task.edits;
    const before = edits;
    if (!same) {
      try {
        // The edits that it counts are part of the key: a repeat of this edit is known by it.
        await this.deps.shaping.edit(caller, task.id, { ...words, expected: edits }, `issue:${ref.id}:${issue.number}:${edits}:${seen}`);
        edits += 1;
      } catch (error) {
        if (!(error instanceof AppError) || error.details?.['reason'] !== 'edited') throw error;
        const text = `The text of ${issue.url} was changed. This task was edited here and keeps its words.`;
        await this.say(caller, task.id, text, `${ref.id}:${issue.number}:words:${seen}`);
      }
    }
    await this.db.query(
      'update work_task_issues set seen = $4, task_edits = $5 where tenant_id = $1 and tracker_id = $2 and number = $3 and task_edits = $6',
      [ref.tenant, ref.id, issue.number, seen, edits, link.task_edits],
    );
    return edits > before;
  }

  /** Whether somebody else has edited the task since it had so many edits. */
  private async editedHere({ tenant, principal }: Caller, task: string, since: number): Promise<boolean> {
    const found = await this.db.query(
      `select 1 from work_task_events where tenant_id = $1 and task_id = $2 and mark like 'edit/%' and substr(mark, 6, 8)::int > $3
         and ended_by is distinct from $4 limit 1`,
      [tenant, task, since, principal],
    );
    return found.length > 0;
  }

  /** A closed issue ends a task that nobody works on. @returns whether it did */
  private async state({ ref, caller }: Sync, issue: Issue, link: LinkRow, task: TaskRow): Promise<boolean> {
    if (issue.state === link.state) return false;
    const mark = `${ref.id}:${issue.number}:${issue.state}:${issue.updatedAt}`;
    let ended = false;
    if (issue.state === 'closed' && task.status !== 'done' && !task.cancelled) {
      ended = await this.cancel(caller, task, issue);
      if (!ended) await this.say(caller, task.id, `${issue.url} was closed. This task goes on until somebody ends it.`, mark);
    }
    if (issue.state === 'open') await this.say(caller, task.id, `${issue.url} was opened again.`, mark);
    await this.db.query('update work_task_issues set state = $4 where tenant_id = $1 and tracker_id = $2 and number = $3', [
      ref.tenant,
      ref.id,
      issue.number,
      issue.state,
    ]);
    return ended;
  }

  private async cancel(caller: Caller, task: TaskRow, issue: Issue): Promise<boolean> {
    if (task.status === 'in_progress' || task.status === 'review') return false;
    try {
      const wanted = { reason: `${issue.url} was closed.`, dependants: 'free' as const, unheld: true };
      await this.deps.shaping.cancel(caller, task.id, wanted, `issue:${issue.url}:${issue.updatedAt}`);
      return true;
    } catch (error) {
      // It was claimed or completed at this moment.
      if (error instanceof AppError && error.code === 'CONFLICT') return false;
      throw error;
    }
  }

  /** Comments of people. @returns how many are new */
  private async comments({ ref, tracker, place }: Sync, link: LinkRow): Promise<number> {
    let count = 0;
    for await (const comments of commentPages(
      this.deps,
      { ref, tracker, place },
      link.number,
      link.comments_since?.toISOString() ?? null,
    )) {
      for (const comment of comments) if (await this.comment(ref, tracker, link, comment)) count += 1;
      if (comments.length === 0) continue;
      const latest = new Date(Math.max(...comments.map(({ updatedAt }) => Date.parse(updatedAt))));
      await this.db.query(
        `update work_task_issues set comments_since = greatest(comments_since, $4) where tenant_id = $1 and tracker_id = $2 and number = $3`,
        [ref.tenant, ref.id, link.number, latest],
      );
    }
    return count;
  }

  private async comment(ref: TrackerRef, tracker: TrackerRow, link: LinkRow, comment: IssueComment): Promise<boolean> {
    if (comment.automatic) return false;
    if (comment.marker !== null && (await adopt(this.db, ref, link.number, comment.marker, comment.id))) return false;
    const body = commentWords(comment.body);
    if (body === '') return false;
    const id = derivedId('comment', ref.tenant, placeName(tracker), comment.id);
    return await this.deps.changes.bring(ref.tenant, link.task_id, {
      id,
      author: `${tracker.kind}:${comment.author}`,
      body,
      at: comment.createdAt,
    });
  }

  /** A note of the tracker, once for its mark. */
  private async say(caller: Caller, task: string, body: string, mark: string): Promise<void> {
    const id = derivedId('comment', caller.tenant, mark);
    await this.deps.changes.bring(caller.tenant, task, { id, author: caller.principal, body, at: null });
  }

  private async linkOf({ tenant, id }: TrackerRef, number: number): Promise<LinkRow | null> {
    const [row] = await this.db.query<LinkRow>('select * from work_task_issues where tenant_id = $1 and tracker_id = $2 and number = $3', [
      tenant,
      id,
      number,
    ]);
    return row ?? null;
  }

  private async taskOf(tenant: string, id: string): Promise<TaskRow | null> {
    return await this.deps.queries.row(tenant, id).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
      throw error;
    });
  }
}

const wordsOf = (issue: Issue, tracker: TrackerRow): ReturnType<typeof taskWords> =>
  taskWords(issue, issueName(tracker, issue.number), placeName(tracker));
