import type { Database } from '../../adapters/postgres/database.ts';
import type { AgentKind, Capability, Health } from '../../contracts/agents/agents.ts';
import { lineOf, type Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { noteAgentHistory } from './history.ts';
import { writeVersion } from './versions.ts';

type Query = Database['query'];

/** An agent to write. */
export interface Registration {
  kind: AgentKind;
  agentType: string;
  /** Candidate ids: the first one that is free or already its own is used. */
  ids: string[];
  name: string;
  description: string;
  protocol: 'signalbox' | 'a2a' | null;
  endpointUrl: string | null;
  cardUrl: string | null;
  card: Record<string, unknown> | null;
  capabilities: readonly Capability[];
  stableKey: string | null;
  /** Sealed. */
  credential: string | null;
  metadata: Record<string, unknown>;
  slos: Record<string, number>;
  definition: Record<string, unknown> | null;
  note: string | null;
  health: Health;
  /** A person registers it; people may renew agents that others registered. */
  person: boolean;
}

const conflicts = {
  stable: '(tenant_id, stable_key) where stable_key is not null and removed_at is null',
  id: '(tenant_id, id)',
};

/**
 * @returns `dropped`: the former credential was removed, because it was for another address. @throws AppError FORBIDDEN
 * (registered with another key)
 */
export async function writeAgent(query: Query, caller: Caller, wanted: Registration): Promise<{ id: string; dropped: boolean }> {
  const { tenant } = caller;
  const written = await upsert(query, caller, wanted);
  await writeCapabilities(query, tenant, written.id, wanted.capabilities);
  if (wanted.kind !== 'peer') await writeVersion(query, caller, written.id, wanted.definition, wanted.note);
  // A repeat with the same idempotency key is recorded only once.
  const event = written.fresh ? 'registered' : 'updated';
  await noteAgentHistory(
    query,
    tenant,
    written.id,
    event,
    { kind: wanted.kind, capabilities: wanted.capabilities.length },
    caller.principal,
  );
  return { id: written.id, dropped: written.dropped };
}

async function upsert(query: Query, caller: Caller, wanted: Registration): Promise<{ id: string; fresh: boolean; dropped: boolean }> {
  const { tenant, principal } = caller;
  for (const id of wanted.ids) {
    if (wanted.stableKey !== null && (await isTaken(query, tenant, id, wanted.stableKey))) continue;
    const before = await sealedBefore(query, tenant, id, wanted.stableKey);
    const [row] = await query<{ id: string; fresh: boolean; bare: boolean }>(
      `insert into agents as a (tenant_id, id, kind, agent_type, name, description, protocol, endpoint_url, card_url, card, credential,
         stable_key, health, last_heartbeat, slos, metadata, registered_by, key_id)
       values ($1, $2, $3::text, $4, $5, $6, $7, $8, $9, $10, $11, $12::text, $13::text, case when $13::text = 'healthy' then now() end, $14, $15, $16, $17)
       on conflict ${wanted.stableKey === null ? conflicts.id : conflicts.stable} do update set
         agent_type = excluded.agent_type, name = excluded.name, description = excluded.description, protocol = excluded.protocol,
         endpoint_url = excluded.endpoint_url, card_url = excluded.card_url, card = excluded.card,
         -- One that was given for another address is not shown to this one.
         credential = case when excluded.credential is not null then excluded.credential
           when a.endpoint_url is not distinct from excluded.endpoint_url and a.card_url is not distinct from excluded.card_url then a.credential end,
         slos = excluded.slos, metadata = excluded.metadata,
         registered_at = case when a.removed_at is null then a.registered_at else now() end,
         -- Back from being removed it starts as new; else its health is its process's to say.
         health = case when a.removed_at is null and a.health <> 'none' then a.health else excluded.health end,
         health_since = case when a.removed_at is null and a.health <> 'none' then a.health_since else now() end,
         last_heartbeat = coalesce(excluded.last_heartbeat, a.last_heartbeat), removed_at = null, updated_at = now()
       where a.kind = excluded.kind and (a.key_id = excluded.key_id or $18::boolean
           -- The house's own register under the name that they work under; a peer is its key's.
           or $3::text <> 'peer' and a.id = excluded.registered_by)
         and ($3::text <> 'peer' or $12::text is not null or (a.endpoint_url is not distinct from excluded.endpoint_url
           and a.card_url is not distinct from excluded.card_url and a.key_id = excluded.key_id and a.removed_at is null))
       returning a.id, a.xmax = 0 as fresh, a.credential is null as bare`,
      [
        tenant,
        id,
        wanted.kind,
        wanted.agentType,
        wanted.name,
        wanted.description,
        wanted.protocol,
        wanted.endpointUrl,
        wanted.cardUrl,
        wanted.card === null ? null : JSON.stringify(wanted.card),
        wanted.credential,
        wanted.stableKey,
        wanted.health,
        JSON.stringify(wanted.slos),
        JSON.stringify(wanted.metadata),
        principal,
        lineOf(caller),
        wanted.person,
      ],
    );
    if (row) return { id: row.id, fresh: row.fresh, dropped: before && row.bare };
    // Eight hexadecimal digits may collide with another peer's id: try the next candidate.
    if (wanted.kind !== 'peer' || wanted.stableKey !== null) break;
  }
  throw new AppError('FORBIDDEN', 'An agent by that name was registered with another key, or is of another kind.', {
    hint: 'Use the key that registered it, another id or stable_key, or let a person renew it.',
  });
}

/** Whether the agent had a credential before. */
async function sealedBefore(query: Query, tenant: string, id: string, stableKey: string | null): Promise<boolean> {
  const rows = await query(
    `select from agents where tenant_id = $1 and removed_at is null and credential is not null
       and case when $3::text is null then id = $2 else stable_key = $3 end`,
    [tenant, id, stableKey],
  );
  return rows.length > 0;
}

/** Whether the id belongs to another agent or to a removed one. */
async function isTaken(query: Query, tenant: string, id: string, stableKey: string): Promise<boolean> {
  const rows = await query(
    'select from agents where tenant_id = $1 and id = $2 and (removed_at is not null or stable_key is distinct from $3)',
    [tenant, id, stableKey],
  );
  return rows.length > 0;
}

/** Replaces an agent's capabilities. */
export async function writeCapabilities(query: Query, tenant: string, id: string, capabilities: readonly Capability[]): Promise<void> {
  const column = <T>(value: (capability: Capability) => T): T[] => capabilities.map(value);
  await query('delete from agent_capabilities where tenant_id = $1 and agent_id = $2 and name <> all($3)', [
    tenant,
    id,
    column((each) => each.name),
  ]);
  await query(
    `insert into agent_capabilities (tenant_id, agent_id, name, description, parameters_schema, returns_schema, estimated_duration_ms)
     select $1, $2, * from unnest($3::text[], $4::text[], $5::jsonb[], $6::jsonb[], $7::int[])
     on conflict (tenant_id, agent_id, name) do update set description = excluded.description,
       parameters_schema = excluded.parameters_schema, returns_schema = excluded.returns_schema, estimated_duration_ms = excluded.estimated_duration_ms`,
    [
      tenant,
      id,
      column((each) => each.name),
      column((each) => each.description),
      column((each) => JSON.stringify(each.parameters_schema)),
      column((each) => JSON.stringify(each.returns_schema)),
      column((each) => each.estimated_duration_ms ?? null),
    ],
  );
}
