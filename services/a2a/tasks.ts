import { randomUUID } from 'node:crypto';
import type { Database } from '../../adapters/postgres/database.ts';
import type { Notices } from '../../adapters/postgres/notices.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { isTerminal, type MessageJson, type TaskJson } from '../../contracts/a2a.ts';
import { lineOf, type Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { derivedId, hashOf } from '../../contracts/ids.ts';
import { wellFormed } from '../../contracts/json.ts';
import { topics } from '../../contracts/notices.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import type { a2aTask } from '../../workflows/a2a-task/workflow.ts';
import type { Process, Processes } from '../processes.ts';
import type { A2aPush, PushConfig } from './push.ts';
import { appendMessage, findA2aTask, insertA2aTask, isQuiet, isVisible, taskJson, type A2aTaskRow } from './tasks-records.ts';

export interface Sending {
  message: MessageJson;
  metadata?: Record<string, unknown> | undefined;
  /** Whom to call back about the task, and in which version's words. */
  push?: { config: PushConfig; protocolVersion: string } | undefined;
}

/** A task that has taken a message, and what of it the sender has not seen. */
export interface Sent {
  id: string;
  /** The last event before the message. */
  seq: number;
  /** What came before the message does not answer it. */
  rev: number;
  /** The message went to a task that was there before. */
  continued: boolean;
}

/** A message may have so many bytes, as JSON. */
export const maxMessageBytes = 1_000_000;
/** How long a sender waits for the task's end, and for the first thing to be said about it, in ms. */
const patienceMs = 300_000;
const firstWordMs = 1_000;
/** Notices are hints: it looks anyway. */
const lookEvery = 1_000;

/** What clients ask of their tasks. Each task is seen by the line of keys that made it, and by the people of its tenant. */
export class A2aTasks {
  private readonly db: Database;
  private readonly notices: Notices;
  private readonly processes: Processes;
  private readonly push: A2aPush;

  constructor(parts: { db: Database; notices: Notices; processes: Processes; push: A2aPush }) {
    this.db = parts.db;
    this.notices = parts.notices;
    this.processes = parts.processes;
    this.push = parts.push;
  }

  /**
   * Gives a message to a task, new or waiting for it. The same message again is the same asking.
   * @throws AppError VALIDATION_ERROR (other words under the same message id, another context), NOT_FOUND (task),
   *   CONFLICT with `details.reason` unsupported (the task takes no message)
   */
  async send(caller: Caller, given: Sending): Promise<Sent> {
    // Text that was cut within a character: as tools do, it is taken with a replacement for it.
    const sending: Sending = { ...given, message: wellFormed(given.message), metadata: wellFormed(given.metadata) };
    if (Buffer.byteLength(JSON.stringify(sending.message)) > maxMessageBytes) {
      throw new AppError('VALIDATION_ERROR', `The message has more than ${maxMessageBytes} bytes.`, {
        hint: 'Send files by URL, or upload them with substrate.artifact.upload.',
        details: { reason: 'too_large', max_bytes: maxMessageBytes },
      });
    }
    if (sending.push) await this.push.check(sending.push.config);
    return await asTenant(caller.tenant, () =>
      sending.message.taskId ? this.goOn(caller, sending, sending.message.taskId) : this.begin(caller, sending),
    );
  }

  private async begin(caller: Caller, { message, metadata, push }: Sending): Promise<Sent> {
    const { tenant } = caller;
    const id = derivedId('a2a', tenant, lineOf(caller), message.messageId);
    const contextId = message.contextId ?? randomUUID();
    const made = await this.db.transaction(async (query) => {
      const { keyId, principal } = caller;
      const fresh = await insertA2aTask(query, tenant, {
        id,
        contextId,
        keyId,
        line: lineOf(caller),
        principal,
        message: { ...message, contextId, taskId: id },
        metadata,
      });
      if (fresh && push) await this.push.write(query, tenant, id, push.config, push.protocolVersion, 0);
      return fresh;
    });
    if (!made) {
      const row = await this.row(caller, id);
      sameWords(row.history[0], message);
      if (message.contextId !== undefined && message.contextId !== row.context_id) throw otherContext(row);
    }
    // Also for a repeated one: its first sender may have died before the process was started.
    const row = made ? null : await this.row(caller, id);
    if (!row || (row.rev === 0 && !isTerminal(row.state))) await this.processes.start<typeof a2aTask>(this.process(caller, id));
    return { id, seq: 0, rev: 0, continued: false };
  }

  private async goOn(caller: Caller, { message, push }: Sending, id: string): Promise<Sent> {
    const { tenant } = caller;
    const row = await this.row(caller, id);
    if (message.contextId !== undefined && message.contextId !== row.context_id) throw otherContext(row);
    const said = row.history.find(({ messageId, role }) => role === 'ROLE_USER' && messageId === message.messageId);
    let before: A2aTaskRow = row;
    if (said) sameWords(said, message);
    else {
      if (isTerminal(row.state)) throw closed(`The task is ${row.state}: it takes no more messages.`);
      const appended = await this.db.transaction((query) =>
        appendMessage(query, tenant, id, { ...message, contextId: row.context_id, taskId: id }),
      );
      if (!appended) throw closed(`The task is ${row.state}: it takes a message when it asks for one.`);
      before = appended;
    }
    if (push) await this.push.set(caller, id, push.config, push.protocolVersion);
    if (!said || (before.history.at(-1) === said && !isTerminal(row.state))) {
      await this.processes
        .ask<void>(this.process(caller, id), 'message', { messageId: message.messageId }, message.messageId)
        .catch((error: unknown) => {
          // Repeated after it was understood: it has been told already.
          if (!said || !(error instanceof AppError) || error.code !== 'CONFLICT') throw error;
        });
    }
    return said ? { id, seq: 0, rev: 0, continued: true } : { id, seq: before.seq, rev: before.rev, continued: true };
  }

  /**
   * Waits until the task is over or the client's turn; `immediately` only until it is known what becomes of it.
   * Ends early, without harm to the task, when `signal` fires.
   */
  async outcome(
    caller: Caller,
    sent: Sent,
    { immediately, signal }: { immediately: boolean; signal?: AbortSignal | undefined },
  ): Promise<A2aTaskRow> {
    const until = Date.now() + (immediately ? firstWordMs : patienceMs);
    return await this.until(caller, sent.id, until, signal, (row) => row.rev > sent.rev && (immediately || isQuiet(row)));
  }

  async get(caller: Caller, id: string, historyLength?: number): Promise<TaskJson> {
    return await asTenant(caller.tenant, async () => {
      const row = await this.row(caller, id);
      return taskJson(row, historyLength === undefined ? {} : { historyLength });
    });
  }

  /** @throws AppError NOT_FOUND, CONFLICT with `details.reason` not_cancelable */
  async cancel(caller: Caller, id: string): Promise<TaskJson> {
    return await asTenant(caller.tenant, async () => {
      const row = await this.row(caller, id);
      if (isTerminal(row.state)) throw notCancelable(row.state);
      await this.processes.ask<void>(this.process(caller, id), 'cancel', {}, `cancel:${row.rev}`);
      return taskJson(await this.row(caller, id));
    });
  }

  /** The process of a row that has none. @throws AppError SERVICE_UNAVAILABLE */
  async restart(tenant: string, id: string): Promise<void> {
    const row = await findA2aTask(this.db.query, tenant, id);
    if (row && !isTerminal(row.state)) await this.processes.start<typeof a2aTask>(this.process({ tenant, principal: row.principal }, id));
  }

  /** @throws AppError NOT_FOUND, also for somebody else's and for what was answered by a message */
  async row(caller: Caller, id: string): Promise<A2aTaskRow> {
    const row = await findA2aTask(this.db.query, caller.tenant, id);
    if (row && isVisible(row, caller)) return row;
    throw new AppError('NOT_FOUND', `No task with id "${id.slice(0, 128)}".`, {
      hint: 'ListTasks shows your tasks.',
      details: { reason: 'task' },
    });
  }

  /** The row once `enough` says so, or as it is at the deadline or when `signal` fires. */
  async until(
    caller: Caller,
    id: string,
    deadline: number,
    signal: AbortSignal | undefined,
    enough: (row: A2aTaskRow) => boolean,
  ): Promise<A2aTaskRow> {
    for (;;) {
      // Heard from before the look: what comes in between is not missed.
      const waiting = new AbortController();
      const heard = this.notices.wait(
        topics.a2aTask(caller.tenant, id),
        lookEvery,
        signal ? AbortSignal.any([signal, waiting.signal]) : waiting.signal,
      );
      const row = await asTenant(caller.tenant, () => this.row(caller, id));
      if (enough(row) || Date.now() >= deadline || signal?.aborted) {
        waiting.abort();
        return row;
      }
      await heard;
    }
  }

  private process({ tenant, principal }: Pick<Caller, 'tenant' | 'principal'>, id: string): Process<typeof a2aTask> {
    return {
      workflow: 'a2aTask',
      id: workflowIds.a2aTask(tenant, id),
      queue: 'interactive',
      args: [{ tenant, id }],
      tenant,
      kind: 'a2a_task',
      status: 'submitted',
      owner: principal,
      summary: `A2A task of ${principal}`,
    };
  }
}

/** @throws AppError VALIDATION_ERROR when a message id is used again for something else */
function sameWords(before: MessageJson | undefined, now: MessageJson): void {
  const words = ({ parts, metadata, extensions, referenceTaskIds }: MessageJson): unknown => ({
    parts,
    metadata,
    extensions,
    referenceTaskIds,
  });
  if (before && hashOf(words(before)) === hashOf(words(now))) return;
  throw new AppError('VALIDATION_ERROR', 'This messageId was used for another message.', { hint: 'Give each message an id of its own.' });
}

const otherContext = (row: A2aTaskRow): AppError =>
  new AppError('VALIDATION_ERROR', 'The task belongs to another context.', {
    hint: `Leave contextId out, or send "${row.context_id}".`,
    details: { reason: 'context' },
  });

const closed = (message: string): AppError =>
  new AppError('CONFLICT', message, { hint: 'Send it without a taskId to start a new task.', details: { reason: 'unsupported' } });

const notCancelable = (state: string): AppError =>
  new AppError('CONFLICT', `The task is ${state} already: it cannot be cancelled.`, { details: { reason: 'not_cancelable' } });
