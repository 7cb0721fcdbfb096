import { randomUUID } from 'node:crypto';
import { asTenant } from '../../../adapters/postgres/tenancy.ts';
import { isTerminal, type MessageJson, type TaskJson } from '../../../contracts/agents/a2a.ts';
import { lineOf, type Caller } from '../../../contracts/caller.ts';
import { AppError } from '../../../contracts/errors.ts';
import { hashOf, newId } from '../../../contracts/ids.ts';
import { wellFormed } from '../../../contracts/json.ts';
import { topics } from '../../../contracts/notices.ts';
import { workflowIds } from '../../../contracts/temporal.ts';
import type { a2aTask } from '../../../workflows/agents/a2a-task/workflow.ts';
import type { Process } from '../../kernel/processes.ts';
import { untilSeen } from '../../kernel/waiting.ts';
import { Service } from '../../kernel/service.ts';
import type { A2aPush, PushConfig } from './push.ts';
import { changeableA2aTask, noTask, visibleA2aTask } from './rights.ts';
import {
  appendMessage,
  findA2aTask,
  insertA2aTask,
  isPending,
  isQuiet,
  taskJson,
  taskOfMessage,
  type A2aTaskRow,
} from './tasks-records.ts';

export interface Sending {
  message: MessageJson;
  metadata?: Record<string, unknown> | undefined;
  /** The callback for the task, and its protocol version. */
  push?: { config: PushConfig; protocolVersion: string } | undefined;
}

/** A task after it accepted a message, and the position from which the sender has not seen it. */
export interface Sent {
  id: string;
  /** Number of the last event before the message. */
  seq: number;
  /** The revision before the message; only later revisions answer it. */
  rev: number;
  /** The message continued an existing task. */
  continued: boolean;
}

/** Maximum size of a message, as JSON. */
export const maxMessageBytes = 1_000_000;
/** How long a sender waits for the task's end, and for its first state, in ms. */
const patienceMs = 300_000;
const firstWordMs = 1_000;
/** How long a second message waits until the first one is understood, in ms. */
const understoodMs = 10_000;
/** Poll intervals, in ms: a notice may be lost, so the row is also polled, at growing intervals. */
const looks = { first: 1_000, longest: 15_000 };

/** Requests of clients about their tasks. */
export class A2aTasks extends Service<'notices' | 'processes', { push: A2aPush }> {
  /**
   * Gives a message to a new task, or to one that waits for it. A message with the same id and content is a repeat for 24
   * hours.
   * @throws AppError VALIDATION_ERROR (another context), NOT_FOUND (task), FORBIDDEN (another key's), CONFLICT with
   * `details.reason` unsupported (the task does not accept messages)
   */
  async send(caller: Caller, given: Sending): Promise<Sent> {
    // Replaces lone surrogates, as tools do.
    const sending: Sending = { ...given, message: wellFormed(given.message), metadata: wellFormed(given.metadata) };
    if (Buffer.byteLength(JSON.stringify(sending.message)) > maxMessageBytes) {
      throw new AppError('VALIDATION_ERROR', `The message has more than ${maxMessageBytes} bytes.`, {
        hint: 'Send files by URL, or upload them with substrate.artifact.upload.',
        details: { reason: 'too_large', max_bytes: maxMessageBytes },
      });
    }
    if (sending.push) await this.deps.push.check(sending.push.config);
    return await asTenant(caller.tenant, () =>
      sending.message.taskId ? this.goOn(caller, sending, sending.message.taskId) : this.begin(caller, sending),
    );
  }

  private async begin(caller: Caller, sending: Sending): Promise<Sent> {
    const { tenant } = caller;
    const key = messageKey(caller, sending);
    // Loops, because the task of a repeated message may be deleted between the two queries.
    for (;;) {
      const row = (await this.insert(caller, sending, key)) ?? (await taskOfMessage(this.db.query, tenant, key));
      if (!row) continue;
      // Also for a repeat: the first request may have crashed before it started the workflow.
      if (row.rev === 0 && !isTerminal(row.state)) await this.deps.processes.start<typeof a2aTask>(this.process(caller, row.id));
      return { id: row.id, seq: 0, rev: 0, continued: false };
    }
  }

  /** @returns null when the message already has a task */
  private async insert(caller: Caller, { message, metadata, push }: Sending, key: string): Promise<A2aTaskRow | null> {
    const { tenant, keyId, principal } = caller;
    const id = newId('a2a');
    const contextId = message.contextId ?? randomUUID();
    return await this.db.transaction(async (query) => {
      const made = await insertA2aTask(query, tenant, {
        id,
        contextId,
        keyId,
        line: lineOf(caller),
        principal,
        message: { ...message, contextId, taskId: id },
        metadata,
        messageKey: key,
      });
      if (made && push) await this.deps.push.write(query, tenant, id, push.config, push.protocolVersion, 0);
      return made;
    });
  }

  private async goOn(caller: Caller, { message, push }: Sending, id: string): Promise<Sent> {
    const { tenant } = caller;
    const { context_id: contextId, rev } = await changeableA2aTask(this.db.query, caller, id);
    // Only after the first message is understood is it known whether the task accepts another.
    if (rev === 0) await this.until(caller, id, Date.now() + understoodMs, undefined, (row) => row.rev > 0);
    if (message.contextId !== undefined && message.contextId !== contextId) throw otherContext(contextId);
    const taken = await this.db.transaction(async (query) => {
      const appended = await appendMessage(query, tenant, id, { ...message, contextId, taskId: id }, isRepeat(message));
      if (appended && 'said' in appended && !appended.repeated && push) {
        await this.deps.push.write(query, tenant, id, push.config, push.protocolVersion, appended.row.seq);
      }
      return appended;
    });
    if (!taken) throw noTask(id);
    const { row } = taken;
    if ('refused' in taken) {
      const more = isTerminal(row.state) ? 'it takes no more messages' : 'it takes a message when it asks for one';
      throw new AppError('CONFLICT', `The task is ${row.state}: ${more}.`, {
        hint: 'Send it without a taskId to start a new task.',
        details: { reason: 'unsupported' },
      });
    }
    // Also for a repeat without an answer yet: the first request may have crashed before it told the workflow.
    if (!taken.repeated || (isPending(row) && !isTerminal(row.state))) {
      const { messageId } = message;
      await this.deps.processes
        .ask<void>(this.process(caller, id), 'message', { messageId, rev: row.rev }, `${taken.said}:${messageId}`, { messageId })
        .catch((error: unknown) => {
          // The message has been handled meanwhile.
          if (!taken.repeated || !(error instanceof AppError) || error.code !== 'CONFLICT') throw error;
        });
    }
    return taken.repeated ? { id, seq: 0, rev: 0, continued: true } : { id, seq: row.seq, rev: row.rev, continued: true };
  }

  /**
   * Waits until the task ends or waits for the client; with `immediately` only until its first state is known. Returns
   * early when `signal` fires; the task continues.
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

  /** @throws AppError NOT_FOUND, FORBIDDEN (another key's), CONFLICT with `details.reason` not_cancelable */
  async cancel(caller: Caller, id: string): Promise<TaskJson> {
    return await asTenant(caller.tenant, async () => {
      const row = await changeableA2aTask(this.db.query, caller, id);
      if (isTerminal(row.state)) throw notCancelable(row.state);
      await this.deps.processes.ask<void>(this.process(caller, id), 'cancel', {}, `cancel:${row.rev}`);
      return taskJson(await this.row(caller, id));
    });
  }

  /** Starts the workflow of a row that has lost it. @throws AppError SERVICE_UNAVAILABLE */
  async restart(tenant: string, id: string): Promise<void> {
    const row = await findA2aTask(this.db.query, tenant, id);
    if (row && !isTerminal(row.state))
      await this.deps.processes.start<typeof a2aTask>(this.process({ tenant, principal: row.principal }, id));
  }

  /** @throws AppError NOT_FOUND, also for a task of another key and for one that was answered by a message */
  async row(caller: Caller, id: string): Promise<A2aTaskRow> {
    return await visibleA2aTask(this.db.query, caller, id);
  }

  /** The row as soon as `enough` accepts it; otherwise the current row at the deadline or when `signal` fires. */
  async until(
    caller: Caller,
    id: string,
    deadline: number,
    signal: AbortSignal | undefined,
    enough: (row: A2aTaskRow) => boolean,
  ): Promise<A2aTaskRow> {
    return await untilSeen(
      this.deps.notices,
      topics.a2aTask(caller.tenant, id),
      deadline - Date.now(),
      signal,
      async () => {
        const seen = await asTenant(caller.tenant, () => this.row(caller, id));
        return { seen, enough: enough(seen) };
      },
      looks,
    );
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

const otherContext = (contextId: string): AppError =>
  new AppError('VALIDATION_ERROR', 'The task belongs to another context.', {
    hint: `Leave contextId out, or send "${contextId}".`,
    details: { reason: 'context' },
  });

const notCancelable = (state: string): AppError =>
  new AppError('CONFLICT', `The task is ${state} already: it cannot be cancelled.`, { details: { reason: 'not_cancelable' } });

/** The message without its id. */
const words = ({ parts, metadata, extensions, referenceTaskIds }: MessageJson): unknown => ({
  parts,
  metadata,
  extensions,
  referenceTaskIds,
});

/** Whether an earlier message has the same id and content. */
const isRepeat =
  (message: MessageJson) =>
  (before: MessageJson): boolean =>
    before.messageId === message.messageId && hashOf(words(before)) === hashOf(words(message));

/**
 * The key of a message that starts a task: equal for the same API key, message id and content. It does not include the
 * callback's secrets.
 */
const messageKey = (caller: Caller, { message, metadata, push }: Sending): string =>
  hashOf([lineOf(caller), message.messageId, message.contextId, words(message), metadata, push?.config.id, push?.config.url]);
