import type { Database } from '../../adapters/postgres/database.ts';

export interface HistoryEvent {
  entityId: string;
  event:
    'created' | 'renamed' | 'alias_added' | 'merged' | 'absorbed' | 'split' | 'restored' | 'linked' | 'state_set' | 'type_set' | 'flagged';
  /** Identifies the merge or split it belongs to. */
  changeId?: string;
  data?: Record<string, unknown>;
  by: string;
}

/** Appends to an entity's history; never changed afterwards. */
export async function noteHistory(
  query: Database['query'],
  tenant: string,
  { entityId, event, changeId, data, by }: HistoryEvent,
): Promise<void> {
  await query('insert into entity_history (tenant_id, entity_id, event, change_id, data, by_whom) values ($1, $2, $3, $4, $5, $6)', [
    tenant,
    entityId,
    event,
    changeId ?? null,
    JSON.stringify(data ?? {}),
    by,
  ]);
}
