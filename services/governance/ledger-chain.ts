import type { Database, Row } from '../../adapters/postgres/database.ts';
import type { SecretBox } from '../../adapters/secrets/box.ts';
import type { Breach } from '../../contracts/activities/governance/ledger.ts';
import { canonicalJson } from '../../contracts/ids.ts';
import type { Columns } from '../../prisma/rows.ts';
import { lock } from '../kernel/locks.ts';

type Query = Database['query'];

/** The authenticated fields of a row, in order and form. */
export interface LedgerRow {
  tenant_id: string;
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
  refs: unknown;
  duration_ms: number | null;
  trace_id: string | null;
  policy: string | null;
  approval_id: string | null;
  session_id: string | null;
  /** ISO 8601, milliseconds. */
  at: string;
}

/** HMAC of a row under this installation's key: write access to the table is not enough to create one. */
export const rowMac = (secrets: SecretBox, row: LedgerRow): Buffer => secrets.mac(rowText(row));

const rowText = (row: LedgerRow): string => `ledger-row:${canonicalJson(row)}`;

/** Maximum rows per link. */
const perLink = 10_000;
export const rowColumns = `tenant_id, tool_call_id, type, tool, called_as, tool_version, effect, front, key_id, principal, principal_kind, persona,
  input_hash, status, error_code, refs, duration_ms, trace_id, policy, approval_id, session_id, at`;

export interface Link extends Row, Columns<'ledger_seals', 'seq' | 'to_xid' | 'to_id' | 'events' | 'hash'> {}
export interface Covered extends Row, Columns<'ledger_events', 'id' | 'xid' | 'mac'> {}

export const linkColumns = 'seq, to_xid, to_id, events, hash';

/** What a link signs: the link before it and its rows. */
export function linkText(before: Buffer | null, rows: readonly Pick<Covered, 'id' | 'xid' | 'mac'>[]): string {
  const lines = rows.map(({ id, xid, mac }) => `${xid} ${id} ${mac?.toString('hex') ?? '-'}`);
  return `ledger-link:${before?.toString('hex') ?? '-'}\n${lines.join('\n')}`;
}

const lastLink = async (query: Query, tenant: string): Promise<Link | undefined> =>
  (await query<Link>(`select ${linkColumns} from ledger_seals where tenant_id = $1 order by seq desc limit 1`, [tenant]))[0];

/**
 * Links the rows since the last link. Rows of open transactions wait for the next link.
 * @returns rows linked
 */
export async function sealLedger(db: Database, secrets: SecretBox, tenant: string): Promise<number> {
  let linked = 0;
  for (;;) {
    const more = await db.transaction(async (query) => {
      await lock(query, `ledger/${tenant}`);
      const last = await lastLink(query, tenant);
      const rows = await query<Covered>(
        `select id, xid, mac from ledger_events
         where tenant_id = $1 and (xid, id) > ($2::xid8, $3::bigint) and xid < settled_moment()
         order by xid, id limit ${perLink}`,
        [tenant, last?.to_xid ?? '0', last?.to_id ?? '0'],
      );
      const end = rows.at(-1);
      if (!end) return false;
      await query('insert into ledger_seals (tenant_id, seq, to_xid, to_id, events, hash) values ($1, $2, $3, $4, $5, $6)', [
        tenant,
        String(BigInt(last?.seq ?? 0) + 1n),
        end.xid,
        end.id,
        rows.length,
        secrets.mac(linkText(last?.hash ?? null, rows)),
      ]);
      linked += rows.length;
      return rows.length === perLink;
    });
    if (!more) return linked;
  }
}

/** Whether a link ends before a row. */
export const endsBefore = ({ to_xid, to_id }: Pick<Link, 'to_xid' | 'to_id'>, { xid, id }: Pick<Covered, 'xid' | 'id'>): boolean =>
  BigInt(to_xid) < BigInt(xid) || (to_xid === xid && BigInt(to_id) < BigInt(id));

export type Whole = Covered & Omit<LedgerRow, 'at'> & { at: Date };

/** @param before whether the row may be older than the chain: such rows have no HMAC, and none before them has one */
export function examine(
  { id, xid: _, mac, at, ...said }: Whole,
  secrets: SecretBox,
  tell: (breach: Breach) => void,
  before: boolean,
): void {
  if (mac === null) {
    if (!before) tell({ kind: 'unsigned', event_id: id, what: `Row ${id} was not written by Signalbox.` });
    return;
  }
  if (!secrets.verifies(rowText({ ...said, at: at.toISOString() }), mac))
    tell({ kind: 'edited', event_id: id, what: `Row ${id} was changed after it was written.` });
}
