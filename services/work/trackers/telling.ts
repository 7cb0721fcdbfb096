import type { TrackerPlace } from '../../../adapters/trackers/types.ts';
import type { TrackerRef } from '../../../contracts/activities/work/tracker.ts';
import { AppError } from '../../../contracts/errors.ts';
import type { Columns } from '../../../prisma/rows.ts';
import { Service } from '../../kernel/service.ts';
import type { IssueMessages, Sent, Told } from './messages.ts';
import { asked, placeOf, trackerRow, type TrackerRow } from './rows.ts';
import { plainName, quoted } from './words.ts';

/** A task whose issue does not know its present state. */
type Standing = Columns<'work_tasks', 'id' | 'status' | 'rev' | 'fencing_token' | 'attempts' | 'max_attempts' | 'result' | 'failure'> &
  Record<string, unknown> & {
    number: number;
    issue_state: 'open' | 'closed';
    agent: string | null;
    cancelled: boolean;
    ended_by: string | null;
    ended_as: string | null;
    summary: string | null;
    pull_url: string | null;
  };

type Spoken = { id: string; number: number; author: string; body: string; path: string | null; line: number | null } & Record<
  string,
  unknown
>;

/** An issue `i` that can be written to: one that was moved or deleted is not there. */
const hears = `(i.left_as is null or i.left_as = 'filter')`;

/** Per sync. */
const most = { tasks: 200, comments: 200 };

/** From tasks to issues: one comment for each thing that happened, and what people say here. */
export class IssueTelling extends Service<'trackers' | 'secrets', { messages: IssueMessages }> {
  /**
   * One that fails does not keep others from being written, unless the other side limits calls.
   * @returns how many comments were written and issues closed
   * @throws AppError the first failure; SERVICE_UNAVAILABLE when something is still on its way
   */
  async tell(ref: TrackerRef): Promise<number> {
    const tracker = await trackerRow(this.db, ref);
    if (!tracker) return 0;
    const place = placeOf(tracker, this.deps.secrets);
    const round: Round = { written: 0, busy: false, failure: null };
    for (const task of await this.tasks(ref)) await this.each(round, () => this.task(ref, tracker, place, task));
    for (const comment of await this.comments(ref)) {
      await this.each(round, () =>
        this.deps.messages.send(ref, tracker, place, { number: comment.number, key: `comment:${comment.id}`, text: speech(comment) }),
      );
    }
    if (round.failure !== null) throw round.failure;
    if (!round.busy) return round.written;
    const { leaseSeconds, settleSeconds } = this.deps.messages;
    throw new AppError('SERVICE_UNAVAILABLE', 'It is not known yet whether a comment was written.', {
      hint: 'It is looked for, and written if it is not there.',
      retryAfterSeconds: Math.min(leaseSeconds, settleSeconds),
    });
  }

  private async each(round: Round, work: () => Promise<Sent | null>): Promise<void> {
    if (round.failure?.code === 'RATE_LIMIT_EXCEEDED') return;
    try {
      const sent = await work();
      if (sent === 'sent') round.written += 1;
      if (sent === 'busy') round.busy = true;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (round.failure === null || error.code === 'RATE_LIMIT_EXCEEDED') round.failure = error;
    }
  }

  /** Only the present state is told: what was over before a sync is in the task's history. */
  private async task(ref: TrackerRef, tracker: TrackerRow, place: TrackerPlace, task: Standing): Promise<Sent | null> {
    const told = milestoneOf(task);
    const sent = told === null ? null : await this.deps.messages.send(ref, tracker, place, told);
    if (sent === 'busy') return sent;
    if (task.status === 'done' && tracker.close_done && task.issue_state === 'open' && sent !== 'refused') {
      await asked(this.db, ref, () => this.deps.trackers[tracker.kind].close(place, task.number));
      await this.db.query(`update work_task_issues set state = 'closed' where tenant_id = $1 and tracker_id = $2 and number = $3`, [
        ref.tenant,
        ref.id,
        task.number,
      ]);
    }
    await this.db.query(
      'update work_task_issues set told_rev = greatest(told_rev, $4) where tenant_id = $1 and tracker_id = $2 and number = $3',
      [ref.tenant, ref.id, task.number, task.rev],
    );
    return sent;
  }

  private async tasks({ tenant, id }: TrackerRef): Promise<Standing[]> {
    return await this.db.query<Standing>(
      `select i.number, i.state as issue_state, t.id, t.status, t.rev, t.fencing_token, t.attempts, t.max_attempts, t.result, t.failure,
         t.assigned_agent_id as agent, t.cancelled, t.ended_by, t.ended_as, r.summary,
         (select p.url from work_pulls p where p.tenant_id = t.tenant_id and p.task_id = t.id and p.url is not null
           order by p.created_at desc limit 1) as pull_url
       from work_task_issues i join work_tasks t on t.tenant_id = i.tenant_id and t.id = i.task_id
       left join work_runs r on r.tenant_id = t.tenant_id and r.task_id = t.id and r.fencing_token = t.fencing_token
       where i.tenant_id = $1 and i.tracker_id = $2 and ${hears} and i.told_rev < t.rev order by t.changed_at, t.id limit ${most.tasks}`,
      [tenant, id],
    );
  }

  /** What people have said here since the task has its issue, and was not written there. */
  private async comments({ tenant, id }: TrackerRef): Promise<Spoken[]> {
    return await this.db.query<Spoken>(
      `select c.id, i.number, c.author, c.body, c.path, c.line from work_task_issues i
       join work_comments c on c.tenant_id = i.tenant_id and c.task_id = i.task_id and c.by_person
       where i.tenant_id = $1 and i.tracker_id = $2 and ${hears} and not exists (select from work_issue_messages m where m.tenant_id = i.tenant_id
         and m.tracker_id = i.tracker_id and m.number = i.number and m.key = 'comment:' || c.id and m.state in ('sent', 'refused'))
       order by c.created_at, c.id limit ${most.comments}`,
      [tenant, id],
    );
  }
}

interface Round {
  written: number;
  busy: boolean;
  failure: AppError | null;
}

/** What an issue is told of its task; null: nothing. The key names the lease, so each attempt is told of. */
function milestoneOf(task: Standing): Told | null {
  const { number, fencing_token: lease } = task;
  const lines = (...parts: (string | null)[]): string => parts.filter((part) => part !== null && part !== '').join('\n\n');
  const text = (words: string | null): string | null => (words?.trim() ? quoted(words) : null);
  const pull = task.pull_url === null ? null : `Pull request: ${task.pull_url}`;
  switch (task.status) {
    case 'in_progress':
      return {
        number,
        key: `claimed:${lease}`,
        text: `${plainName(task.agent ?? 'An agent')} works on this (attempt ${task.attempts} of ${task.max_attempts}). Task ${task.id}.`,
      };
    case 'review':
      return {
        number,
        key: `review:${lease}`,
        text: lines(`The work waits for a review. Task ${task.id}.`, pull, text(task.summary ?? task.result)),
      };
    case 'done':
      return { number, key: 'done', text: lines(`Task ${task.id} is done.`, pull, text(task.result ?? task.summary)) };
    case 'failed': {
      // The tracker ended it because the issue was closed: the issue knows.
      if (task.cancelled && task.ended_as === 'platform') return null;
      const by = task.ended_by === null ? '' : ` by ${plainName(task.ended_by)}`;
      return {
        number,
        key: task.cancelled ? `cancelled:${task.rev}` : `failed:${lease}`,
        text: lines(task.cancelled ? `Task ${task.id} was cancelled${by}.` : `Task ${task.id} has failed.`, text(task.failure)),
      };
    }
    default:
      return null;
  }
}

const speech = ({ author, body, path, line }: Spoken): string =>
  `${plainName(author)} in Signalbox${path === null ? '' : `, about ${plainName(line === null ? path : `${path}:${line}`)}`}:\n\n${quoted(body)}`;
