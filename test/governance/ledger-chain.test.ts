/** A ledger chain of several weeks: verified with few queries, and every manipulation is found. */
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import type { Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { LedgerCheck, LedgerCourse } from '../../contracts/activities/governance/ledger.ts';
import { sealLedger } from '../../services/governance/ledger-chain.ts';
import { verifyLedger, verifyPart } from '../../services/governance/ledger-verify.ts';
import { committedVisible, onServer, withDatabase } from '../setup/databases.ts';
import { writeChain, writeEntries } from '../setup/ledger-chain.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

const links = 300;
let stack: TestStack;
let tenant: string;
beforeAll(async () => {
  stack = await testStack({ model: false, workers: false });
});
afterAll(() => stack?.stop());

const within = <T>(work: () => Promise<T>): Promise<T> => asTenant(tenant, work);
const owner = (sql: string): Promise<unknown> =>
  onServer(withDatabase(inject('servers').ownerUrl, new URL(stack.databaseUrl).pathname.slice(1)), sql);

let n = 0;
beforeEach(async () => {
  tenant = `chain-${(n += 1)}`;
  await writeChain(stack, tenant, links);
});

async function verified(): Promise<LedgerCheck & { queries: number }> {
  let queries = 0;
  const counted =
    (query: Database['query']): Database['query'] =>
    (text, values) => {
      queries += 1;
      return query(text, values);
    };
  const db: Database = {
    ...stack.db,
    query: counted(stack.db.query),
    transaction: (work) => stack.db.transaction((query) => work(counted(query))),
  };
  const check = await within(() => verifyLedger(db, stack.secrets, tenant, new AbortController().signal));
  return { ...check, queries };
}

it('is read in a handful of queries', async () => {
  const found = await verified();
  expect(found).toMatchObject({ intact: true, events: 2 * links, links, unlinked: 0, head: { link: String(links) }, breaches: [] });
  expect(found.queries).toBeLessThan(15);
});

it('tells every row and link that was touched, in their order', async () => {
  const at = (link: number, which: 1 | 2): string =>
    `id = (select id from ledger_events where tenant_id = '${tenant}' order by xid, id offset ${2 * (link - 1) + which - 1} limit 1)`;
  // From the end to the beginning, so that the places stay what they are.
  await owner(`delete from ledger_events where ${at(250, 1)} or ${at(250, 2)}`);
  await owner(`delete from ledger_events where ${at(200, 2)}`);
  await owner(`update ledger_events set mac = null where ${at(150, 1)}`);
  await owner(`update ledger_events set principal = 'nobody' where ${at(100, 1)}`);
  await owner(`delete from ledger_seals where tenant_id = '${tenant}' and seq = 50`);
  const found = await verified();
  expect(found.intact).toBe(false);
  expect(found.breaches.map(({ kind, link }) => [kind, link])).toEqual([
    ['broken_link', '51'],
    ['inserted', '51'],
    ['edited', undefined],
    ['unsigned', undefined],
    ['broken_link', '150'],
    ['missing', '200'],
    ['missing', '250'],
  ]);
  expect(found).toMatchObject({ links: links - 1, events: 2 * links - 3 });
});

it('tells of rows that somebody wrote past Signalbox after the last link', async () => {
  await owner(
    `insert into ledger_events (tenant_id, tool_call_id, type, tool, called_as, tool_version, effect, front, key_id, principal, principal_kind, persona, input_hash, at)
     select tenant_id, tool_call_id, type, tool, called_as, tool_version, effect, front, key_id, 'nobody', principal_kind, persona, input_hash, now()
     from ledger_events where tenant_id = '${tenant}' limit 1`,
  );
  await committedVisible(stack.db);
  const found = await verified();
  expect(found).toMatchObject({ intact: false, links: links + 1, events: 2 * links + 1 });
  expect(found.breaches.map(({ kind }) => kind)).toEqual(['unsigned']);
  // Linked with what came after it, it is told of still.
  await write(2);
  await committedVisible(stack.db);
  await seal();
  expect((await verified()).breaches.map(({ kind }) => kind)).toEqual(['unsigned']);
});

const seal = (): Promise<number> => within(() => sealLedger(stack.db, stack.secrets, tenant));
const write = (count: number): Promise<unknown> => writeEntries(stack, tenant, count);

it('is gone on with as it was begun, each link on the one before', async () => {
  for (let more = 1; more <= 3; more += 1) {
    await write(3);
    await committedVisible(stack.db);
    expect(await seal()).toBe(3);
    expect(await verified()).toMatchObject({ intact: true, links: links + more, events: 2 * links + 3 * more, unlinked: 0 });
  }
  // Changing a link requires changing all later links.
  await owner(`update ledger_seals set hash = 'x' where tenant_id = '${tenant}' and seq = ${links + 1}`);
  expect((await verified()).breaches.map(({ kind, link }) => [kind, link])).toEqual([
    ['broken_link', String(links + 1)],
    ['broken_link', String(links + 2)],
  ]);
});

it('leaves rows of an open transaction, and what came after them, to the next link', async () => {
  await within(() =>
    stack.db.transaction(async (query) => {
      await writeEntries(stack, tenant, 1, query);
      await write(2);
      expect(await seal()).toBe(0);
      expect(await verified()).toMatchObject({ intact: true, links, unlinked: 2 });
    }),
  );
  await committedVisible(stack.db);
  expect(await verified()).toMatchObject({ intact: true, links: links + 1, unlinked: 0, breaches: [] });
});

it('is read in parts to the same end', async () => {
  const part = (course: LedgerCourse | null): Promise<LedgerCourse> =>
    within(() => verifyPart(stack, tenant, course, new AbortController().signal, 100));
  await owner(`update ledger_events set principal = 'nobody' where id = (select max(id) from ledger_events where tenant_id = '${tenant}')`);
  let course = await part(null);
  const places: (string | undefined)[] = [];
  for (; !course.done; course = await part(course)) places.push(course.after?.seq);
  expect(places).toEqual(['50', '100', '150', '200', '250']);
  const { queries: _, ...whole } = await verified();
  expect(course.check).toEqual(whole);
  expect(whole.breaches.map(({ kind }) => kind)).toEqual(['edited']);
});

it('ends when its caller goes away', async () => {
  const signal = AbortSignal.abort(new Error('gone'));
  await expect(within(() => stack.services.governance.chain.verify(tenant, signal))).rejects.toThrow('gone');
});
