import type { Database, Row } from '../../../adapters/postgres/database.ts';
import {
  isSettled,
  isTerminal,
  stateName,
  type A2aArtifactJson,
  type A2aState,
  type MessageJson,
  type PartJson,
  type StreamJson,
  type TaskJson,
} from '../../../contracts/agents/a2a.ts';
import type { A2aStanding } from '../../../contracts/activities/agents/a2a.ts';
import { derivedId } from '../../../contracts/ids.ts';
import { topics } from '../../../contracts/notices.ts';
import { notify } from '../../kernel/notify.ts';
import { noteEvent } from '../../kernel/outbox.ts';
import type { Columns, Tables } from '../../../prisma/rows.ts';

type Query = Database['query'];

export interface A2aTaskRow
  extends
    Row,
    Columns<
      'a2a_tasks',
      | 'tenant_id'
      | 'id'
      | 'context_id'
      | 'principal'
      | 'skill'
      | 'tool'
      | 'status_at'
      | 'seq'
      | 'work_task_id'
      | 'rev'
      | 'created_at'
      | 'updated_at'
    > {
  /** The key that asked; tool calls run on its behalf. */
  key_id: Tables['a2a_tasks']['key_id'];
  /** The owner: the key's line, which stays the same after a rotation. */
  line: Tables['a2a_tasks']['line'];
  state: A2aState;
  status_message: MessageJson | null;
  artifacts: A2aArtifactJson[];
  history: MessageJson[];
  metadata: Record<string, unknown> | null;
  answer: MessageJson | null;
}

export async function findA2aTask(query: Query, tenant: string, id: string, lock = false): Promise<A2aTaskRow | null> {
  const sql = `select * from a2a_tasks where tenant_id = $1 and id = $2${lock ? ' for update' : ''}`;
  return (await query<A2aTaskRow>(sql, [tenant, id]))[0] ?? null;
}

/** The client's messages so far, oldest first. */
export const saidBy = (row: A2aTaskRow): MessageJson[] => row.history.filter(({ role }) => role === 'ROLE_USER');

/** The last message is the client's and has not been handled yet. */
export const isPending = (row: A2aTaskRow): boolean => row.history.at(-1)?.role === 'ROLE_USER';

/** The task has ended, or waits for the client. */
export const isQuiet = (row: A2aTaskRow): boolean => isTerminal(row.state) || (isSettled(row.state) && !isPending(row));

export interface NewA2aTask {
  id: string;
  contextId: string;
  keyId: string;
  line: string;
  principal: string;
  message: MessageJson;
  metadata: Record<string, unknown> | undefined;
  /** Two equal keys within 24 hours are one request. */
  messageKey: string;
}

/** How long an equal message counts as a repeat: as long as an idempotency key is valid. */
const repeatsMs = 24 * 3_600_000;

/** Writes a new task and its first event. @returns null when the message already has a task */
export async function insertA2aTask(query: Query, tenant: string, task: NewA2aTask): Promise<A2aTaskRow | null> {
  // An equal message starts a new task when it comes too late, or after the sender has continued the old task and that
  // task has ended: a sender who continued has seen the first answer, so this is not a retry.
  await query(
    `update a2a_tasks set message_key = null where tenant_id = $1 and message_key = $2 and (created_at < now() - interval '${repeatsMs} ms'
       or (state in ('completed', 'failed', 'canceled', 'rejected')
         and (select count(*) from jsonb_array_elements(history) as said where said->>'role' = 'ROLE_USER') > 1))`,
    [tenant, task.messageKey],
  );
  const made = await query<A2aTaskRow>(
    `insert into a2a_tasks (tenant_id, id, context_id, key_id, principal, state, status_at, history, metadata, seq, line,
       message_key)
     values ($1, $2, $3, $4, $5, 'submitted', date_trunc('milliseconds', now()), $6, $7, 1, $8, $9)
     on conflict (tenant_id, message_key) do nothing returning *`,
    [
      tenant,
      task.id,
      task.contextId,
      task.keyId,
      task.principal,
      JSON.stringify([task.message]),
      task.metadata ? JSON.stringify(task.metadata) : null,
      task.line,
      task.messageKey,
    ],
  );
  if (!made[0]) return null;
  await writeEvents(query, made[0], 1, [{ task: taskJson(made[0]) }]);
  await noteEvent(query, tenant, 'agent.a2a_changed', task.id, { state: made[0].state, skill: null, principal: task.principal });
  return made[0];
}

/** The task that a message started. */
export async function taskOfMessage(query: Query, tenant: string, messageKey: string): Promise<A2aTaskRow | null> {
  const [row] = await query<A2aTaskRow>('select * from a2a_tasks where tenant_id = $1 and message_key = $2', [tenant, messageKey]);
  return row ?? null;
}

/**
 * Adds a client's message to a task that waits for it, unless the message is a repeat.
 * @param same whether an earlier message equals this one
 * @returns the row before the change, and the message's index among the client's messages; null when the task does not
 * exist
 */
export async function appendMessage(
  query: Query,
  tenant: string,
  id: string,
  message: MessageJson,
  same: (before: MessageJson) => boolean,
): Promise<{ row: A2aTaskRow; said: number; repeated: boolean } | { row: A2aTaskRow; refused: true } | null> {
  const row = await findA2aTask(query, tenant, id, true);
  if (!row) return null;
  const before = saidBy(row);
  const said = before.findLastIndex(same);
  // A repeat counts only until 24 hours after the answer; a later one is a new request.
  if (said >= 0 && (isPending(row) || Date.now() - row.status_at.getTime() < repeatsMs)) return { row, said, repeated: true };
  if (!isSettled(row.state) || isTerminal(row.state) || isPending(row)) return { row, refused: true };
  await query(`update a2a_tasks set history = history || $3::jsonb, updated_at = now() where tenant_id = $1 and id = $2`, [
    tenant,
    id,
    JSON.stringify([message]),
  ]);
  return { row, said: before.length, repeated: false };
}

/** A change of a task. */
export interface A2aChange {
  state?: A2aState;
  /** The message that accompanies the state. */
  parts?: PartJson[];
  /** The message is shown with the state but not added to the history. */
  passing?: boolean;
  artifact?: { artifact: A2aArtifactJson; append?: boolean; lastChunk?: boolean };
  skill?: string;
  tool?: string;
  workTaskId?: string;
  /** Answers with a message and ends the task. */
  answer?: PartJson[];
}

/**
 * Writes a change with its events and its notice in one transaction. Does not change a row that already has this revision
 * or has ended. @returns the row afterwards; null when it does not exist
 */
export async function changeA2aTask(db: Database, tenant: string, id: string, rev: number, change: A2aChange): Promise<A2aTaskRow | null> {
  return await db.transaction(async (query) => {
    const row = await findA2aTask(query, tenant, id, true);
    if (!row || row.rev >= rev || isTerminal(row.state)) return row;
    return await write(query, { ...row, rev }, change);
  });
}

/** Writes progress, but only while the task works at the given revision. @returns whether it was written */
export async function tellProgress(db: Database, tenant: string, id: string, rev: number, text: string): Promise<boolean> {
  return await db.transaction(async (query) => {
    const row = await findA2aTask(query, tenant, id, true);
    if (!row || row.rev !== rev || row.state !== 'working') return false;
    await write(query, row, { state: 'working', parts: [{ text }], passing: true });
    return true;
  });
}

async function write(query: Query, row: A2aTaskRow, change: A2aChange): Promise<A2aTaskRow> {
  const { tenant_id: tenant, id } = row;
  const events: StreamJson[] = [];
  const next: A2aTaskRow = { ...row };
  const about = { taskId: id, contextId: row.context_id };
  const now = new Date();
  const says = (parts: PartJson[]): MessageJson => ({
    messageId: derivedId('msg', tenant, id, String(row.rev), String(row.seq)),
    role: 'ROLE_AGENT',
    parts,
    ...about,
  });
  if (change.artifact) {
    const { artifact, append = false, lastChunk } = change.artifact;
    const before = next.artifacts.find(({ artifactId }) => artifactId === artifact.artifactId);
    const merged = append && before ? { ...before, ...artifact, parts: [...before.parts, ...artifact.parts] } : artifact;
    next.artifacts = before ? next.artifacts.map((one) => (one === before ? merged : one)) : [...next.artifacts, merged];
    events.push({ artifactUpdate: { ...about, artifact, append, ...(lastChunk === undefined ? {} : { lastChunk }) } });
  }
  if (change.answer) {
    next.answer = says(change.answer);
    delete next.answer.taskId;
    next.state = 'completed';
    events.push({ message: next.answer });
  } else if (change.state) {
    const message = change.parts ? says(change.parts) : null;
    if (message && !change.passing) next.history = [...next.history, message];
    // A change without a message must still show that the client's message was answered.
    if (!message && isPending(row) && isSettled(change.state) && !isTerminal(change.state)) {
      next.history = [...next.history, says([{ text: 'More input is required.' }])];
    }
    next.state = change.state;
    next.status_message = message;
    next.status_at = now;
    events.push({
      statusUpdate: { ...about, status: { state: stateName(change.state), timestamp: now.toISOString(), ...(message ? { message } : {}) } },
    });
  }
  next.seq += events.length;
  next.skill = change.skill ?? next.skill;
  next.tool = change.tool ?? next.tool;
  next.work_task_id = change.workTaskId ?? next.work_task_id;
  await query(
    `update a2a_tasks set rev = $3, seq = $4, state = $5, status_message = $6, status_at = $7, artifacts = $8, history = $9, answer = $10,
       skill = $11, tool = $12, work_task_id = $13, updated_at = now()
     where tenant_id = $1 and id = $2`,
    [
      tenant,
      id,
      next.rev,
      next.seq,
      next.state,
      next.status_message ? JSON.stringify(next.status_message) : null,
      next.status_at,
      JSON.stringify(next.artifacts),
      JSON.stringify(next.history),
      next.answer ? JSON.stringify(next.answer) : null,
      next.skill,
      next.tool,
      next.work_task_id,
    ],
  );
  await writeEvents(query, row, row.seq + 1, events);
  // Progress is for the task's own stream.
  if (!change.passing)
    await noteEvent(query, tenant, 'agent.a2a_changed', id, { state: next.state, skill: next.skill, principal: row.principal });
  await notify(query, topics.a2aTask(tenant, id));
  return next;
}

async function writeEvents(query: Query, row: A2aTaskRow, from: number, events: StreamJson[]): Promise<void> {
  if (events.length === 0) return;
  await query(
    `insert into a2a_events (tenant_id, task_id, seq, event)
     select $1, $2, $3 + (n - 1)::int, event from jsonb_array_elements($4::jsonb) with ordinality as e (event, n)`,
    [row.tenant_id, row.id, from, JSON.stringify(events)],
  );
}

export async function standingOf(query: Query, row: A2aTaskRow): Promise<A2aStanding> {
  const [configs] = await query<{ some: boolean }>(
    'select exists (select from a2a_push_configs where tenant_id = $1 and task_id = $2) as some',
    [row.tenant_id, row.id],
  );
  return { rev: row.rev, state: row.state, pending: isPending(row), pushes: configs?.some ?? false, workTaskId: row.work_task_id };
}

/** @param historyLength number of latest messages to include; absent: all; 0: none */
export function taskJson(
  row: A2aTaskRow,
  { historyLength, artifacts = true }: { historyLength?: number; artifacts?: boolean } = {},
): TaskJson {
  const history = historyLength === undefined ? row.history : historyLength === 0 ? [] : row.history.slice(-historyLength);
  return {
    id: row.id,
    contextId: row.context_id,
    status: {
      state: stateName(row.state),
      timestamp: row.status_at.toISOString(),
      ...(row.status_message ? { message: row.status_message } : {}),
    },
    ...(artifacts ? { artifacts: row.artifacts } : {}),
    history,
    ...(row.metadata ? { metadata: row.metadata } : {}),
  };
}

/** Deletes a batch of tasks that ended long ago, with their events and callbacks. @returns how many */
export async function forgetOldA2aTasks(query: Query, tenant: string, keepDays: number): Promise<number> {
  const batch = 500;
  for (let forgotten = 0; ;) {
    const gone = await query(
      `delete from a2a_tasks where tenant_id = $1 and id = any(array(
         select id from a2a_tasks where tenant_id = $1 and state in ('completed', 'failed', 'canceled', 'rejected')
           and status_at < now() - make_interval(days => $2) order by status_at limit ${batch})) returning 1`,
      [tenant, keepDays],
    );
    forgotten += gone.length;
    if (gone.length < batch) return forgotten;
  }
}
