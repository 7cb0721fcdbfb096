import type { Database, Row } from '../../adapters/postgres/database.ts';
import { isPerson, type Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { derivedId } from '../../contracts/ids.ts';
import { topics } from '../../contracts/notices.ts';
import { notify } from '../kernel/notify.ts';
import { count, keysetPage, matching, up, type List, type Page, type Paging } from '../kernel/paging.ts';
import type { Columns } from '../../prisma/rows.ts';
import { noteEvent } from '../kernel/outbox.ts';
import { Service } from '../kernel/service.ts';

type Query = Database['query'];

export interface NewMessage {
  /** Any agent name; the agent need not be registered yet. */
  recipient: string;
  body: string;
  data?: Record<string, unknown> | undefined;
  replyTo?: string | undefined;
}

export interface Message {
  message_id: string;
  from: string;
  message: string;
  data: Record<string, unknown> | null;
  reply_to: string | null;
  delivered_at: string;
  acknowledged_at: string | null;
}

interface MessageRow extends Row, Columns<'agent_messages', 'id' | 'sender' | 'body' | 'reply_to' | 'delivered_at' | 'acknowledged_at'> {
  data: Record<string, unknown> | null;
}

export interface InboxQuery extends Paging {
  /** Default: the caller's own inbox. */
  recipient?: string | undefined;
  includeRead: boolean;
  waitSeconds: number;
}

type Inbox = Page<Message> & { unread: number };

/** Poll interval when no notice arrives, in ms. */
const lookEvery = 5_000;

/** A durable inbox for each agent of a tenant. */
export class AgentMessages extends Service<'notices'> {
  /** Delivers once per `callKey`. */
  async send(caller: Caller, message: NewMessage, callKey: string): Promise<{ message_id: string; delivered_at: string }> {
    const id = derivedId('msg', caller.tenant, callKey);
    return await this.db.transaction((query) => deliver(query, caller.tenant, { ...message, id, sender: caller.principal }));
  }

  /**
   * An inbox, unread first, oldest first.
   * @throws AppError FORBIDDEN (another agent's inbox), VALIDATION_ERROR (a cursor of another list)
   */
  async list(caller: Caller, wanted: InboxQuery, signal: AbortSignal): Promise<Inbox> {
    const { tenant, principal } = caller;
    const recipient = wanted.recipient ?? principal;
    if (recipient !== principal && !isPerson(caller)) {
      throw new AppError('FORBIDDEN', `This is the inbox of "${recipient}"; you are "${principal}".`, {
        hint: 'Leave agent_id out to read your own.',
      });
    }
    const until = Date.now() + wanted.waitSeconds * 1_000;
    for (;;) {
      // Starts listening before it reads, so that no message is missed.
      const heard = new AbortController();
      const left = until - Date.now();
      const notice =
        left > 0
          ? this.deps.notices.wait(topics.inbox(tenant, recipient), Math.min(left, lookEvery), AbortSignal.any([signal, heard.signal]))
          : undefined;
      try {
        const page = await this.page(tenant, recipient, wanted);
        if (page.items.length > 0 || !notice || signal.aborted) return page;
        await notice;
      } finally {
        heard.abort();
      }
    }
  }

  /**
   * Marks messages as read. Messages that are already read stay unchanged.
   * @returns the messages that are read now, and the ids that are in none of the caller's inboxes
   */
  async acknowledge(caller: Caller, ids: readonly string[]): Promise<{ acknowledged: string[]; unknown: string[] }> {
    const rows = await this.db.query<{ id: string }>(
      `with locked as (
         select id from agent_messages where tenant_id = $1 and id = any($2) and (recipient = $3 or $4) order by id for update
       )
       update agent_messages m set acknowledged_at = coalesce(acknowledged_at, now()) from locked l where m.tenant_id = $1 and m.id = l.id
       returning m.id`,
      [caller.tenant, ids, caller.principal, isPerson(caller)],
    );
    const found = new Set(rows.map((row) => row.id));
    return { acknowledged: ids.filter((id) => found.has(id)), unknown: ids.filter((id) => !found.has(id)) };
  }

  /** Unread messages first, then read ones; each in order of arrival. */
  private async page(tenant: string, recipient: string, { includeRead, ...paging }: InboxQuery): Promise<Inbox> {
    const list = (all: boolean): List => ({
      select: 'id, sender, body, data, reply_to, delivered_at, acknowledged_at',
      from: 'agent_messages',
      ...matching({ 'tenant_id = $': tenant, 'recipient = $': recipient, 'acknowledged_at is null': !all }),
      order: [up('(acknowledged_at is not null)', 'boolean'), up('seq', 'bigint')],
    });
    const page = await keysetPage(this.db.query, list(includeRead), paging, messageView);
    return { ...page, unread: await count(this.db.query, list(false)) };
  }
}

/** Puts a message into an inbox and notifies its readers. Call it in the transaction of the change that the message is about. */
export async function deliver(
  query: Query,
  tenant: string,
  { id, recipient, sender, body, data, replyTo }: NewMessage & { id: string; sender: string },
): Promise<{ message_id: string; delivered_at: string }> {
  const [row] = await query<{ delivered_at: Date }>(
    `insert into agent_messages (tenant_id, id, recipient, sender, body, data, reply_to) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict do nothing returning delivered_at`,
    [tenant, id, recipient, sender, body, data === undefined ? null : JSON.stringify(data), replyTo ?? null],
  );
  if (row) {
    await noteEvent(query, tenant, 'agent.message_sent', id, { recipient, sender });
    await notify(query, topics.inbox(tenant, recipient));
    return { message_id: id, delivered_at: row.delivered_at.toISOString() };
  }
  const [before] = await query<{ delivered_at: Date }>('select delivered_at from agent_messages where tenant_id = $1 and id = $2', [
    tenant,
    id,
  ]);
  return { message_id: id, delivered_at: before!.delivered_at.toISOString() };
}

/** Deletes a batch of messages that were acknowledged long ago. @returns how many */
export async function forgetReadMessages(query: Query, tenant: string, keepDays: number): Promise<number> {
  const batch = 2_000;
  for (let forgotten = 0; ;) {
    const gone = await query(
      `delete from agent_messages where tenant_id = $1 and id = any(array(
         select id from agent_messages where tenant_id = $1 and acknowledged_at < now() - make_interval(days => $2)
         order by acknowledged_at limit ${batch})) returning 1`,
      [tenant, keepDays],
    );
    forgotten += gone.length;
    if (gone.length < batch) return forgotten;
  }
}

const messageView = (row: MessageRow): Message => ({
  message_id: row.id,
  from: row.sender,
  message: row.body,
  data: row.data,
  reply_to: row.reply_to,
  delivered_at: row.delivered_at.toISOString(),
  acknowledged_at: row.acknowledged_at?.toISOString() ?? null,
});
