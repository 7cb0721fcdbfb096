import type { Database } from '../../adapters/postgres/database.ts';
import { systemTenant, type sessionMessageTypes } from '../../contracts/agents/agents.ts';
import { isPerson, lineOf, type Caller } from '../../contracts/caller.ts';
import { sessionBodies, type Session, type SessionMessage } from '../../contracts/agents/delegations.ts';
import { AppError } from '../../contracts/errors.ts';
import { canonicalJson, derivedId } from '../../contracts/ids.ts';
import { lock } from '../kernel/locks.ts';
import { keysetPage, matching, newest, up, type Page, type Paging } from '../kernel/paging.ts';
import { Service } from '../kernel/service.ts';
import { messageView, mustBeOpen, sessionOf, sessionView, type MessageRow, type SessionRow } from './sessions-records.ts';

type MessageType = (typeof sessionMessageTypes)[number];

export interface NewMessage {
  /** Chosen by the sender. A message with the same id is a repeat. */
  id?: string | undefined;
  type: MessageType;
  body: Record<string, unknown>;
  /** An agent of the caller; default: the caller itself. */
  sender?: string | undefined;
  recipient?: string | undefined;
}

interface Deps {
  /** Forwards a sign of life. */
  heartbeat(caller: Caller, agentId: string): Promise<unknown>;
}

/** A session without messages for this long may be closed to make room for a new one. */
const idleMinutes = 10;

/** Conversations of peers: typed messages and linked tasks. A session expires after a long time without messages. */
export class Sessions extends Service<'a2a', Deps> {
  /** @throws AppError RATE_LIMIT_EXCEEDED when all of the tenant's sessions are in use */
  async open(caller: Caller, participants: string[], callKey: string): Promise<Session> {
    const { db, a2a } = this.deps;
    const { tenant } = caller;
    const id = derivedId('sess', tenant, callKey);
    const all = [...new Set([...participants, ...(isPerson(caller) && participants.length > 0 ? [] : [caller.principal])])];
    return await db.transaction(async (query) => {
      // Serializes openings, because each counts before it inserts.
      await lock(query, `a2a_sessions/${tenant}`);
      const [known] = await query<SessionRow>('select * from a2a_sessions where tenant_id = $1 and id = $2', [tenant, id]);
      if (known) return sessionView(known);
      await makeRoom(query, tenant, a2a.maxSessions);
      const [row] = await query<SessionRow>(
        `insert into a2a_sessions (tenant_id, id, participants, created_by, expires_at)
         values ($1, $2, $3, $4, now() + make_interval(secs => $5)) returning *`,
        [tenant, id, all, caller.principal, a2a.sessionTtlSeconds],
      );
      return sessionView(row!);
    });
  }

  /**
   * The session with its messages in order. @param after `seq` of the last message seen @throws AppError NOT_FOUND, GONE
   * (expired or closed)
   */
  async get(
    caller: Caller,
    id: string,
    after: number,
    limit: number,
  ): Promise<Session & { messages: SessionMessage[]; next_after: number | null }> {
    return await this.db.transaction(async (query) => {
      const { row } = await sessionOf(query, caller, id);
      mustBeOpen(row);
      const where = matching({ 'tenant_id = $': caller.tenant, 'session_id = $': id });
      const list = { select: '*', from: 'a2a_session_messages', ...where, order: [up('seq', 'bigint')], plain: true };
      const { items, next = null } = await keysetPage(query, list, { limit, cursor: String(after) }, messageView);
      return { ...sessionView(row), messages: items, next_after: next === null ? null : Number(next) };
    });
  }

  /**
   * The sessions that the caller may read, those with the latest messages first; also ended ones, for which `get` has no
   * messages any more. @throws AppError VALIDATION_ERROR (cursor)
   */
  async list(caller: Caller, filter: { agent?: string | undefined; open?: boolean | undefined } & Paging): Promise<Page<Session>> {
    const { agent, open, ...paging } = filter;
    const own = isPerson(caller) ? undefined : await ownNames(this.deps.db.query, caller);
    const list = {
      select: '*',
      from: 'a2a_sessions s',
      ...matching({
        's.tenant_id = $': caller.tenant,
        's.created_by = $ or $ = any(s.participants)': agent,
        's.created_by = any($::text[]) or s.participants && $::text[]': own,
        '(s.closed_at is null and s.expires_at > now()) = $': open,
      }),
      order: newest('s.last_active_at', 's.id'),
    };
    return await keysetPage(this.deps.db.query, list, paging, sessionView);
  }

  /**
   * Sends a message in a session. A capability_query is answered at once, a heartbeat is forwarded to presence, and a
   * message that names a task links it.
   * @throws AppError NOT_FOUND, GONE, VALIDATION_ERROR (body), FORBIDDEN (sender), CONFLICT (another message has this id)
   */
  async send(
    caller: Caller,
    id: string,
    message: NewMessage,
    callKey: string,
  ): Promise<{ message: SessionMessage; replies: SessionMessage[] }> {
    const body = checkBody(message.type, message.body);
    const messageId = message.id ?? derivedId('msg', caller.tenant, callKey);
    const sent = await this.db.transaction(async (query) => {
      const { row, self } = await sessionOf(query, caller, id);
      mustBeOpen(row);
      const sender = await this.senderOf(query, caller, row, self, message.sender);
      const recipient = message.recipient ?? null;
      const insert = (as: { id: string; type: MessageType; sender: string; recipient: string | null; body: unknown }) =>
        query<MessageRow>(
          `insert into a2a_session_messages (tenant_id, session_id, id, type, sender, recipient, body) values ($1, $2, $3, $4, $5, $6, $7)
           on conflict do nothing returning *`,
          [caller.tenant, id, as.id, as.type, as.sender, as.recipient, JSON.stringify(as.body)],
        );
      const [created] = await insert({ id: messageId, type: message.type, sender, recipient, body });
      const replyId = `${messageId}-reply`.slice(0, 128);
      if (!created) return await repeated(query, caller.tenant, id, { id: messageId, type: message.type, body }, replyId);
      const task = typeof body['task_id'] === 'string' ? body['task_id'] : null;
      await query(
        `update a2a_sessions set last_active_at = now(), expires_at = now() + make_interval(secs => $3), updated_at = now(),
           task_references = case when $4::text is null then task_references else array_append(array_remove(task_references, $4), $4) end
         where tenant_id = $1 and id = $2`,
        [caller.tenant, id, this.deps.a2a.sessionTtlSeconds, task],
      );
      const replies =
        message.type === 'capability_query'
          ? await insert({
              id: replyId,
              type: 'capability_response',
              sender: this.deps.a2a.agentId,
              recipient: sender,
              body: { capabilities: await capabilities(query, caller.tenant, body['capability']) },
            })
          : [];
      return { message: messageView(created), replies: replies.map(messageView) };
    });
    if (message.type === 'heartbeat') await this.deps.heartbeat(caller, String(body['agent_id'] ?? sent.message.sender));
    return sent;
  }

  /** A closed session stays closed. @throws AppError NOT_FOUND */
  async close(caller: Caller, id: string): Promise<Session> {
    return await this.db.transaction(async (query) => {
      await sessionOf(query, caller, id);
      const [row] = await query<SessionRow>(
        `update a2a_sessions set closed_at = coalesce(closed_at, now()), closed_reason = coalesce(closed_reason, $3), updated_at = now()
         where tenant_id = $1 and id = $2 returning *`,
        [caller.tenant, id, `closed by ${caller.principal}`],
      );
      return sessionView(row!);
    });
  }

  private async senderOf(
    query: Database['query'],
    caller: Caller,
    row: SessionRow,
    self: string,
    wanted: string | undefined,
  ): Promise<string> {
    if (wanted === undefined || wanted === self) return self;
    const [own] = row.participants.includes(wanted)
      ? await query('select 1 from agents where tenant_id = $1 and id = $2 and key_id = $3 and removed_at is null', [
          caller.tenant,
          wanted,
          lineOf(caller),
        ])
      : [];
    if (own) return wanted;
    throw new AppError('FORBIDDEN', `You may not speak as ${wanted}.`, {
      hint: 'Leave sender out, or name an agent that is registered under your key.',
    });
  }
}

/** The names under which the caller takes part: its own, and those of agents registered with its key. */
async function ownNames(query: Database['query'], caller: Caller): Promise<string[]> {
  const rows = await query<{ id: string }>('select id from agents where tenant_id = $1 and key_id = $2 and removed_at is null', [
    caller.tenant,
    lineOf(caller),
  ]);
  return [caller.principal, ...rows.map(({ id }) => id)];
}

function checkBody(type: MessageType, given: Record<string, unknown>): Record<string, unknown> {
  const parsed = sessionBodies[type].safeParse(given);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues
    .slice(0, 5)
    .map((issue) => ({ field: `body.${issue.path.join('.')}`.replace(/\.$/, ''), problem: issue.message }));
  throw new AppError('VALIDATION_ERROR', `Bad ${type}: ${fields.map((one) => `${one.field}: ${one.problem}`).join('; ')}`, {
    hint: `A ${type} carries: ${Object.keys(sessionBodies[type].shape).join(', ')}.`,
    details: { fields },
  });
}

/** Closes expired sessions, then the one that has been idle longest. If none is idle, closes none. */
async function makeRoom(query: Database['query'], tenant: string, max: number): Promise<void> {
  await query(
    `update a2a_sessions set closed_at = expires_at, closed_reason = 'expired', updated_at = now() where tenant_id = $1 and closed_at is null and expires_at <= now()`,
    [tenant],
  );
  const [{ open } = { open: 0 }] = await query<{ open: number }>(
    'select count(*)::int as open from a2a_sessions where tenant_id = $1 and closed_at is null',
    [tenant],
  );
  if (open < max) return;
  const closed = await query(
    `update a2a_sessions set closed_at = now(), closed_reason = 'made room for another', updated_at = now()
     where tenant_id = $1 and id = (select id from a2a_sessions where tenant_id = $1 and closed_at is null
       and last_active_at < now() - make_interval(mins => $2) order by last_active_at, id limit 1) returning 1`,
    [tenant, idleMinutes],
  );
  if (closed.length > 0) return;
  throw new AppError('RATE_LIMIT_EXCEEDED', `All ${max} sessions of the tenant are in use.`, {
    hint: `Close one, or wait: without a message for ${idleMinutes} minutes a session gives way.`,
    retryAfterSeconds: 60,
    details: { limit: max },
  });
}

async function repeated(
  query: Database['query'],
  tenant: string,
  session: string,
  message: { id: string; type: MessageType; body: Record<string, unknown> },
  replyId: string,
): Promise<{ message: SessionMessage; replies: SessionMessage[] }> {
  const rows = await query<MessageRow>(
    'select * from a2a_session_messages where tenant_id = $1 and session_id = $2 and id in ($3, $4) order by seq',
    [tenant, session, message.id, replyId],
  );
  const first = rows.find((row) => row.id === message.id);
  if (!first || first.type !== message.type || canonicalJson(first.body) !== canonicalJson(message.body)) {
    throw new AppError('CONFLICT', `Another message of this session has the id ${message.id}.`, {
      hint: 'Give each message a unique id.',
    });
  }
  return {
    message: messageView(first),
    replies: rows.filter((row) => row !== first && row.type === 'capability_response').map(messageView),
  };
}

/** The capabilities of healthy agents. */
async function capabilities(query: Database['query'], tenant: string, wanted: unknown): Promise<Record<string, string[]>> {
  const rows = await query<{ name: string; agents: string[] }>(
    `select c.name, array_agg(a.id order by a.registered_at, a.id) as agents
     from agent_capabilities c join agents a on a.tenant_id = c.tenant_id and a.id = c.agent_id
     where c.tenant_id in ($1, $3) and a.removed_at is null and a.admin_status = 'active' and a.health in ('healthy', 'none')
       and ($2::text is null or c.name = $2)
     group by c.name order by c.name`,
    [tenant, typeof wanted === 'string' ? wanted : null, systemTenant],
  );
  return Object.fromEntries(rows.map((row) => [row.name, row.agents]));
}
