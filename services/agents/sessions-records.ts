import type { Database, Row } from '../../adapters/postgres/database.ts';
import { isPerson, lineOf, type Caller } from '../../contracts/caller.ts';
import type { Session, SessionMessage } from '../../contracts/agents/delegations.ts';
import { AppError } from '../../contracts/errors.ts';
import type { Columns } from '../../prisma/rows.ts';

type Query = Database['query'];

export interface SessionRow
  extends
    Row,
    Columns<
      'a2a_sessions',
      | 'id'
      | 'participants'
      | 'task_references'
      | 'created_by'
      | 'last_active_at'
      | 'expires_at'
      | 'closed_at'
      | 'closed_reason'
      | 'created_at'
    > {}

export interface MessageRow extends Row, Columns<'a2a_session_messages', 'id' | 'seq' | 'sender' | 'recipient' | 'created_at'> {
  type: SessionMessage['type'];
  body: Record<string, unknown>;
}

/** Locks the session until the transaction ends. @throws AppError NOT_FOUND, also when the caller is not a participant */
export async function sessionOf(query: Query, caller: Caller, id: string): Promise<{ row: SessionRow; self: string }> {
  const [row] = await query<SessionRow>('select * from a2a_sessions where tenant_id = $1 and id = $2 for update', [caller.tenant, id]);
  const self = row ? await participantOf(query, caller, row) : null;
  if (row && self !== null) return { row, self };
  throw new AppError('NOT_FOUND', 'Session not found', {
    hint: 'Only its participants and people see a session. agent.session.open opens one.',
    details: { session_id: id.slice(0, 128) },
  });
}

/** The participant that the caller is: itself, an agent registered with its key, or a person who observes. */
async function participantOf(query: Query, caller: Caller, row: SessionRow): Promise<string | null> {
  if (row.participants.includes(caller.principal) || row.created_by === caller.principal) return caller.principal;
  const [own] = await query<{ id: string }>(
    'select id from agents where tenant_id = $1 and key_id = $2 and id = any($3) and removed_at is null order by id limit 1',
    [caller.tenant, lineOf(caller), row.participants],
  );
  return own?.id ?? (isPerson(caller) ? caller.principal : null);
}

/** @throws AppError GONE */
export function mustBeOpen(row: SessionRow): void {
  const expired = row.expires_at.getTime() <= Date.now();
  if (row.closed_at === null && !expired) return;
  throw new AppError(
    'GONE',
    expired && row.closed_reason === null ? 'The session has expired.' : `The session is closed (${row.closed_reason}).`,
    {
      hint: 'Open a new one with agent.session.open.',
      details: { session_id: row.id },
    },
  );
}

/** Links a task to a session. @throws AppError NOT_FOUND, GONE */
export async function referTo(query: Query, caller: Caller, sessionId: string, taskId: string): Promise<void> {
  const { row } = await sessionOf(query, caller, sessionId);
  mustBeOpen(row);
  await query(
    `update a2a_sessions set task_references = array_append(array_remove(task_references, $3), $3), updated_at = now() where tenant_id = $1 and id = $2`,
    [caller.tenant, sessionId, taskId],
  );
}

export const sessionView = (row: SessionRow): Session => {
  const expired = row.closed_at === null && row.expires_at.getTime() <= Date.now();
  return {
    session_id: row.id,
    participants: row.participants,
    task_references: row.task_references,
    status: row.closed_at !== null || expired ? 'closed' : 'open',
    closed_reason: expired ? 'expired' : row.closed_reason,
    created_at: row.created_at.toISOString(),
    last_active_at: row.last_active_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
};

export const messageView = (row: MessageRow): SessionMessage => ({
  id: row.id,
  seq: Number(row.seq),
  type: row.type,
  sender: row.sender,
  recipient: row.recipient,
  body: row.body,
  created_at: row.created_at.toISOString(),
});

/** Closes expired sessions and deletes those that were closed long ago. @returns how many sessions it changed */
export async function sweepSessions(query: Query, tenant: string, keepDays: number): Promise<number> {
  const closed = await query(
    `update a2a_sessions set closed_at = expires_at, closed_reason = 'expired', updated_at = now()
     where tenant_id = $1 and closed_at is null and expires_at <= now() returning 1`,
    [tenant],
  );
  const gone = await query(`delete from a2a_sessions where tenant_id = $1 and closed_at < now() - make_interval(days => $2) returning 1`, [
    tenant,
    keepDays,
  ]);
  return closed.length + gone.length;
}
