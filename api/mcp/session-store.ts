import type { Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { newId } from '../../contracts/ids.ts';
import { noticeChannel, topics } from '../../contracts/notices.ts';
import type { SessionStore, StoredSession } from './sessions.ts';

type Row = {
  id: string;
  tenant_id: string;
  key_id: string;
  profile: string | null;
  protocol_version: string;
  client: StoredSession['client'];
  created_at: Date;
};

/**
 * Sessions in `mcp_sessions`, unused ones for a week, and messages to the api that holds a session, in `mcp_messages`.
 */
export function sessionStore(database: () => Database | undefined): SessionStore {
  const run = async <T extends Record<string, unknown> = Row>(tenant: string, text: string, values: unknown[]): Promise<T[]> => {
    const db = database();
    return db ? await asTenant(tenant, () => db.query<T>(text, values)) : [];
  };
  return {
    async save({ id, tenant, keyId, profile, protocolVersion, client }) {
      await run(
        tenant,
        `with old as (delete from mcp_sessions where tenant_id = $1 and last_seen_at < now() - interval '7 days')
         insert into mcp_sessions (tenant_id, id, key_id, profile, protocol_version, client) values ($1, $2, $3, $4, $5, $6)`,
        [tenant, id, keyId, profile, protocolVersion, JSON.stringify(client)],
      );
    },
    async find(tenant, id) {
      const [row] = await run(tenant, 'select * from mcp_sessions where tenant_id = $1 and id = $2', [tenant, id]);
      if (!row) return null;
      const { key_id: keyId, profile, protocol_version: protocolVersion, client, created_at: openedAt } = row;
      return { id, tenant, keyId, profile: profile ?? '', protocolVersion, client, openedAt };
    },
    async touch(tenant, id) {
      await run(tenant, 'update mcp_sessions set last_seen_at = now() where tenant_id = $1 and id = $2', [tenant, id]);
    },
    async remove(tenant, id) {
      await run(
        tenant,
        `with gone as (delete from mcp_sessions where tenant_id = $1 and id = $2 returning 1) select pg_notify($3, $4) from gone`,
        [tenant, id, noticeChannel, topics.mcpSession(tenant, id)],
      );
    },
    async send(tenant, id, body) {
      await run(
        tenant,
        `with old as (delete from mcp_messages where tenant_id = $1 and sent_at < now() - interval '5 minutes'),
           sent as (insert into mcp_messages (tenant_id, id, session_id, body) values ($1, $2, $3, $4) returning 1)
         select pg_notify($5, $6) from sent`,
        [tenant, newId('mcp'), id, JSON.stringify(body), noticeChannel, topics.mcpSession(tenant, id)],
      );
    },
    async news(tenant, id) {
      const rows = await run<{ known: boolean; message: string | null; body: unknown }>(
        tenant,
        `select exists (select from mcp_sessions where tenant_id = $1 and id = $2) as known, m.id as message, m.body
         from (select 1) one left join mcp_messages m on m.tenant_id = $1 and m.session_id = $2 order by m.id`,
        [tenant, id],
      );
      return {
        known: rows[0]?.known ?? true,
        messages: rows.flatMap(({ message, body }) => (message === null ? [] : [{ id: message, body }])),
      };
    },
    async taken(tenant, ids) {
      await run(tenant, 'delete from mcp_messages where tenant_id = $1 and id = any($2)', [tenant, ids]);
    },
  };
}
