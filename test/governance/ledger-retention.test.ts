/** Retention of the ledger: it removes whole links in batches, and the rest can be verified after each. */
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import type { Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { LedgerCheck, LedgerCourse } from '../../contracts/activities/governance/ledger.ts';
import { checkLedgerFile } from '../../services/governance/exports/ledger-check.ts';
import { ledgerFile, ledgerPart, type LedgerPart } from '../../services/governance/exports/ledger.ts';
import { atOneMoment } from '../../services/governance/exports/snapshot.ts';
import { LedgerChain } from '../../services/governance/ledger-keeping.ts';
import { verifyPart } from '../../services/governance/ledger-verify.ts';
import type { RetainOptions } from '../../services/kernel/retention.ts';
import { onServer, withDatabase } from '../setup/databases.ts';
import { writeChain } from '../setup/ledger-chain.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

/** Of 100 links with two rows each, 60 are past their retention. */
const links = 100;
const old = 60;
const signal = new AbortController().signal;

let stack: TestStack;
let tenant: string;
beforeAll(async () => {
  stack = await testStack({ model: false, workers: false });
});
afterAll(() => stack?.stop());

let n = 0;
beforeEach(async () => {
  tenant = `kept-${(n += 1)}`;
  await writeChain(stack, tenant, links);
  await age(old, 401);
});

const within = <T>(work: () => Promise<T>): Promise<T> => asTenant(tenant, work);
const owner = (sql: string): Promise<unknown> =>
  onServer(withDatabase(inject('servers').ownerUrl, new URL(stack.databaseUrl).pathname.slice(1)), sql);
const age = (upTo: number, days: number): Promise<unknown> =>
  owner(`update ledger_seals set created_at = now() - interval '${days} days' where tenant_id = '${tenant}' and seq <= ${upTo}`);

interface Given extends RetainOptions {
  days?: number;
  db?: Database;
}
const retain = ({ days = 400, db = stack.db, ...options }: Given = {}): Promise<number> => {
  const { kernel } = stack.services;
  return within(() => new LedgerChain({ ...kernel, db, keep: { ...kernel.keep, ledgerDays: days } }).retain(options));
};
/** Up to which link each batch removed, and how many rows. */
const batches = (): Promise<[number, number][]> =>
  within(async () => {
    const rows = await stack.db.query<{ seq: number; events: number }>(
      'select removed_to_seq::int as seq, removed_events::int as events from ledger_retained where tenant_id = $1 order by removed_to_seq',
      [tenant],
    );
    return rows.map(({ seq, events }) => [seq, events]);
  });
const verified = (): Promise<LedgerCheck> => within(() => stack.services.governance.chain.verify(tenant));
const without = (removed: number) => ({
  intact: true,
  events: 2 * (links - removed),
  links: links - removed,
  unlinked: 0,
  head: { link: String(links) },
  breaches: [],
});

describe('retention of the ledger', () => {
  it('removes as many whole links at a time as have the rows of a batch, and no younger ones', async () => {
    expect(await retain({ batch: 51 })).toBe(2 * old);
    const taken = [
      [25, 50],
      [50, 50],
      [60, 20],
    ];
    expect(await batches()).toEqual(taken);
    expect(await verified()).toMatchObject(without(old));
    expect(await retain()).toBe(0);
    expect(await batches()).toEqual(taken);
    await age(links - 1, 401);
    // A link with more rows than a batch goes by itself.
    expect(await retain({ batch: 1 })).toBe(2 * (links - 1 - old));
    expect((await batches()).slice(3)).toEqual(Array.from({ length: links - 1 - old }, (_, i) => [old + 1 + i, 2]));
    expect(await verified()).toMatchObject(without(links - 1));
  });

  it('goes by the setting, and 0 keeps all', async () => {
    await age(10, 4_000);
    expect(await retain({ days: 0 })).toBe(0);
    expect(await retain({ days: 3_650 })).toBe(20);
    expect(await retain({ days: 402 })).toBe(0);
    expect(await retain()).toBe(2 * (old - 10));
    expect(await verified()).toMatchObject(without(old));
    for (const days of [10, 29, -1]) await expect(retain({ days })).rejects.toThrow('for 30 days at least');
  });

  it('stays whole when it is stopped between two batches, and goes on', async () => {
    const stop = new AbortController();
    let calls = 0;
    const query: Database['query'] = async (text, values) => {
      const rows = await stack.db.query(text, values);
      if ((calls += 1) === 2) stop.abort(new Error('the worker ends'));
      return rows as never;
    };
    await expect(retain({ batch: 20, signal: stop.signal, db: { ...stack.db, query } })).rejects.toThrow('the worker ends');
    expect(await batches()).toEqual([
      [10, 20],
      [20, 20],
    ]);
    expect(await verified()).toMatchObject(without(20));
    expect(await retain({ forMs: -1 })).toBe(0);
    expect(await retain()).toBe(2 * (old - 20));
    expect(await verified()).toMatchObject(without(old));
  });

  it('removes nothing of a batch in which it is killed', async () => {
    const killed = within(() =>
      stack.db.transaction(async (query) => {
        expect(await query('select retain_ledger_batch(400, 20) as removed')).toEqual([{ removed: '20' }]);
        throw new Error('killed');
      }),
    );
    await expect(killed).rejects.toThrow('killed');
    expect(await batches()).toEqual([]);
    expect(await verified()).toMatchObject(without(0));
  });

  it('removes each row once when two sweeps do it at the same time', async () => {
    const removed = await Promise.all([retain({ batch: 6 }), retain({ batch: 6 }), retain({ batch: 10 })]);
    expect(removed.reduce((sum, one) => sum + one, 0)).toBe(2 * old);
    expect((await batches()).reduce((sum, [, events]) => sum + events, 0)).toBe(2 * old);
    expect(await verified()).toMatchObject(without(old));
  });

  it('leaves a tenant to the sweep that is at it, without waiting', async () => {
    await within(() =>
      stack.db.transaction(async (query) => {
        await query('select retain_ledger_batch(400, 20)');
        expect(await retain()).toBe(0);
        expect(await verified()).toMatchObject(without(0));
      }),
    );
    expect(await verified()).toMatchObject(without(10));
    expect(await retain()).toBe(2 * (old - 10));
  });

  it('is gone on with by a worker of the release before, and the other way round', async () => {
    const former = (): Promise<unknown> => within(() => stack.db.query('select retain_ledger(400) as removed'));
    await within(() => stack.db.query('select retain_ledger_batch(400, 40)'));
    expect(await former()).toEqual([{ removed: String(2 * old - 40) }]);
    expect(await verified()).toMatchObject(without(old));
    await age(old + 10, 401);
    expect(await retain()).toBe(20);
    expect(await former()).toEqual([{ removed: '0' }]);
    expect(await verified()).toMatchObject(without(old + 10));
    expect(await batches()).toEqual([
      [20, 40],
      [old, 2 * old - 40],
      [old + 10, 20],
    ]);
  });
});

describe('what is under way meanwhile', () => {
  it('a verification goes on after the links that are gone', async () => {
    await owner(
      `update ledger_events set principal = 'nobody' where id = (select max(id) from ledger_events where tenant_id = '${tenant}')`,
    );
    const part = (course: LedgerCourse | null): Promise<LedgerCourse> => within(() => verifyPart(stack, tenant, course, signal, 20));
    let course = await part(null);
    // Links 1 to 10 are read; then 8 links are removed, 24 more, and the rest.
    for (const gone of [8, 24, old]) {
      await within(() => stack.db.query('select retain_ledger_batch(400, $1)', [2 * gone]));
      if (gone !== old) course = await part(course);
    }
    expect(course.after?.seq).toBe('42');
    while (!course.done) course = await part(course);
    // Read were links 1 to 20, 33 to 42, and those that retention left.
    expect(course.check).toMatchObject({ links: 30 + links - old, events: 60 + 2 * (links - old), breaches: [{ kind: 'edited' }] });
  });

  it('an export has all rows of its moment; the next one hangs on the link that was left', async () => {
    const file = (query: Database['query'], part: LedgerPart) =>
      checkLedgerFile(ledgerFile(query, stack.secrets, { type: 'ledger' }, part, { count: () => {}, signal }), stack.secrets);
    const exported = (meanwhile: () => Promise<unknown>) =>
      within(() =>
        atOneMoment(stack.db, async (query) => {
          const part = await ledgerPart(query, tenant, {});
          await meanwhile();
          return { after: part.after?.seq, ...(await file(query, part)) };
        }),
      );
    expect(await exported(() => retain({ batch: 20 }))).toMatchObject({ ...without(0), after: undefined, whole: true });
    expect(await exported(async () => {})).toMatchObject({ ...without(old), after: String(old), whole: true });
  });
});

describe('the link that retention left', () => {
  beforeEach(() => retain());

  it('must stand', async () => {
    await owner(`delete from ledger_seals where tenant_id = '${tenant}' and seq = ${old}`);
    expect((await verified()).breaches[0]).toMatchObject({ kind: 'broken_link', link: String(old) });
  });

  it('has no rows before it', async () => {
    await owner(`update ledger_events set xid = '1' where id = (select min(id) from ledger_events where tenant_id = '${tenant}')`);
    expect((await verified()).breaches.map(({ kind, link }) => [kind, link])).toEqual([
      ['inserted', String(old)],
      ['missing', String(old + 1)],
    ]);
  });
});
