import type { Database } from '../../../adapters/postgres/database.ts';
import { asTenant } from '../../../adapters/postgres/tenancy.ts';
import { isTerminal, type StreamJson } from '../../../contracts/agents/a2a.ts';
import type { Caller } from '../../../contracts/caller.ts';
import { AppError } from '../../../contracts/errors.ts';
import type { A2aTasks, Sent } from './tasks.ts';
import { isQuiet, taskJson, type A2aTaskRow } from './tasks-records.ts';
import { Service } from '../../kernel/service.ts';

interface StoredEvent extends Record<string, unknown> {
  seq: number;
  event: StreamJson;
}

/** How long a stream waits before it decides whether to answer with a task or with a message, in ms. */
const firstWordMs = 3_000;

/** Events of a task with a higher number than `seen`, in order. */
export async function eventsAbove(query: Database['query'], tenant: string, id: string, seq: number): Promise<StoredEvent[]> {
  return await query<StoredEvent>(
    'select seq, event from a2a_events where tenant_id = $1 and task_id = $2 and seq > $3 order by seq limit 200',
    [tenant, id, seq],
  );
}

/** Streams of the stored events. Any process can serve them and continue where another one stopped. */
export class A2aEvents extends Service<never, { tasks: A2aTasks }> {
  /** The stream for a message: the task, then its events until it ends or waits for the client; or a single message. */
  async *ofSent(caller: Caller, sent: Sent, signal?: AbortSignal): AsyncGenerator<StreamJson, void, undefined> {
    const row = await this.deps.tasks.until(caller, sent.id, Date.now() + firstWordMs, signal, ({ rev }) => rev > sent.rev);
    if (row.answer) yield { message: row.answer };
    else if (sent.continued) {
      yield { task: taskJson(row) };
      yield* this.follow(caller, sent.id, row.seq, answered(sent.rev), signal);
    } else yield* this.follow(caller, sent.id, 0, answered(0), signal);
  }

  /**
   * The task, then its events until it ends; with `turn` also until it waits for the client.
   * @throws AppError NOT_FOUND, CONFLICT with `details.reason` unsupported when it has ended
   */
  async *ofTask(caller: Caller, id: string, until: 'over' | 'turn', signal?: AbortSignal): AsyncGenerator<StreamJson, void, undefined> {
    const row = await asTenant(caller.tenant, () => this.deps.tasks.row(caller, id));
    if (isTerminal(row.state)) {
      throw new AppError('CONFLICT', `The task is ${row.state}: there will be no more events.`, {
        hint: 'GetTask shows it.',
        details: { reason: 'unsupported' },
      });
    }
    yield { task: taskJson(row) };
    yield* this.follow(caller, id, row.seq, until === 'turn' ? isQuiet : (now) => isTerminal(now.state), signal);
  }

  private async *follow(
    caller: Caller,
    id: string,
    after: number,
    ended: (row: A2aTaskRow) => boolean,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<StreamJson, void, undefined> {
    for (let seen = after; !signal?.aborted;) {
      const row = await this.deps.tasks.until(caller, id, Infinity, signal, (now) => now.seq > seen || ended(now));
      for (const { seq, event } of await asTenant(caller.tenant, () => eventsAbove(this.db.query, caller.tenant, id, seen))) {
        yield event;
        seen = seq;
      }
      // Events that were added after this row was read are for the next round.
      if (seen === row.seq && ended(row)) return;
    }
  }
}

/** The task has ended or waits for the client, and has changed since revision `rev`, at which the message was still unanswered. */
const answered =
  (rev: number) =>
  (row: A2aTaskRow): boolean =>
    row.rev > rev && isQuiet(row);
