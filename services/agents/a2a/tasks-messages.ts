import type { Database } from '../../../adapters/postgres/database.ts';
import { isSettled, isTerminal, type MessageJson } from '../../../contracts/agents/a2a.ts';
import { lineOf, type Caller } from '../../../contracts/caller.ts';
import { hashOf } from '../../../contracts/ids.ts';
import { findA2aTask, isPending, saidBy, type A2aTaskRow } from './tasks-records.ts';
import type { Sending } from './tasks.ts';

type Query = Database['query'];

/** How long the same message again is the same asking: as long as idempotency keys count. */
const repeatsMs = 24 * 3_600_000;
const repeats = `${repeatsMs / 1000} s`;

/** What is said, without its id. */
const words = ({ parts, metadata, extensions, referenceTaskIds }: MessageJson): unknown => ({
  parts,
  metadata,
  extensions,
  referenceTaskIds,
});

/** Whether a message is one that was said before: its id and its words. */
export const isRepeat =
  (message: MessageJson) =>
  (before: MessageJson): boolean =>
    before.messageId === message.messageId && hashOf(words(before)) === hashOf(words(message));

/** Names a message that begins a task: equal for the same key, id and content. Secrets of its callback are not in it. */
export const messageKey = (caller: Caller, { message, metadata, push }: Sending): string =>
  hashOf([lineOf(caller), message.messageId, message.contextId, words(message), metadata, push?.config.id, push?.config.url]);

/**
 * Lets a message that is repeated too late, or after its sender went on from the answer, begin a new task. Whoever says
 * more in a task has had the answer to its first message, so what comes once that task is over is no retry.
 */
export async function releaseMessage(query: Query, tenant: string, messageKey: string): Promise<void> {
  await query(
    `update a2a_tasks set message_key = null where tenant_id = $1 and message_key = $2 and (created_at < now() - interval '${repeats}'
       or (state in ('completed', 'failed', 'canceled', 'rejected')
         and (select count(*) from jsonb_array_elements(history) as said where said->>'role' = 'ROLE_USER') > 1))`,
    [tenant, messageKey],
  );
}

/** The task that a message began. */
export async function taskOfMessage(query: Query, tenant: string, messageKey: string): Promise<A2aTaskRow | null> {
  const [row] = await query<A2aTaskRow>('select * from a2a_tasks where tenant_id = $1 and message_key = $2', [tenant, messageKey]);
  return row ?? null;
}

export type Taken = { row: A2aTaskRow; said: number; repeated: boolean } | { row: A2aTaskRow; refused: true };

/**
 * Adds what the client says to a task that waits for it, unless it has just been said.
 * @param same whether a message said before is this one
 * @returns the row as it was before, and the number of the message among the client's; null when there is no such task
 */
export async function appendMessage(
  query: Query,
  tenant: string,
  id: string,
  message: MessageJson,
  same: (before: MessageJson) => boolean,
): Promise<Taken | null> {
  const row = await findA2aTask(query, tenant, id, true);
  if (!row) return null;
  const before = saidBy(row);
  const said = before.findLastIndex(same);
  // What came of it has stood there since: whoever repeats it later than that means it anew.
  if (said >= 0 && (isPending(row) || Date.now() - row.status_at.getTime() < repeatsMs)) return { row, said, repeated: true };
  if (!isSettled(row.state) || isTerminal(row.state) || isPending(row)) return { row, refused: true };
  await query(`update a2a_tasks set history = history || $3::jsonb, updated_at = now() where tenant_id = $1 and id = $2`, [
    tenant,
    id,
    JSON.stringify([message]),
  ]);
  return { row, said: before.length, repeated: false };
}
