import type { Database } from '../../adapters/postgres/database.ts';
import type { SecretBox } from '../../adapters/secrets/box.ts';
import type { Breach, LedgerCheck, LedgerCourse } from '../../contracts/activities/governance/ledger.ts';
import { atOneMoment, sliced } from './exports/snapshot.ts';
import { endsBefore, examine, linkColumns, linkText, rowColumns, sealLedger, type Covered, type Link, type Whole } from './ledger-chain.ts';

type Query = Database['query'];

/** Rows per part, or slightly more: a part ends with a link. */
const perPart = 50_000;
/** Rows checked per slice, some milliseconds of work: other work of the process runs in between. */
const perSlice = 200;
const linksPerPage = 2_000;

const nothingYet = (total: number): LedgerCourse => ({
  after: null,
  check: { intact: true, events: 0, links: 0, unlinked: 0, head: null, breaches: [] },
  total,
  done: false,
});

/**
 * Reads a tenant's whole ledger and compares it with its links. In memory: one link's ids.
 * @param signal an abort rejects with its reason
 */
export async function verifyLedger(db: Database, secrets: SecretBox, tenant: string, signal: AbortSignal): Promise<LedgerCheck> {
  let course: LedgerCourse | null = null;
  do course = await verifyPart({ db, secrets }, tenant, course, signal);
  while (!course.done);
  return course.check;
}

/**
 * One part of a verification, in one snapshot of the database. Links are only appended, so parts of different
 * snapshots fit together; rows deleted by retention in between are left out.
 */
export async function verifyPart(
  { db, secrets }: { db: Database; secrets: SecretBox },
  tenant: string,
  course: LedgerCourse | null,
  signal: AbortSignal,
  rows = perPart,
): Promise<LedgerCourse> {
  if (course === null) await sealLedger(db, secrets, tenant);
  return await atOneMoment(db, async (query) => {
    const sofar = course ?? nothingYet(await countRows(query, tenant));
    return await new Reading(query, secrets, tenant, sofar).read(rows, signal);
  });
}

/** From the links, which are far fewer. */
async function countRows(query: Query, tenant: string): Promise<number> {
  const [row] = await query<{ rows: number }>(
    `select coalesce(sum(events), 0)::float8 as rows from ledger_seals
     where tenant_id = $1 and seq > coalesce((select max(removed_to_seq) from ledger_retained where tenant_id = $1), 0)`,
    [tenant],
  );
  return row!.rows;
}

class Reading {
  private readonly query: Query;
  private readonly secrets: SecretBox;
  private readonly tenant: string;
  private readonly course: LedgerCourse;
  private readonly check: LedgerCheck;
  private before: Link | undefined;
  /** Rows since the previous link. */
  private rows: Covered[] = [];
  /** Whether a row with an HMAC was read. A later row without one was not written by Signalbox, even if a link covers it. */
  private signed = false;

  constructor(query: Query, secrets: SecretBox, tenant: string, course: LedgerCourse) {
    this.query = query;
    this.secrets = secrets;
    this.tenant = tenant;
    this.course = course;
    this.check = { ...course.check, breaches: [...course.check.breaches] };
  }

  async read(wanted: number, signal: AbortSignal): Promise<LedgerCourse> {
    this.before = await this.begin();
    this.signed = await this.signedBefore();
    const links = this.links();
    const select = `select id, xid, mac, ${rowColumns} from ledger_events where tenant_id = $1 and (xid, id) > ($2::xid8, $3::bigint) order by xid, id`;
    const values = [this.tenant, this.before?.to_xid ?? '0', this.before?.to_id ?? '0'];
    const until = this.check.events + wanted;
    let link = await this.next(links);
    for await (const slice of sliced<Whole>(this.query, select, values, perSlice, signal)) {
      for (const row of slice) {
        while (link && endsBefore(link, row)) {
          this.close(link);
          if (this.check.events >= until) return this.stand(false);
          link = await this.next(links);
        }
        this.signed ||= row.mac !== null;
        examine(row, this.secrets, this.tell, !this.signed && link !== undefined);
        if (link) this.rows.push({ id: row.id, xid: row.xid, mac: row.mac });
        else this.check.unlinked += 1;
        this.check.events += 1;
      }
    }
    for (; link; link = await this.next(links)) this.close(link);
    return this.stand(true);
  }

  /** The link to start after. Retention leaves only the last deleted link, because the next one refers to it. */
  private async begin(): Promise<Link | undefined> {
    const { after } = this.course;
    const [retained] = await this.query<{ seq: string }>(
      'select max(removed_to_seq)::text as seq from ledger_retained where tenant_id = $1 having max(removed_to_seq) is not null',
      [this.tenant],
    );
    if (after && BigInt(after.seq) >= BigInt(retained?.seq ?? 0)) return { ...after, hash: Buffer.from(after.hash, 'hex'), events: 0 };
    if (!retained) return undefined;
    const [left] = await this.query<Link>(`select ${linkColumns} from ledger_seals where tenant_id = $1 and seq = $2`, [
      this.tenant,
      retained.seq,
    ]);
    if (!left) this.tell({ kind: 'broken_link', link: retained.seq, what: 'The link that retention left is gone.' });
    else if (await this.hasRowsBefore(left, 'true'))
      this.tell({ kind: 'inserted', link: left.seq, what: `Rows stand where retention left none: up to row ${left.to_id}.` });
    return left;
  }

  private async signedBefore(): Promise<boolean> {
    return this.before !== undefined && (await this.hasRowsBefore(this.before, 'mac is not null'));
  }

  private async hasRowsBefore({ to_xid, to_id }: Link, where: string): Promise<boolean> {
    const [row] = await this.query(
      `select 1 from ledger_events where tenant_id = $1 and (xid, id) <= ($2::xid8, $3::bigint) and ${where} order by xid desc, id desc limit 1`,
      [this.tenant, to_xid, to_id],
    );
    return row !== undefined;
  }

  private async *links(): AsyncGenerator<Link, undefined> {
    for (let after = this.before?.seq ?? '-1'; ;) {
      const page = await this.query<Link>(
        `select ${linkColumns} from ledger_seals where tenant_id = $1 and seq > $2 order by seq limit ${linksPerPage}`,
        [this.tenant, after],
      );
      yield* page;
      if (page.length < linksPerPage) return;
      after = page.at(-1)!.seq;
    }
  }

  private async next(links: AsyncGenerator<Link, undefined>): Promise<Link | undefined> {
    const { value: link } = await links.next();
    if (link && BigInt(link.seq) !== BigInt(this.before?.seq ?? 0) + 1n)
      this.tell({ kind: 'broken_link', link: link.seq, what: 'A link before it is gone.' });
    return link;
  }

  /** All rows of the link have been read. */
  private close(link: Link): void {
    const { before, rows } = this;
    if (!this.secrets.verifies(linkText(before?.hash ?? null, rows), link.hash)) {
      const difference = rows.length - link.events;
      const where = `between rows ${before?.to_id ?? 0} and ${link.to_id}`;
      if (difference < 0) this.tell({ kind: 'missing', link: link.seq, what: `${-difference} rows are gone ${where}.` });
      else if (difference > 0) this.tell({ kind: 'inserted', link: link.seq, what: `${difference} rows were put in ${where}.` });
      else this.tell({ kind: 'broken_link', link: link.seq, what: `What stands ${where} is not what was linked.` });
    }
    this.check.links += 1;
    this.before = link;
    this.rows = [];
  }

  private stand(done: boolean): LedgerCourse {
    const { before, check } = this;
    const hash = before?.hash.toString('hex') ?? '';
    check.head = before ? { link: before.seq, hash } : null;
    return {
      after: before ? { seq: before.seq, to_xid: before.to_xid, to_id: before.to_id, hash } : null,
      check,
      total: Math.max(this.course.total, check.events),
      done,
    };
  }

  private readonly tell = (breach: Breach): void => {
    this.check.intact = false;
    if (this.check.breaches.length < 100) this.check.breaches.push(breach);
  };
}
