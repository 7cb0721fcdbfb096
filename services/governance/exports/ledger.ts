import { createHash } from 'node:crypto';
import type { Database } from '../../../adapters/postgres/database.ts';
import type { SecretBox } from '../../../adapters/secrets/box.ts';
import type { LedgerRange } from '../../../contracts/governance/exports.ts';
import { endsBefore, rowColumns, type Link, type Whole } from '../ledger-chain.ts';
import type { About } from './files.ts';
import { sliced } from './snapshot.ts';

type Query = Database['query'];

/** The header of a ledger file. */
export interface LedgerHeader {
  kind: 'header';
  ledger: 1;
  export: About;
  /** Whether all rows between its ends are included, so that its links can be verified. */
  whole: boolean;
  /** The link before the first row; null: it begins with the ledger, or is filtered. */
  after: { seq: string; hash: string } | null;
}

const perSlice = 2_000;

/** The rows to write, and their number. */
export interface LedgerPart {
  whole: boolean;
  after: Link | null;
  links: Link[];
  rows: number;
  select: string;
  values: unknown[];
}

/**
 * Finds the part of the ledger for a range. With time limits only, it is widened to whole links, so that the file can
 * be verified without the database.
 * @param query inside `atOneMoment`
 */
export async function ledgerPart(query: Query, tenant: string, { since, until, ...filters }: LedgerRange): Promise<LedgerPart> {
  const select = (where: string): string =>
    `select id, xid, mac, ${rowColumns} from ledger_events where tenant_id = $1 and ${where} order by xid, id`;
  const count = async (where: string, values: unknown[]): Promise<number> =>
    (await query<{ rows: number }>(`select count(*)::float8 as rows from ledger_events where tenant_id = $1 and ${where}`, values))[0]!
      .rows;

  if (Object.values(filters).some((filter) => filter !== undefined)) {
    const where = `($2::timestamptz is null or at >= $2) and ($3::timestamptz is null or at < $3) and ($4::text is null or tool_call_id = $4)
      and ($5::text is null or tool = $5 or called_as = $5) and ($6::text is null or type = $6) and ($7::text is null or principal = $7)
      and ($8::text is null or error_code = $8)`;
    const { toolCallId, tool, type, principal, errorCode } = filters;
    const values = [tenant, since, until, toolCallId, tool, type, principal, errorCode].map((value) => value ?? null);
    return { whole: false, after: null, links: [], rows: await count(where, values), select: select(where), values };
  }
  const edge = async (condition: string, order: 'asc' | 'desc', at: string | undefined) =>
    at === undefined
      ? undefined
      : (
          await query<{ xid: string; id: string }>(
            `select xid, id from ledger_events where tenant_id = $1 and at ${condition} $2 order by xid ${order}, id ${order} limit 1`,
            [tenant, at],
          )
        )[0];
  const first = await edge('>=', 'asc', since);
  const last = await edge('<', 'desc', until);
  // No rows on the requested side of a bound: the export is empty.
  const nothing = (since !== undefined && !first) || (until !== undefined && !last);
  const linked = async (condition: string, values: unknown[]): Promise<Link[]> =>
    await query<Link>(`select seq, to_xid, to_id, events, hash from ledger_seals where tenant_id = $1 and ${condition}`, [
      tenant,
      ...values,
    ]);
  // Retention leaves only the last deleted link, because the next one refers to it.
  const [after = null] = await linked(
    `(seq = (select max(removed_to_seq) from ledger_retained where tenant_id = $1) or (to_xid, to_id) < ($2::xid8, $3::bigint))
     order by seq desc limit 1`,
    [first?.xid ?? null, first?.id ?? null],
  );
  const [to = null] = last ? await linked('(to_xid, to_id) >= ($2::xid8, $3::bigint) order by seq limit 1', [last.xid, last.id]) : [];
  const links = nothing
    ? []
    : await linked('seq > $2 and ($3::bigint is null or seq <= $3::bigint) order by seq', [after?.seq ?? -1, to?.seq ?? null]);
  const where = `(xid, id) > ($2::xid8, $3::bigint) and ($4::xid8 is null or (xid, id) <= ($4::xid8, $5::bigint))${nothing ? ' and false' : ''}`;
  const values = [tenant, after?.to_xid ?? '0', after?.to_id ?? '0', to?.to_xid ?? null, to?.to_id ?? null];
  return {
    whole: true,
    after,
    links,
    rows: await count(where, values),
    select: select(where),
    values,
  };
}

/**
 * One line per row, and after the rows of a link one for the link. The last line signs all others: without this
 * installation's key, a shortened or changed file is detected.
 */
export async function* ledgerFile(
  query: Query,
  secrets: SecretBox,
  about: About,
  part: LedgerPart,
  { count, signal }: { count(rows: number): void; signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  const lines = (each: object[]): Uint8Array => {
    const bytes = Buffer.from(each.map((line) => `${JSON.stringify(line)}\n`).join(''));
    hash.update(bytes);
    return bytes;
  };
  const { whole, after, links } = part;
  const header: LedgerHeader = {
    kind: 'header',
    ledger: 1,
    export: about,
    whole,
    after: after && { seq: after.seq, hash: after.hash.toString('hex') },
  };
  yield lines([header]);
  let written = 0;
  for await (const rows of sliced<Whole>(query, part.select, part.values, perSlice, signal)) {
    const out: object[] = [];
    for (const row of rows) {
      while (links[written] && endsBefore(links[written]!, row)) out.push(linkLine(links[written++]!));
      const { id, xid, mac, at, ...said } = row;
      out.push({ kind: 'event', event_id: id, xid, mac: mac?.toString('hex') ?? null, ...said, at: at.toISOString() });
    }
    yield lines(out);
    count(rows.length);
  }
  yield lines(links.slice(written).map(linkLine));
  yield Buffer.from(
    `${JSON.stringify({ kind: 'end', events: part.rows, links: links.length, mac: secrets.mac(fileText(hash.digest('hex'))).toString('hex') })}\n`,
  );
}

const linkLine = ({ seq, to_xid, to_id, events, hash }: Link) => ({ kind: 'link', seq, to_xid, to_id, events, hash: hash.toString('hex') });

/** What the last line of a file signs. */
export const fileText = (sha256: string): string => `ledger-export:${sha256}`;
