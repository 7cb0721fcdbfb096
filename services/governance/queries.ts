import { useOfNames, type NameUse } from './deprecated.ts';
import { Service } from '../kernel/service.ts';

export interface LedgerFilter {
  toolCallId?: string | undefined;
  tool?: string | undefined;
  type?: string | undefined;
  principal?: string | undefined;
  errorCode?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  limit: number;
  cursor?: string | undefined;
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
  async search(tenant: string, filter: LedgerFilter): Promise<{ events: LedgerEntry[]; next?: string }> {
    const rows = await this.db.query<Omit<LedgerEntry, 'at' | 'event_id'> & { id: string; at: Date; refs: unknown[] | null }>(
      `select id, tool_call_id, type, tool, called_as, tool_version, effect, front, key_id, principal, principal_kind, persona,
         input_hash, status, error_code, refs, duration_ms, trace_id, policy, approval_id, session_id, at
       from ledger_events
       where tenant_id = $1 and ($2::text is null or tool_call_id = $2) and ($3::text is null or tool = $3 or called_as = $3)
         and ($4::text is null or type = $4) and ($5::text is null or principal = $5) and ($6::text is null or error_code = $6)
         and ($7::timestamptz is null or at >= $7) and ($8::timestamptz is null or at < $8) and ($9::bigint is null or id < $9)
       order by id desc limit $10`,
      [
        tenant,
        filter.toolCallId ?? null,
        filter.tool ?? null,
        filter.type ?? null,
        filter.principal ?? null,
        filter.errorCode ?? null,
        filter.since ?? null,
        filter.until ?? null,
        filter.cursor ?? null,
        filter.limit + 1,
      ],
    );
    const page = rows.slice(0, filter.limit);
    return {
      events: page.map(({ id, ...row }) => ({ event_id: id, ...row, refs: row.refs ?? [], at: row.at.toISOString() })),
      ...(rows.length > filter.limit ? { next: page.at(-1)!.id } : {}),
    };
  }
}
