import type { Database, Row } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { SecretBox } from '../../adapters/secrets/box.ts';
import { canonicalJson } from '../../contracts/ids.ts';
import { atOneMoment, sliced } from '../exports/snapshot.ts';
import { eachInTurn } from '../isolation.ts';

type Query = Database['query'];

/** What a row says, in the order and form in which it is authenticated. */
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

/** HMAC of a row under this installation's key: who can write to the table cannot make one. */
export const rowMac = (secrets: SecretBox, row: LedgerRow): Buffer => secrets.mac(`ledger-row:${canonicalJson(row)}`);

/** Rows covered by one link at most. */
const perLink = 10_000;
/** Rows, and links, read at once. */
const perSlice = 2_000;
export const rowColumns = `tenant_id, tool_call_id, type, tool, called_as, tool_version, effect, front, key_id, principal, principal_kind, persona,
  input_hash, status, error_code, refs, duration_ms, trace_id, policy, approval_id, session_id, at`;

export interface Link extends Row {
  seq: string;
  to_xid: string;
  to_id: string;
  events: number;
  hash: Buffer;
}
interface Covered extends Row {
  id: string;
  xid: string;
  mac: Buffer | null;
}

export function linkHash(secrets: SecretBox, before: Buffer | null, rows: readonly Pick<Covered, 'id' | 'xid' | 'mac'>[]): Buffer {
  const lines = rows.map(({ id, xid, mac }) => `${xid} ${id} ${mac?.toString('hex') ?? '-'}`);
  return secrets.mac(`ledger-link:${before?.toString('hex') ?? '-'}\n${lines.join('\n')}`);
}

const lastLink = async (query: Query, tenant: string): Promise<Link | undefined> =>
  (
    await query<Link>('select seq, to_xid, to_id, events, hash from ledger_seals where tenant_id = $1 order by seq desc limit 1', [tenant])
  )[0];

/** Links what has been written since the last link. Rows of transactions that may still commit wait for the next one. @returns rows linked */
export async function sealLedger(db: Database, secrets: SecretBox, tenant: string): Promise<number> {
  let linked = 0;
  for (;;) {
    const more = await db.transaction(async (query) => {
      await query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`ledger/${tenant}`]);
      const last = await lastLink(query, tenant);
      const rows = await query<Covered>(
        `select id, xid, mac from ledger_events
         where tenant_id = $1 and (xid, id) > ($2::xid8, $3::bigint) and xid < pg_snapshot_xmin(pg_current_snapshot())
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
        linkHash(secrets, last?.hash ?? null, rows),
      ]);
      linked += rows.length;
      return rows.length === perLink;
    });
    if (!more) return linked;
  }
}

export interface Breach {
  kind: 'edited' | 'missing' | 'inserted' | 'unsigned' | 'broken_link';
  /** Which row, where one is to blame. */
  event_id?: string;
  /** Which link, and between which rows it lies. */
  link?: string;
  what: string;
}

export interface LedgerCheck {
  intact: boolean;
  events: number;
  links: number;
  /** Rows that no link covers yet: written within the last seconds. */
  unlinked: number;
  /** Number and hash of the last link: kept elsewhere, they show whether the whole chain was made anew. */
  head: { link: string; hash: string } | null;
  /** The first 100. */
  breaches: Breach[];
}

/**
 * Reads the whole ledger of a tenant and holds it against its links, in one pass over both. In memory: one link's ids.
 * @param signal an abort ends the reading with its reason
 */
export async function verifyLedger(db: Database, secrets: SecretBox, tenant: string, signal: AbortSignal): Promise<LedgerCheck> {
  await sealLedger(db, secrets, tenant);
  return await atOneMoment(db, (query) => readLedger(query, secrets, tenant, signal));
}

async function readLedger(query: Query, secrets: SecretBox, tenant: string, signal: AbortSignal): Promise<LedgerCheck> {
  const check: LedgerCheck = { intact: true, events: 0, links: 0, unlinked: 0, head: null, breaches: [] };
  const tell = (breach: Breach): void => {
    check.intact = false;
    if (check.breaches.length < 100) check.breaches.push(breach);
  };
  const [retained] = await query<{ seq: string }>(
    'select max(removed_to_seq)::text as seq from ledger_retained where tenant_id = $1 having max(removed_to_seq) is not null',
    [tenant],
  );
  const links = linksOf(query, tenant);
  // Of what retention took away only the last link is left, for the next one to hang on.
  let before = retained ? (await links.next()).value : undefined;
  if (retained && before?.seq !== retained.seq)
    tell({ kind: 'broken_link', link: retained.seq, what: 'The link that retention left is gone.' });
  const next = async (): Promise<Link | undefined> => {
    const { value: link } = await links.next();
    if (link && BigInt(link.seq) !== BigInt(before?.seq ?? 0) + 1n)
      tell({ kind: 'broken_link', link: link.seq, what: 'A link before it is gone.' });
    return link;
  };
  let rows: Covered[] = [];
  /** All rows that the link should cover have been read. */
  const close = async (link: Link): Promise<Link | undefined> => {
    if (!linkHash(secrets, before?.hash ?? null, rows).equals(link.hash)) {
      const difference = rows.length - link.events;
      const where = `between rows ${before?.to_id ?? 0} and ${link.to_id}`;
      if (difference < 0) tell({ kind: 'missing', link: link.seq, what: `${-difference} rows are gone ${where}.` });
      else if (difference > 0) tell({ kind: 'inserted', link: link.seq, what: `${difference} rows were put in ${where}.` });
      else tell({ kind: 'broken_link', link: link.seq, what: `What stands ${where} is not what was linked.` });
    }
    check.links += 1;
    before = link;
    rows = [];
    return await next();
  };
  let link = await next();
  const select = `select id, xid, mac, ${rowColumns} from ledger_events where tenant_id = $1 and (xid, id) > ($2::xid8, $3::bigint) order by xid, id`;
  for await (const slice of sliced<Whole>(query, select, [tenant, before?.to_xid ?? '0', before?.to_id ?? '0'], perSlice, signal)) {
    for (const row of slice) {
      while (link && endsBefore(link, row)) link = await close(link);
      examine(row, secrets, tell, link !== undefined);
      if (link) rows.push({ id: row.id, xid: row.xid, mac: row.mac });
      else check.unlinked += 1;
    }
    check.events += slice.length;
  }
  while (link) link = await close(link);
  check.head = before ? { link: before.seq, hash: before.hash.toString('hex') } : null;
  return check;
}

async function* linksOf(query: Query, tenant: string): AsyncGenerator<Link, undefined> {
  for (let after = '-1'; ;) {
    const page = await query<Link>(
      'select seq, to_xid, to_id, events, hash from ledger_seals where tenant_id = $1 and seq > $2 order by seq limit $3',
      [tenant, after, perSlice],
    );
    yield* page;
    if (page.length < perSlice) return;
    after = page.at(-1)!.seq;
  }
}

/** Whether a link ends before a row. */
export const endsBefore = ({ to_xid, to_id }: Pick<Link, 'to_xid' | 'to_id'>, { xid, id }: Pick<Covered, 'xid' | 'id'>): boolean =>
  BigInt(to_xid) < BigInt(xid) || (to_xid === xid && BigInt(to_id) < BigInt(id));

export type Whole = Covered & Omit<LedgerRow, 'at'> & { at: Date };

/** @param linked rows of before the chain carry no HMAC; their link covers that they carry none */
export function examine(
  { id, xid: _, mac, at, ...said }: Whole,
  secrets: SecretBox,
  tell: (breach: Breach) => void,
  linked: boolean,
): void {
  if (mac === null) {
    if (!linked) tell({ kind: 'unsigned', event_id: id, what: `Row ${id} was not written by Signalbox.` });
    return;
  }
  if (!rowMac(secrets, { ...said, at: at.toISOString() }).equals(mac))
    tell({ kind: 'edited', event_id: id, what: `Row ${id} was changed after it was written.` });
}

/** Rows are kept so long, in days (SPEC G23). */
const retentionDays = 400;
const never = new AbortController().signal;

/** The ledger as something that can be held against itself. */
export class LedgerChain {
  private readonly db: Database;
  private readonly secrets: SecretBox;

  constructor({ db, secrets }: { db: Database; secrets: SecretBox }) {
    this.db = db;
    this.secrets = secrets;
  }

  verify(tenant: string, signal: AbortSignal = never): Promise<LedgerCheck> {
    return verifyLedger(this.db, this.secrets, tenant, signal);
  }

  /** Links what all tenants have written since the last time. @throws what it failed with, after all have had their turn */
  async sealAll(): Promise<void> {
    const tenants = await this.db.query<{ id: string }>('select list_tenants() as id');
    await eachInTurn(tenants, ({ id }) => asTenant(id, () => sealLedger(this.db, this.secrets, id)));
  }

  /** Lets go of what is older than it has to be kept. @returns rows removed */
  async retain(days = retentionDays): Promise<number> {
    const [row] = await this.db.query<{ removed: string }>('select retain_ledger($1) as removed', [days]);
    return Number(row?.removed ?? 0);
  }
}
