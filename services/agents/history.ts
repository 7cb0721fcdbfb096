import type { Database } from '../../adapters/postgres/database.ts';
import { noteEvent } from '../kernel/outbox.ts';

type Query = Database['query'];

/** Records who changed an agent, how and why. Call it in the transaction of the change. */
export async function noteAgentHistory(
  query: Query,
  tenant: string,
  id: string,
  event: string,
  detail: Record<string, unknown>,
  actor: string,
): Promise<void> {
  await query('insert into agent_history (tenant_id, agent_id, event, detail, actor) values ($1, $2, $3, $4, $5)', [
    tenant,
    id,
    event,
    JSON.stringify(detail),
    actor,
  ]);
}

/** Writes an outbox event about an agent's new state. */
export async function noteAgentEvent(query: Query, tenant: string, id: string, data: Record<string, unknown>): Promise<void> {
  await noteEvent(query, tenant, 'agent.status_changed', id, data);
}
