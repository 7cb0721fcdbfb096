/** Documents that are read again because names in them are known better, whatever happens to the worker. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { graphTogether } from '../../services/graph/again.ts';
import { replayCourses } from '../setup/replay.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';
import { readingsOf, takeIn, upToDate } from '../setup/evidence.ts';

vi.setConfig({ testTimeout: 120_000 });

let stack: TestStack;
beforeAll(async () => {
  stack = await testStack({ model: false });
});
afterAll(() => stack?.stop());

let tenants = 0;
const alone = (): Promise<Caller> => stack.caller({ tenant: `again${(tenants += 1)}`, name: 'pm', role: 'admin', kind: 'human' });

/** Names nobody: the customer is in the text alone. */
const answer = 'Brandvoll Ferries cannot print the boarding list, and we need it every morning.';
const unrelated = 'The calendar shows the wrong week after midnight, and we lose bookings.';
const call = `Call with Brandvoll Ferries, 4 May 2026

Ida Moe (Brandvoll Ferries): The crew list is empty after every update.
Jon Lake (Tidewright): Thank you, we look into it.
Ida Moe (Brandvoll Ferries): We need it before the season starts.
`;

const customers = async (me: Caller, documentId: string): Promise<string[]> =>
  Object.keys((await stack.ok<{ customers: Record<string, number> }>(me, 'signal.reading.get', { id: documentId })).customers);

async function both(me: Caller): Promise<{ affected: string; other: string }> {
  const affected = await takeIn(stack, me, 'answer', answer);
  const other = await takeIn(stack, me, 'unrelated', unrelated);
  await upToDate(stack, me.tenant);
  return { affected: affected.document_id, other: other.document_id };
}

describe('rereading', () => {
  it('reads again what the directory says something else about, and nothing else', async () => {
    const me = await alone();
    const { affected, other } = await both(me);
    expect(await customers(me, affected)).toEqual([]);
    const before = await readingsOf(stack, me.tenant);

    const { source_id } = await takeIn(stack, me, 'call', call);
    await eventually('the answer has its customer', async () => (await customers(me, affected)).includes('Brandvoll Ferries'));
    await upToDate(stack, me.tenant);
    const after = await readingsOf(stack, me.tenant);
    expect(after.get(affected)!.read_at.getTime()).toBeGreaterThan(before.get(affected)!.read_at.getTime());
    expect(after.get(other)!.read_at).toEqual(before.get(other)!.read_at);
    // It was compared with the same directory.
    expect(after.get(other)!.directory).toBe(after.get(affected)!.directory);
    expect(after.get(other)!.directory).not.toBe(before.get(other)!.directory);

    // The call takes along what it told.
    await stack.ok(me, 'knowledge.source.delete', { source_id });
    await eventually('nothing is left of its clues', async () => {
      const left = await asTenant(me.tenant, () =>
        stack.db.query(`select 1 from evidence_clues where tenant_id = $1 and subject_key like '%ida moe%'`, [me.tenant]),
      );
      return left.length === 0;
    });
    await eventually('the answer has lost its customer', async () => (await customers(me, affected)).length === 0);
    await upToDate(stack, me.tenant);
    expect((await readingsOf(stack, me.tenant)).get(other)!.read_at).toEqual(before.get(other)!.read_at);
  });

  it('shows the counts of its entities at no time without it', async () => {
    const me = await alone();
    const { document_id: id } = await takeIn(stack, me, 'call', call);
    await upToDate(stack, me.tenant);
    const counts = () =>
      asTenant(me.tenant, () =>
        stack.db.query('select name, signal_count, mention_count from entities where tenant_id = $1 order by id', [me.tenant]),
      );
    const before = await counts();
    expect(before).toContainEqual(expect.objectContaining({ name: 'Brandvoll Ferries', signal_count: 1 }));
    const committed: unknown[] = [];
    const real = stack.db.transaction.bind(stack.db);
    const spy = vi.spyOn(stack.db, 'transaction').mockImplementation(async (work) => {
      const result = await real(work);
      committed.push(await counts());
      return result;
    });
    const options = { beat: () => {}, signal: new AbortController().signal, again: true };
    await asTenant(me.tenant, () => graphTogether({ db: stack.db, matching: stack.matching }, me.tenant, [id], options));
    spy.mockRestore();
    expect(committed.length).toBeGreaterThan(1);
    for (const each of committed) expect(each).toEqual(before);
  });

  it('is one process for all who wake it', async () => {
    const me = await alone();
    const { affected } = await both(me);
    await stack.stopWorkers();
    await asTenant(me.tenant, () =>
      stack.db.query(`update document_readings set directory = '-', names = '-' where tenant_id = $1 and document_id = $2`, [
        me.tenant,
        affected,
      ]),
    );
    await Promise.all([1, 2, 3].map(() => asTenant(me.tenant, () => stack.services.rereading.wakeSoon(me.tenant))));
    await stack.startWorkers();
    const done = (await stack.temporal.handle(workflowIds.rereading(me.tenant)).result()) as unknown;
    expect(done).toEqual({ compared: 1, read: 1 });
    expect(await asTenant(me.tenant, () => stack.services.rereading.waiting(me.tenant))).toBe(0);
  });

  it('goes on after its worker was stopped in the middle, and by the sweep when its process is lost', async () => {
    const me = await alone();
    const { affected, other } = await both(me);
    const handle = stack.temporal.handle(workflowIds.rereading(me.tenant));
    await asTenant(me.tenant, () =>
      stack.db.query(`update document_readings set directory = '-', names = '-' where tenant_id = $1`, [me.tenant]),
    );
    let release!: () => void;
    const held = new Promise<void>((done) => (release = done));
    const holding = asTenant(me.tenant, () =>
      stack.db.transaction(async (query) => {
        await query('select 1 from documents where tenant_id = $1 and id = any($2) for update', [me.tenant, [affected, other]]);
        await held;
      }),
    );
    await asTenant(me.tenant, () => stack.services.rereading.wakeSoon(me.tenant));
    await eventually('a document is being read', async () => ((await handle.describe()).raw.pendingActivities ?? []).length > 0);
    const stopping = stack.stopWorkers();
    await handle.terminate('lost');
    release();
    await Promise.all([holding, stopping]);

    // As the sweep does.
    await asTenant(me.tenant, () => stack.services.rereading.tend(me.tenant));
    await stack.startWorkers();
    await upToDate(stack, me.tenant);
    const read = await readingsOf(stack, me.tenant);
    expect([...read.values()].every(({ names }) => names !== '-')).toBe(true);
    const signals = await asTenant(me.tenant, () =>
      stack.db.query<{ n: number }>('select count(*)::int as n from signals where tenant_id = $1', [me.tenant]),
    );
    expect(signals).toEqual([{ n: 2 }]);
  });

  it('extracts again what was extracted with another directory than it was read with', async () => {
    const me = await alone();
    const { document_id } = await takeIn(stack, me, 'answer', answer);
    await upToDate(stack, me.tenant);
    // As if the directory had changed between the two.
    await asTenant(me.tenant, () =>
      stack.db.query(`update documents set extracted_directory = 'former', extracted_names = 'former' where tenant_id = $1 and id = $2`, [
        me.tenant,
        document_id,
      ]),
    );
    const reading = { beat: () => {}, signal: new AbortController().signal, again: true };
    await asTenant(me.tenant, () => stack.services.signals.read(me.tenant, [document_id], reading));
    await upToDate(stack, me.tenant);
    const [row] = await asTenant(me.tenant, () =>
      stack.db.query<{ same: boolean }>(
        `select d.extracted_directory = r.directory and d.extracted_names = r.names as same from documents d
         join document_readings r on r.tenant_id = $1 and r.document_id = d.id where d.tenant_id = $1 and d.id = $2`,
        [me.tenant, document_id],
      ),
    );
    expect(row).toEqual({ same: true });
  });
});

describe('features', () => {
  const overview = `# What Tidewright does

Tidewright is software for ferry lines.

- **Berth Board** shows which ship lies where.
- **Crew Roster** puts people and ships together.
- **Fare Desk** sells tickets at the quay.
`;
  const feedback = 'The export button is hidden on our phones, and the dark mode feature hurts our eyes. The crew roster forgets us again.';
  const features = async (me: Caller): Promise<string[]> =>
    (await stack.ok<{ entities: { name: string }[] }>(me, 'entity.record.list', { entity_type: 'feature' })).entities
      .map(({ name }) => name)
      .sort();

  it('are phrases as long as the directory knows none, and then only what it knows, in any order', async () => {
    const first = await alone();
    await takeIn(stack, first, 'feedback', feedback, { customer: 'Brandvoll Ferries' });
    await upToDate(stack, first.tenant);
    const phrases = await features(first);
    expect(phrases).toEqual(expect.arrayContaining(['dark mode', 'export button']));
    const signals = await stack.ok<{ signals: unknown[] }>(first, 'signal.record.search', { feature: 'dark mode' });
    expect(signals.signals.length).toBeGreaterThan(0);

    const { source_id } = await takeIn(stack, first, 'What Tidewright does', overview);
    await eventually('the phrases are gone', async () => !(await features(first)).includes('export button'));
    await upToDate(stack, first.tenant);
    const known = ['Berth Board', 'Crew Roster', 'Fare Desk'];
    await eventually('no phrase is left', async () => (await features(first)).length === known.length);
    expect(await features(first)).toEqual(known);

    const second = await alone();
    await takeIn(stack, second, 'What Tidewright does', overview);
    await takeIn(stack, second, 'feedback', feedback, { customer: 'Brandvoll Ferries' });
    await upToDate(stack, second.tenant);
    expect(await features(second)).toEqual(known);

    // Without the overview, phrases are features again.
    await stack.ok(first, 'knowledge.source.delete', { source_id });
    await eventually('the overview is gone', async () => {
      const left = await asTenant(first.tenant, () =>
        stack.db.query('select 1 from evidence_clues where tenant_id = $1 and subject = $2', [first.tenant, 'Berth Board']),
      );
      return left.length === 0;
    });
    await eventually('the phrases are back', async () => (await features(first)).includes('export button'));
    await upToDate(stack, first.tenant);
    expect(await features(first)).toEqual(expect.arrayContaining(phrases));
  });
});

describe('histories replay', () => {
  it('of what they did here', async () => {
    expect(await replayCourses(stack.temporal.client, 'rereading')).toBeGreaterThan(0);
  });
});
