/** A tenant with thousands of names: they are put together some seconds after the last time, not with every document. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Clue } from '../../engines/evidence/types.ts';
import { currentDirectory, directoryOfTenant, isOutdated } from '../../services/graph/index.ts';
import { noteClues, refold, writeClues } from '../../services/graph/directory.ts';
import { writeSignals } from '../setup/signals.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

vi.setConfig({ testTimeout: 120_000 });

let stack: TestStack;
beforeAll(async () => {
  stack = await testStack({ model: false, workers: false });
});
afterAll(() => stack?.stop());

const documentsOf = async (tenant: string, count: number): Promise<string[]> => {
  await writeSignals(
    stack.db,
    tenant,
    Array.from({ length: count }, (_, i) => ({ statement: `Statement ${i}.`, class: 'bug' as const, at: '2026-03-01T12:00:00.000Z' })),
  );
  const rows = await asTenant(tenant, () =>
    stack.db.query<{ id: string }>('select id from documents where tenant_id = $1 order by id', [tenant]),
  );
  return rows.map(({ id }) => id);
};
const customer = (subject: string): Clue => ({ kind: 'customer', subject, object: null, day: null, weight: 0.95 });
/** Names that no other resembles. */
const name = (i: number): string =>
  `${[0, 3, 6].map((at) => String.fromCharCode(97 + (Math.floor(i / 26 ** (at / 3)) % 26))).join('o')}${i}rt Ltd`;
const customers = async (tenant: string): Promise<string[]> =>
  (await directoryOfTenant(stack.db.query, tenant)).organisations.map((each) => each.name);

describe('a large directory', () => {
  it('is marked while it rests, and complete a little later', async () => {
    const [first, second, third] = await documentsOf('large', 3);
    await asTenant('large', async () => {
      expect(
        await noteClues(
          stack.db,
          'large',
          first!,
          Array.from({ length: 2_100 }, (_, i) => customer(name(i))),
        ),
      ).toBe(true);
      expect(await isOutdated(stack.db.query, 'large')).toBe(false);
      const before = await customers('large');

      expect(await noteClues(stack.db, 'large', second!, [customer('Quillon Harbour')])).toBe(true);
      expect(await noteClues(stack.db, 'large', third!, [customer('Vexford Mills')])).toBe(true);
      expect(await isOutdated(stack.db.query, 'large')).toBe(true);
      expect(await customers('large')).toEqual(before);
      // The same clues again change nothing, and nothing is lost.
      expect(await noteClues(stack.db, 'large', third!, [customer('Vexford Mills')])).toBe(false);

      await expect
        .poll(async () => (await currentDirectory(stack.db, 'large')).organisations.map((each) => each.name), { timeout: 100_000 })
        .toEqual(expect.arrayContaining(['Quillon Harbour', 'Vexford Mills']));
      expect(await isOutdated(stack.db.query, 'large')).toBe(false);
    });
  });

  it('whose first time was rolled back is put together by the next document', async () => {
    const [document] = await documentsOf('undone', 1);
    const clues = Array.from({ length: 2_100 }, (_, i) => customer(name(i)));
    await asTenant('undone', async () => {
      const undone = stack.db.transaction(async (query) => {
        await writeClues(query, 'undone', document!, clues);
        await refold(query, 'undone');
        throw new Error('the connection is lost');
      });
      await expect(undone).rejects.toThrow('the connection is lost');
      expect(await noteClues(stack.db, 'undone', document!, clues)).toBe(true);
      expect(await customers('undone')).toHaveLength(2_100);
    });
  });

  it('of a small tenant is complete at once', async () => {
    const [first, second] = await documentsOf('small', 2);
    await asTenant('small', async () => {
      for (const [document, subject] of [
        [first, 'Alder Works'],
        [second, 'Birch Foundry'],
      ] as const) {
        expect(await noteClues(stack.db, 'small', document!, [customer(subject)])).toBe(true);
        expect(await customers('small')).toContain(subject);
      }
    });
  });
});
