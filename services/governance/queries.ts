import { down, keysetPage, matching, type Page, type Paging } from '../kernel/paging.ts';
import { useOfNames, type NameUse } from './deprecated.ts';
import { Service } from '../kernel/service.ts';

/** As `system.ledger.search` takes it; the cursor is an `event_id`. */
export interface LedgerFilter extends Paging {
  tool_call_id?: string | undefined;
  tool?: string | undefined;
  type?: string | undefined;
  principal?: string | undefined;
  error_code?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

export interface LedgerEntry {
  event_id: string;
  tool_call_id: string;
  type: string;
  tool: string;
  called_as: string;
  tool_version: number;
  effect: string;
  front: string;
  key_id: string;
  principal: string;
  principal_kind: string;
  persona: string;
  input_hash: string;
  status: string | null;
  error_code: string | null;
  refs: unknown[];
  duration_ms: number | null;
  trace_id: string | null;
  policy: string | null;
  approval_id: string | null;
  session_id: string | null;
  at: string;
}

export class LedgerQueries extends Service {
  /** Calls of tool names in the last days. */
  async useOfNames(tenant: string, names: readonly string[], days: number): Promise<Map<string, NameUse>> {
    return await useOfNames(this.db, tenant, names, days);
  }

  /** Newest first. */
  async search(tenant: string, filter: LedgerFilter): Promise<Page<LedgerEntry>> {
    const list = {
      select: `id as event_id, tool_call_id, type, tool, called_as, tool_version, effect, front, key_id, principal, principal_kind, persona,
        input_hash, status, error_code, coalesce(refs, '[]') as refs, duration_ms, trace_id, policy, approval_id, session_id, at`,
      from: 'ledger_events',
      ...matching({
        'tenant_id = $': tenant,
        'tool_call_id = $': filter.tool_call_id,
        'tool = $ or called_as = $': filter.tool,
        'type = $': filter.type,
        'principal = $': filter.principal,
        'error_code = $': filter.error_code,
        'at >= $': filter.since,
        'at < $': filter.until,
      }),
      order: [down('id', 'bigint')],
      plain: true,
    };
    return await keysetPage(this.db.query, list, filter, (row: Omit<LedgerEntry, 'at'> & { at: Date }) => ({
      ...row,
      at: row.at.toISOString(),
    }));
  }
}
