import type { LedgerEntry } from '../../contracts/governance/ledger.ts';
import { cut, down, keysetPage, matching, pageSql, type Page, type Paging } from '../kernel/paging.ts';
import { useOfNames, type NameUse } from './deprecated.ts';
import { Service } from '../kernel/service.ts';

/** As `system.ledger.search` takes it; the cursor is an `event_id`. */
export interface LedgerFilter extends Paging {
  tool_call_id?: string | undefined;
  tool?: string | undefined;
  type?: string | undefined;
  principal?: string | undefined;
  error_code?: string | undefined;
  front?: string | undefined;
  /** Only of tools that change something. */
  changes_only?: boolean | undefined;
  key_id?: string | undefined;
  trace_id?: string | undefined;
  session_id?: string | undefined;
  approval_id?: string | undefined;
  /** One entry per call: its end, or its start while it runs. */
  folded?: boolean | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/**
 * Leaves out what an end entry of the same call repeats. Decisions of people stay: they are calls of others. A subquery
 * with a limit is looked up for each row; for `not exists` Postgres reads the ends of all calls first.
 */
const unlessEnded = `type not in ('tool.call.started', 'tool.call.approval_requested') or (type = 'tool.call.started' and (
  select e.id from ledger_events e where e.tenant_id = $1 and e.tool_call_id = ledger_events.tool_call_id
    and e.type in ('tool.call.completed', 'tool.call.failed') limit 1) is null)`;

/** Entries after that of the cursor in the order of time; none if it has been removed, as have all that are older. */
const afterEntry = '(at, id) < ((select c.at from ledger_events c where c.tenant_id = $1 and c.id = $::bigint), $::bigint)';

export const entryColumns = `id as event_id, tool_call_id, type, tool, called_as, tool_version, effect, front, key_id, principal, principal_kind, persona,
  input_hash, status, error_code, coalesce(refs, '[]') as refs, duration_ms, trace_id, policy, approval_id, session_id, at`;
export const entryView = (row: Omit<LedgerEntry, 'at'> & { at: Date }): LedgerEntry => ({ ...row, at: row.at.toISOString() });

export class LedgerQueries extends Service {
  /** Calls of tool names in the last days. */
  async useOfNames(tenant: string, names: readonly string[], days: number): Promise<Map<string, NameUse>> {
    return await useOfNames(this.db, tenant, names, days);
  }

  /**
   * Newest first: in the order of writing, and in that of time within a period, where entries from before and after it are
   * not read. An entry that was kept while Postgres was away has an earlier time than those written before it.
   */
  async search(tenant: string, filter: LedgerFilter): Promise<Page<LedgerEntry>> {
    const byTime = filter.since !== undefined || filter.until !== undefined;
    const list = {
      select: entryColumns,
      from: 'ledger_events',
      ...matching({
        'tenant_id = $': tenant,
        'tool_call_id = $': filter.tool_call_id,
        'tool = $ or called_as = $': filter.tool,
        'type = $': filter.type,
        'principal = $': filter.principal,
        'error_code = $': filter.error_code,
        'front = $': filter.front,
        [`effect <> 'read'`]: filter.changes_only,
        'key_id = $': filter.key_id,
        'trace_id = $': filter.trace_id,
        'session_id = $': filter.session_id,
        'approval_id = $': filter.approval_id,
        [unlessEnded]: filter.folded,
        'at >= $': filter.since,
        'at < $': filter.until,
        [afterEntry]: byTime ? filter.cursor : undefined,
      }),
    };
    if (!byTime) return await keysetPage(this.db.query, { ...list, order: [down('id', 'bigint')], plain: true }, filter, entryView);
    const { sql, values } = pageSql({ ...list, order: [down('at', 'timestamptz'), down('id', 'bigint')] }, { limit: filter.limit });
    const rows = await this.db.query<Parameters<typeof entryView>[0] & { page_key: string[] }>(sql, values);
    const page = cut(rows, filter.limit, ({ event_id: last }) => last);
    return { ...page, items: page.items.map(({ page_key: _, ...row }) => entryView(row)) };
  }
}
