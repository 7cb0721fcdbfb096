import type { Pull, TrackerPlace } from '../../../adapters/trackers/types.ts';
import type { TrackerRef } from '../../../contracts/activities/work/tracker.ts';
import type { Caller } from '../../../contracts/caller.ts';
import { AppError } from '../../../contracts/errors.ts';
import type { WorkRun } from '../../../contracts/work/runs.ts';
import { kindsOfTrackers, trackerKinds } from '../../../contracts/work/tracker-kinds.ts';
import type { Columns } from '../../../prisma/rows.ts';
import { Service } from '../../kernel/service.ts';
import type { RunQueries } from '../run-queries.ts';
import type { RunReviews } from '../run-reviews.ts';
import type { RunRow } from '../run-rows.ts';
import { asked, callerOf, placeOf, trackerRow, type TrackerRow } from './rows.ts';
import { quoted } from './words.ts';

type PullRow = Columns<'work_pulls', 'run_id' | 'task_id' | 'branch' | 'base' | 'head_commit' | 'number'> &
  Record<string, unknown> & { state: 'wanted' | 'open'; issue: number | null; issue_url: string | null; issue_of: string | null };

/** Per sync. */
const mostPulls = 200;

/** Pull requests with the approved work of runs. */
export class RunPulls extends Service<'trackers' | 'secrets', { runs: RunQueries; reviews: RunReviews }> {
  /**
   * The branch of approved work has been pushed: a pull request is wanted. A repeat changes nothing.
   * @returns the tracker that opens it
   * @throws AppError NOT_FOUND; CONFLICT when the run is not approved, another commit was pushed, or no tracker has its
   * repository
   */
  async pushed(caller: Caller, runId: string, commit: string): Promise<{ run: WorkRun; tracker: string }> {
    const { tenant } = caller;
    const run = await this.deps.runs.row(tenant, runId);
    const [known] = await this.db.query<{ tracker_id: string; head_commit: string }>(
      'select tracker_id, head_commit from work_pulls where tenant_id = $1 and run_id = $2',
      [tenant, runId],
    );
    if (known && known.head_commit === commit) return { run: await this.deps.runs.get(tenant, runId), tracker: known.tracker_id };
    assertPushable(run, commit);
    const tracker = await this.trackerOf(tenant, run.repository);
    await this.db.query(
      `insert into work_pulls (tenant_id, run_id, tracker_id, task_id, branch, base, head_commit) values ($1, $2, $3, $4, $5, $6, $7)
       on conflict do nothing`,
      [tenant, runId, tracker, run.task_id, run.branch, run.base, commit],
    );
    return { run: await this.deps.runs.get(tenant, runId), tracker };
  }

  /**
   * Opens those that are wanted, and notes what became of those that are open.
   * @returns how many were opened or ended
   * @throws AppError the first failure, after all were tried
   */
  async follow(ref: TrackerRef): Promise<number> {
    const tracker = await trackerRow(this.db, ref);
    if (!tracker) return 0;
    const place = placeOf(tracker, this.deps.secrets);
    let changed = 0;
    let failure: AppError | null = null;
    for (const row of await this.rows(ref)) {
      try {
        if (await this.one(ref, tracker, place, row)) changed += 1;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        await this.note(ref, row, { error: error.message.slice(0, 1_000) });
        failure ??= error;
        if (error.code === 'RATE_LIMIT_EXCEEDED') break;
      }
    }
    if (failure !== null) throw failure;
    return changed;
  }

  private async one(ref: TrackerRef, tracker: TrackerRow, place: TrackerPlace, row: PullRow): Promise<boolean> {
    const run = await this.deps.runs.row(ref.tenant, row.run_id);
    // Sent back by a person, or completed otherwise.
    if (run.state !== 'approved') return await this.note(ref, row, { state: 'dropped' });
    const pull = await this.read(ref, tracker, place, row, run);
    if (pull === 'refused') return true;
    const known = { number: pull.number, url: pull.url, error: null };
    // Before its effect: the end of the run shows it.
    const opened = row.number === null && (await this.note(ref, row, { ...known, state: 'open' }));
    if (pull.state === 'open') return opened;
    const said =
      pull.state === 'merged'
        ? { commit: pull.mergedCommit ?? row.head_commit }
        : { conflict: `${pull.url} was closed without being merged.` };
    await this.end(ref, tracker, row, said);
    return await this.note(ref, row, { ...known, state: pull.state });
  }

  private async read(ref: TrackerRef, tracker: TrackerRow, place: TrackerPlace, row: PullRow, run: RunRow): Promise<Pull | 'refused'> {
    const port = this.deps.trackers[tracker.kind].pulls;
    if (port === null) throw new Error(`A tracker of the kind ${tracker.kind} has pull requests.`);
    const { number, branch, base } = row;
    if (number !== null) return await asked(this.db, ref, () => port.read(place, number));
    // One whose answer was lost is there already.
    const found = await asked(this.db, ref, () => port.of(place, { branch, base }));
    if (found) return found;
    try {
      const made = await asked(this.db, ref, () => port.open(place, { branch, base, title: run.title, body: bodyOf(ref, row, run) }));
      if (made !== 'exists') return made;
    } catch (error) {
      // Nothing to merge, or no such base: another attempt may do better.
      if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') throw error;
      const why = `No pull request can be opened: ${error.message} ${String(error.details?.['said'] ?? '')}`.trim().slice(0, 1_000);
      await this.end(ref, tracker, row, { conflict: why });
      await this.note(ref, row, { state: 'closed', error: why });
      return 'refused';
    }
    const there = await asked(this.db, ref, () => port.of(place, { branch, base }));
    if (there) return there;
    throw new AppError('SERVICE_UNAVAILABLE', `The pull request of ${branch} is there, but not listed yet.`);
  }

  /** Completes the task, or sends it back. Somebody may have decided otherwise at this moment. */
  private async end(ref: TrackerRef, tracker: TrackerRow, row: PullRow, said: { commit: string } | { conflict: string }): Promise<void> {
    try {
      await this.deps.reviews.merged(callerOf(ref.tenant, tracker), row.run_id, said);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error;
    }
  }

  private async note(
    { tenant }: TrackerRef,
    { run_id }: PullRow,
    { number, url, state, error }: { number?: number; url?: string; state?: string; error?: string | null },
  ): Promise<boolean> {
    const rows = await this.db.query(
      `update work_pulls p set number = coalesce($3, p.number), url = coalesce($4, p.url), state = coalesce($5, p.state), error = $6, updated_at = now()
       where p.tenant_id = $1 and p.run_id = $2 and p.state in ('wanted', 'open') and p.state is distinct from $5 returning 1`,
      [tenant, run_id, number ?? null, url ?? null, state ?? null, error ?? null],
    );
    return rows.length > 0;
  }

  private async rows({ tenant, id }: TrackerRef): Promise<PullRow[]> {
    return await this.db.query<PullRow>(
      `select p.run_id, p.task_id, p.branch, p.base, p.head_commit, p.number, p.state, i.number as issue, i.url as issue_url, i.tracker_id as issue_of
       from work_pulls p left join work_task_issues i on i.tenant_id = p.tenant_id and i.task_id = p.task_id
       where p.tenant_id = $1 and p.tracker_id = $2 and p.state in ('wanted', 'open') order by p.updated_at, p.run_id limit ${mostPulls}`,
      [tenant, id],
    );
  }

  private async trackerOf(tenant: string, repository: string | null): Promise<string> {
    const rows = await this.db.query<{ id: string; remote: string }>(
      `select id, remote from work_trackers where tenant_id = $1 and status <> 'removing' and kind = any($2) order by created_at, id`,
      [tenant, trackerKinds.filter((kind) => kindsOfTrackers[kind].code)],
    );
    const found = repository === null ? undefined : rows.find(({ remote }) => addressOf(remote) === addressOf(repository));
    if (found) return found.id;
    throw new AppError('CONFLICT', `No tracker has the repository ${repository ?? 'of this run'}.`, {
      hint: 'work.tracker.save makes one, whose token opens pull requests; its `remote` is the repository as runs name it.',
      details: { reason: 'no_tracker' },
    });
  }
}

/** One repository under any of its addresses: https, ssh, or git's short form. */
export const addressOf = (address: string): string =>
  address
    .replace(/^[a-z+]+:\/\//i, '')
    .replace(/^[^@/]*@/, '')
    .replace(/^([^:/]+):(?!\d+\/)/, '$1/')
    .replace(/\.git$/, '')
    .replace(/\/+$/, '')
    .toLowerCase();

function assertPushable(run: RunRow, commit: string): void {
  const refuse = (message: string, reason: string, hint: string): AppError =>
    new AppError('CONFLICT', message, { hint, details: { reason } });
  if (run.state !== 'approved')
    throw refuse(`The run is not approved but ${run.state}.`, run.state, 'Only approved work is pushed: work.run.review approves it.');
  if (run.merge !== 'pull_request' || run.branch === null || run.base === null)
    throw refuse('The work of this run does not become a pull request.', run.merge, 'Its way to the base branch was chosen when it began.');
  if (run.head_commit !== null && run.head_commit !== commit)
    throw refuse(`${run.head_commit} was approved, and nothing else.`, 'not_approved', 'Push the commit that was reviewed.');
}

/** An issue of the same repository is named, one of another place is linked. */
const bodyOf = ({ id }: TrackerRef, { issue, issue_of, issue_url, task_id }: PullRow, run: RunRow): string =>
  [
    issue === null ? null : `For ${issue_of === id ? `#${issue}` : issue_url}.`,
    run.summary?.trim() ? quoted(run.summary) : null,
    `Task ${task_id}, attempt ${run.attempt} by \`${run.agent}\`, approved by \`${run.reviewed_by ?? ''}\` in Signalbox.`,
  ]
    .filter((part) => part !== null)
    .join('\n\n');
