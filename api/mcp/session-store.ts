import type { Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { SessionStore, StoredSession } from './sessions.ts';

type Row = {
  id: string;
  tenant_id: string;
  key_id: string;
  profile: string | null;
  protocol_version: string;
  client: StoredSession['client'];
};

/** Sessions in `mcp_sessions`. Sessions unused for a week are deleted. */
export function sessionStore(database: () => Database | undefined): SessionStore {
  const run = async (tenant: string, text: string, values: unknown[]): Promise<Row[]> => {
    const db = database();
    return db ? await asTenant(tenant, () => db.query<Row>(text, values)) : [];
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
      return { id, tenant, keyId: row.key_id, profile: row.profile ?? '', protocolVersion: row.protocol_version, client: row.client };
    },
    async touch(tenant, id) {
      await run(tenant, 'update mcp_sessions set last_seen_at = now() where tenant_id = $1 and id = $2', [tenant, id]);
    },
    async remove(tenant, id) {
      await run(tenant, 'delete from mcp_sessions where tenant_id = $1 and id = $2', [tenant, id]);
    },
  };
}
