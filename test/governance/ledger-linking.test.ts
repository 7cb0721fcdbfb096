/** Linking of the ledgers: by one worker at a time, and only of tenants with new rows. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { LedgerChain } from '../../services/governance/ledger-keeping.ts';
import { LedgerLinking } from '../../services/governance/ledger-linking.ts';
import { Duties } from '../../services/kernel/duties.ts';
import { committedVisible } from '../setup/databases.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
beforeAll(async () => void (stack = await testStack({ model: false, workers: false })));
afterAll(() => stack?.stop());

/** A worker as far as linking goes, which tells the tenants whose ledgers it opened a transaction for. */
function worker(name: string): { linking: LedgerLinking; duties: Duties; linked: string[] } {
  const { kernel } = stack.services;
  const linked: string[] = [];
  const duties = new Duties(stack.db, name);
  const db = {
    ...stack.db,
    transaction: (work: Parameters<TestStack['db']['transaction']>[0]) =>
      stack.db.transaction(async (query) => {
        linked.push((await query<{ tenant: string }>(`select current_setting('app.tenant') as tenant`))[0]!.tenant);
        return await work(query);
      }),
  } as TestStack['db'];
  const chain = new LedgerChain({ ...kernel, db });
  return { linking: new LedgerLinking({ ...kernel, duties, chain }), duties, linked };
}

/** Leaves a committed entry in each tenant's ledger. */
async function act(...tenants: string[]): Promise<void> {
  for (const tenant of tenants) {
    const caller = await stack.caller({ tenant });
    await stack.ok(caller, 'work.task.create', { description: 'Something', phase_id: 1 }).catch(() => {});
  }
  await stack.services.governance.ledger.close();
  await committedVisible(stack.db);
}

const unlinked = async (): Promise<string[]> =>
  (await stack.db.query<{ id: string }>('select tenants_to_link() as id')).map(({ id }) => id).sort();

it('links only the tenants with new rows', async () => {
  for (const tenant of ['idle-1', 'idle-2', 'idle-3']) await stack.caller({ tenant });
  await act('busy-1', 'busy-2');
  expect(await unlinked()).toEqual(['busy-1', 'busy-2']);
  const { linking, linked } = worker('one');
  expect(await linking.round()).toBe(2);
  expect(linked.sort()).toEqual(['busy-1', 'busy-2']);
  expect(await unlinked()).toEqual([]);
  await act('busy-2');
  expect(await linking.round()).toBe(1);
  expect(linked).toEqual(['busy-1', 'busy-2', 'busy-2']);
  for (const tenant of ['busy-1', 'busy-2'])
    expect(await asTenant(tenant, () => stack.services.governance.chain.verify(tenant))).toMatchObject({ intact: true });
  await linking.close();
});

it('lets one worker do it at a time, and another take over from one that ended or was killed', async () => {
  const [one, two] = [worker('first'), worker('second')];
  await act('busy-1');
  const rounds = await Promise.all([one.linking.round(), two.linking.round()]);
  expect(rounds.toSorted()).toEqual([1, null]);
  const [holder, other] = rounds[0] === null ? [two, one] : [one, two];
  await act('busy-1', 'busy-2');
  expect(await other.linking.round()).toBeNull();
  expect(await holder.linking.round()).toBe(2);
  expect(other.linked).toEqual([]);

  await act('busy-2');
  await holder.linking.close();
  expect(await other.linking.round()).toBe(1);

  // The other is killed: it keeps the duty until its time is over.
  const third = worker('third');
  await act('busy-1');
  expect(await third.linking.round()).toBeNull();
  await stack.db.query(`update duties set until = now() - interval '1 second' where name = 'ledger'`);
  expect(await third.linking.round()).toBe(1);
  // Back from a long pause, it finds that it no longer has the duty, and notes nothing over the other's report.
  await other.duties.done('ledger', { tenants: 99 });
  expect(await third.duties.last('ledger')).toMatchObject({ report: { tenants: 1 }, doneAt: expect.any(Date) as Date });
  await third.linking.close();
});

it('ends a round between two tenants when the worker stops or has lost the duty', async () => {
  await act('busy-1', 'busy-2');
  let asked = 0;
  expect(await stack.services.governance.chain.sealAll(() => (asked += 1) === 1)).toBe(2);
  expect(await unlinked()).toHaveLength(1);
  expect(await stack.services.governance.chain.sealAll()).toBe(1);
});

it('links no tenant more once another worker has taken the duty', async () => {
  await act('busy-1', 'busy-2', 'busy-3');
  const { linking, duties } = worker('slow');
  const take = vi.spyOn(duties, 'take').mockResolvedValueOnce(true).mockResolvedValue(false);
  const now = Date.now.bind(Date);
  let late = 0;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + late);
  const { chain } = linking['deps'];
  const sealAll = chain.sealAll.bind(chain);
  vi.spyOn(chain, 'sealAll').mockImplementation(async (goesOn) => {
    late = 60_000;
    return await sealAll(goesOn);
  });
  await linking.round();
  clock.mockRestore();
  expect(take).toHaveBeenCalledTimes(2);
  expect(await unlinked()).toHaveLength(3);
});
