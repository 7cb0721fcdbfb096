import { lineOf, type Caller } from '../../contracts/caller.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import { newId } from '../../contracts/ids.ts';
import { topics } from '../../contracts/notices.ts';
import { notify } from '../kernel/notify.ts';
import { assertRoom } from '../kernel/room.ts';
import { Service } from '../kernel/service.ts';
import type { Columns } from '../../prisma/rows.ts';

export interface WorkSession {
  session_id: string;
  name: string;
  mounts: string[] | null;
  tools: string[];
  policy: string | null;
  profile: string | null;
  created_at: string;
  expires_at: string;
  closed_at: string | null;
}

export interface SessionWish {
  name?: string | undefined;
  mounts?: string[] | null | undefined;
  tools?: string[] | undefined;
  policy?: string | undefined;
  profile?: string | undefined;
  ttlSeconds: number;
}

interface SessionRow
  extends
    Record<string, unknown>,
    Columns<'work_sessions', 'id' | 'name' | 'mounts' | 'tools' | 'policy' | 'profile' | 'created_at' | 'expires_at' | 'closed_at'> {}

/** Maximum open sessions per key: more are a leak in the client. */
const mostOpen = 200;

/**
 * Work sessions: mounted providers, added tools, and the level of care. They only narrow, and belong to a key and its
 * replacements.
 */
export class WorkSessions extends Service {
  /** @throws AppError RATE_LIMIT_EXCEEDED when the key has too many open */
  async open(caller: Caller, wish: SessionWish): Promise<WorkSession> {
    const { tenant, principal } = caller;
    const line = lineOf(caller);
    const row = await this.db.transaction(async (query) => {
      await assertRoom(query, {
        of: `work_sessions/${tenant}/${line}`,
        most: mostOpen,
        count:
          'select count(*)::int as n from work_sessions where tenant_id = $1 and key_id = $2 and closed_at is null and expires_at > now()',
        values: [tenant, line],
        refusal: () =>
          new AppError('RATE_LIMIT_EXCEEDED', `Your key has ${mostOpen} sessions open.`, {
            hint: 'Close some with system.session.close; idle ones end by themselves.',
            retryAfterSeconds: 60,
          }),
      });
      const [made] = await query<SessionRow>(
        `insert into work_sessions (tenant_id, id, key_id, principal, name, mounts, tools, policy, profile, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + make_interval(secs => $10)) returning *`,
        [
          tenant,
          newId('ses'),
          line,
          principal,
          wish.name ?? '',
          wish.mounts ?? null,
          wish.tools ?? [],
          wish.policy ?? null,
          wish.profile ?? null,
          wish.ttlSeconds,
        ],
      );
      return made!;
    });
    return view(row);
  }

  /** @throws AppError NOT_FOUND, also for another key's */
  async get(caller: Caller, id: string): Promise<WorkSession> {
    const [row] = await this.db.query<SessionRow>('select * from work_sessions where tenant_id = $1 and id = $2 and key_id = $3', [
      caller.tenant,
      id,
      lineOf(caller),
    ]);
    if (!row) throw unknown(id);
    return view(row);
  }

  /**
   * Adds or removes tools or providers.
   * @throws AppError NOT_FOUND, GONE
   */
  async change(caller: Caller, id: string, wish: { mounts?: string[] | undefined; tools?: string[] | undefined }): Promise<WorkSession> {
    const [row] = await this.db.query<SessionRow>(
      `update work_sessions set mounts = coalesce($4, mounts), tools = coalesce($5, tools), updated_at = now()
       where tenant_id = $1 and id = $2 and key_id = $3 and closed_at is null and expires_at > now() returning *`,
      [caller.tenant, id, lineOf(caller), wish.mounts ?? null, wish.tools ?? null],
    );
    if (row) {
      await this.changed(caller.tenant, id);
      return view(row);
    }
    await this.get(caller, id);
    throw new AppError('GONE', 'The session is over.', { hint: 'system.session.open opens a new one.' });
  }

  /** @throws AppError NOT_FOUND */
  async close(caller: Caller, id: string): Promise<WorkSession> {
    const [row] = await this.db.query<SessionRow>(
      `update work_sessions set closed_at = coalesce(closed_at, now()), updated_at = now()
       where tenant_id = $1 and id = $2 and key_id = $3 returning *`,
      [caller.tenant, id, lineOf(caller)],
    );
    if (!row) throw unknown(id);
    await this.changed(caller.tenant, id);
    return view(row);
  }

  /** Milliseconds until it expires; null: it has ended. */
  async left(tenant: string, id: string): Promise<number | null> {
    const [row] = await this.db.query<{ ms: number }>(
      `select ceil(extract(epoch from expires_at - now()) * 1000)::float8 as ms from work_sessions
       where tenant_id = $1 and id = $2 and closed_at is null and expires_at > now()`,
      [tenant, id],
    );
    return row?.ms ?? null;
  }

  /** Notifies clients of the session of their new tool list. */
  private async changed(tenant: string, id: string): Promise<void> {
    await notify((text, values) => this.db.query(text, values), topics.workSession(tenant, id));
  }

  /**
   * Deletes sessions a day after their end.
   * @returns how many
   */
  async sweep(tenant: string): Promise<number> {
    const rows = await this.db.query(
      `delete from work_sessions where tenant_id = $1 and least(coalesce(closed_at, expires_at), expires_at) < now() - interval '1 day' returning 1`,
      [tenant],
    );
    return rows.length;
  }
}

const unknown = (id: string): AppError =>
  notFound('session', id, 'system.session.open opens one; sessions belong to the key that opened them.');

const view = (row: SessionRow): WorkSession => ({
  session_id: row.id,
  name: row.name,
  mounts: row.mounts,
  tools: row.tools,
  policy: row.policy,
  profile: row.profile,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
  closed_at: row.closed_at?.toISOString() ?? null,
});
