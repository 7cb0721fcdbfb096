import type { Database } from '../../adapters/postgres/database.ts';
import { noteEvent } from '../kernel/outbox.ts';

type Query = Database['query'];

/** Who did what to an agent and why; belongs into the transaction of the change. */
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

/** Tells those who follow the outbox that an agent's state is another one. */
export async function noteAgentEvent(query: Query, tenant: string, id: string, data: Record<string, unknown>): Promise<void> {
  await noteEvent(query, tenant, 'agent.status_changed', id, data);
}
