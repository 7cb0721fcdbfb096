/** From documents to entities and back: extraction, resolution, people's decisions, merges and splits, deletion. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Caller } from '../../contracts/caller.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { auditGraph } from '../../services/graph/audit.ts';
import { learn } from '../../services/graph/learning.ts';
import { nameKey } from '../../engines/text/names.ts';
import { pairOf } from '../../services/kernel/reviews/reviews-records.ts';
import { mergeEntities, undoMerge } from '../../services/graph/merge.ts';
import { splitEntity } from '../../services/graph/split.ts';
import { undoSplit } from '../../services/graph/split-undo.ts';
import { replayCourses } from '../setup/replay.ts';
import { testStack, eventually, type TestStack } from '../setup/stack.ts';
import { upToDate } from '../setup/evidence.ts';

let stack: TestStack;
let anna: Caller & { apiKey: string };

beforeAll(async () => {
  stack = await testStack();
  anna = await stack.caller({ tenant: 'acme', role: 'pm', kind: 'human', name: 'anna' });
});
afterAll(() => stack?.stop());

async function ingest(caller: Caller, title: string, content: string, more: Record<string, unknown> = {}): Promise<{ source_id: string }> {
  const { job_id, source_id } = await stack.ok(caller, 'ingest_transcript', { title, content, ...more });
  await eventually(`"${title}" is taken in`, async () => {
    const { job } = await stack.ok(caller, 'system.job.get', { job_id, wait_seconds: 10 });
    if (['failed', 'cancelled'].includes(job.status)) throw new Error(`"${title}" ended as ${job.status}`);
    return job.status === 'completed';
  });
  return { source_id };
}

const entities = (tenant: string, where = 'true', values: unknown[] = []) =>
  asTenant(tenant, () =>
    stack.db.query<{
      id: string;
      type: string;
      name: string;
      signal_count: number;
      mention_count: number;
      status: string;
      merged_into: string | null;
    }>(
      `select id, type, name, signal_count, mention_count, status, merged_into from entities where tenant_id = $1 and ${where} order by name, id`,
      [tenant, ...values],
    ),
  );

/** Which names each entity has. */
const names = (tenant: string) =>
  asTenant(tenant, () =>
    stack.db.query(
      `select e.id, e.name, array_agg(a.key order by a.key) as keys from entities e join entity_aliases a on a.tenant_id = $1 and a.entity_id = e.id
       where e.tenant_id = $1 group by 1, 2 order by 2, 1`,
      [tenant],
    ),
  );

/** Compares all folded rows with a new fold from the mentions. */
async function expectFolded(tenant: string): Promise<void> {
  expect(await asTenant(tenant, () => auditGraph(stack.db.query, tenant))).toEqual({
    counts: [],
    relations: [],
    strays: [],
    names: [],
    facts: [],
  });
}

describe('ingestion', () => {
  it('finds who and what a transcript is about, and says so', async () => {
    await ingest(
      anna,
      'Review with Northwind',
      'Maria Keller: The Payments API keeps timing out, that is PAY-231.\nTom Reed: We will look at the Payments API before Friday.',
      { customer: 'Northwind Traders', participants: ['Maria Keller', 'Tom Reed'], date: '2026-03-04' },
    );
    const found = await entities('acme');
    expect(found).toContainEqual(expect.objectContaining({ type: 'customer', name: 'Northwind Traders', signal_count: 1 }));
    expect(found).toContainEqual(expect.objectContaining({ type: 'stakeholder', name: 'Maria Keller', signal_count: 1 }));
    expect(found.some(({ name }) => name === 'PAY-231')).toBe(true);
    await expectFolded('acme');
  });

  it('counts a second document on the same entities, and a repeated one not at all', async () => {
    await ingest(anna, 'Second call', 'Maria Keller: Still waiting for PAY-231.', { customer: 'Northwind Traders' });
    await ingest(anna, 'Second call', 'Maria Keller: Still waiting for PAY-231.', { customer: 'Northwind Traders' });
    expect(await entities('acme', `name = 'Northwind Traders'`)).toEqual([expect.objectContaining({ signal_count: 2 })]);
    await expectFolded('acme');
  });

  it('forgets what a replaced version said', async () => {
    await ingest(anna, 'Changing', 'Bob: Zanzibar Dashboard is slow, says Quentin Marsh.', { customer: 'Oldname Ltd' });
    expect(await entities('acme', `name = 'Oldname Ltd'`)).toHaveLength(1);
    await ingest(anna, 'Changing', 'Bob: All is well now.', { customer: 'Newname Ltd' });
    await eventually('the former customer is gone', async () => (await entities('acme', `name = 'Oldname Ltd'`)).length === 0);
    expect(await entities('acme', `name = 'Newname Ltd'`)).toHaveLength(1);
    await expectFolded('acme');
  });

  it('deletes with a source what only it spoke of', async () => {
    const { source_id } = await ingest(anna, 'To be deleted', 'Eve: Hello.', { customer: 'Ephemeral Systems' });
    expect(await entities('acme', `name = 'Ephemeral Systems'`)).toHaveLength(1);
    await stack.ok(anna, 'knowledge.source.delete', { source_id });
    await eventually('its customer is gone', async () => (await entities('acme', `name = 'Ephemeral Systems'`)).length === 0);
    const rows = await asTenant('acme', () =>
      stack.db.query(
        `select 1 from entity_aliases where tenant_id = 'acme' and key = $1 union all select 1 from entity_mentions where tenant_id = 'acme' and key = $1`,
        [nameKey('Ephemeral Systems')],
      ),
    );
    expect(rows).toEqual([]);
    await expectFolded('acme');
  });

  it('keeps what a person said of it when the documents go', async () => {
    const mia = await stack.caller({ tenant: 'said', role: 'pm', kind: 'human' });
    const { source_id } = await ingest(mia, 'One', 'A: hello.', { customer: 'Tailwind Toys' });
    await ingest(mia, 'Two', 'B: hello.', { customer: 'Tailwind Toys' });
    const linked = await ingest(mia, 'Three', 'C: hello.', { customer: 'Wingtip Toys' });
    await upToDate(stack, mia.tenant);
    const rows = (sql: string, ...values: unknown[]): Promise<Record<string, unknown>[]> =>
      asTenant(mia.tenant, () => stack.db.query(sql, [mia.tenant, ...values]));
    await rows(
      `insert into entity_aliases (tenant_id, type, key, alias, entity_id, origin, created_by)
       select $1, 'customer', $2, 'TT', id, 'person', 'mia' from entities where tenant_id = $1 and name = 'Tailwind Toys'`,
      nameKey('TT'),
    );
    await rows(
      `insert into entity_links (tenant_id, entity_id, external_system, external_id, created_by)
       select $1, id, 'crm', '8', 'mia' from entities where tenant_id = $1 and name = 'Wingtip Toys'`,
    );
    const mentions = async (name: string) => (await entities(mia.tenant, 'name = $2', [name]))[0]?.mention_count;
    const [before] = [await mentions('Tailwind Toys')];
    await stack.ok(mia, 'knowledge.source.delete', { source_id });
    await stack.ok(mia, 'knowledge.source.delete', { source_id: linked.source_id });
    await eventually(
      'both are forgotten',
      async () => (await mentions('Tailwind Toys'))! < before! && (await mentions('Wingtip Toys')) === 0,
    );
    expect(await rows('select alias from entity_aliases where tenant_id = $1 order by alias')).toEqual([
      { alias: 'TT' },
      { alias: 'Tailwind Toys' },
      { alias: 'Wingtip Toys' },
    ]);
  });

  it('comes to the same when the pipeline does it all again', async () => {
    const before = await entities('acme');
    const run = await stack.ok(anna, 'run_pipeline', { scope: 'all', skip_ingestion: true });
    await eventually(
      'it is done',
      async () => (await stack.ok(anna, 'system.job.get', { job_id: run['job_id'], wait_seconds: 20 })).job.status === 'completed',
      60_000,
    );
    expect(await entities('acme')).toEqual(before);
    await expectFolded('acme');
  });

  it('takes the contents of a run in, each once', async () => {
    const pack = await stack.caller({ tenant: 'pack' });
    const items = Array.from({ length: 60 }, (_, i) => ({
      identity: `note ${i}`,
      title: `Note ${i}`,
      text: `Note ${i}. Quintana Harbour uses Pelican Desk.`,
      filename: 'note.txt',
    }));
    const submit = () => stack.services.knowledge.runs.submitItems(pack, { title: 'Notes', kbId: 'notes', items }, { waitMs: 60_000 });
    const { job } = await asTenant('pack', submit);
    expect(job).toMatchObject({ status: 'completed', result: { counts: { done: 60 } } });
    expect(await entities('pack', `name = 'Quintana Harbour'`)).toEqual([expect.objectContaining({ signal_count: 60 })]);
    await expectFolded('pack');
    await asTenant('pack', submit);
    expect(await entities('pack', `name = 'Quintana Harbour'`)).toEqual([expect.objectContaining({ signal_count: 60 })]);
  }, 120_000);

  it('keeps tenants apart', async () => {
    const other = await stack.caller({ tenant: 'globex' });
    await ingest(other, 'Theirs', 'Maria Keller: Hello.', { customer: 'Northwind Traders' });
    expect(await entities('globex', `name = 'Northwind Traders'`)).toEqual([expect.objectContaining({ signal_count: 1 })]);
    expect(await entities('acme', `name = 'Northwind Traders'`)).toEqual([expect.objectContaining({ signal_count: 2 })]);
  });

  it('resolves many documents at once without making anybody twice', async () => {
    const crowd = await stack.caller({ tenant: 'crowd' });
    await Promise.all(
      Array.from({ length: 12 }, (_, i) => ingest(crowd, `Call ${i}`, `Ines Otto: Call number ${i}.`, { customer: 'Simultan AG' })),
    );
    expect(await entities('crowd', `name = 'Simultan AG'`)).toEqual([expect.objectContaining({ signal_count: 12 })]);
    await expectFolded('crowd');
  });
});

describe('matching', () => {
  const who = (name: string) => stack.caller({ tenant: `match-${name}`, role: 'pm', kind: 'human', name: 'mia' });

  it('takes a name that is clearly the same for the same, and a doubtful one to a person', async () => {
    const mia = await who('a');
    await ingest(mia, 'One', 'A: hello.', { customer: 'Acme Corporation' });
    await ingest(mia, 'Two', 'B: hello.', { customer: 'ACME Inc.' });
    await upToDate(stack, mia.tenant);
    expect(await entities(mia.tenant, `type = 'customer'`)).toEqual([
      expect.objectContaining({ name: 'Acme Corporation', signal_count: 2 }),
    ]);
    const stats = await stack.ok(mia, 'get_entity_resolution_stats', {});
    // The directory knows both as names of one customer.
    expect(stats['counts']).toMatchObject({ automatic: 0, fresh: 0, reviewed: 0 });
    await expectFolded(mia.tenant);
  });

  it('asks about what may be the same; a yes merges, a repeated yes does nothing, a no conflicts', async () => {
    const mia = await who('b');
    await twoCustomers(mia, 'Fabrikam Logistics', 'Contoso Freight');
    const [a, b] = await entities(mia.tenant, `type = 'customer'`);
    const { feedback_id } = await stack.ok(mia, 'entity.proposal.submit', {
      kind: 'merge',
      entity_ids: [a!.id, b!.id],
      reason: 'Contoso bought Fabrikam',
      confidence: 0.7,
    });
    const { items } = await stack.ok(mia, 'review_pending_entities', { entity_type: 'customer' });
    expect(items).toMatchObject([{ feedback_id, action: 'merge', confidence: 0.7, evidence: ['Contoso bought Fabrikam'] }]);
    const confirmed = await stack.ok(mia, 'confirm_entity_merge', { feedback_id, notes: 'yes' });
    expect(confirmed).toMatchObject({ feedback_id, decision: 'confirmed', entity: { type: 'customer' } });
    expect(confirmed['aliases_added']).toHaveLength(1);
    const again = await stack.call(mia, 'entity.merge.confirm', { feedback_id });
    expect(again.envelope.warnings).toHaveLength(1);
    expect(again.data).toMatchObject({ feedback_id, decision: 'confirmed' });
    const no = await stack.call(mia, 'reject_entity_merge', { feedback_id });
    expect(no.error?.code).toBe('CONFLICT');
    await expectFolded(mia.tenant);
    // The loser's id and name lead to the survivor, and new text is counted there.
    await ingest(mia, 'Later', 'C: hello.', { customer: b!.name });
    await ingest(mia, 'Later still', 'C: hello.', { customer: a!.name });
    await upToDate(stack, mia.tenant);
    const [left, ...others] = await entities(mia.tenant, `type = 'customer' and status = 'active'`);
    expect(others).toEqual([]);
    expect(left).toMatchObject({ signal_count: 5 });
    await expectFolded(mia.tenant);
  });

  it('keeps apart what was rejected, also when it is said again', async () => {
    const mia = await who('c');
    await twoCustomers(mia, 'Tailspin Toys', 'Wingtip Games');
    const [a, b] = await entities(mia.tenant, `type = 'customer'`);
    const ask = { kind: 'merge', entity_ids: [a!.id, b!.id], reason: 'guess' };
    const { feedback_id } = await stack.ok(mia, 'entity.proposal.submit', ask);
    expect(await stack.ok(mia, 'reject_entity_merge', { feedback_id })).toMatchObject({ decision: 'rejected' });
    expect(await entities(mia.tenant, `type = 'customer' and status = 'active'`)).toHaveLength(2);
    expect((await stack.ok(mia, 'entity.review.list', {}))['items']).toEqual([]);
  });

  it('asks anew what is proposed again after it was decided, or does not hold any longer', async () => {
    const mia = await who('g');
    await twoCustomers(mia, 'Relecloud', 'Woodgrove Bank');
    await ingest(mia, 'Fourth', 'D: hello.', { customer: 'Margie Travel' });
    const [a, b, c] = (await entities(mia.tenant, `type = 'customer'`)).map((row) => row.id);
    const propose = async (ask: object): Promise<string> =>
      (await stack.ok<{ feedback_id: string }>(mia, 'entity.proposal.submit', { reason: 'x', ...ask })).feedback_id;
    for (const ask of [
      { kind: 'alias', entity_ids: [a], name: 'Rele' },
      { kind: 'split', entity_ids: [a], name: 'Relecloud Labs' },
    ]) {
      const first = await propose(ask);
      expect(await propose(ask)).toBe(first);
      await stack.ok(mia, 'reject_entity_merge', { feedback_id: first });
      const second = await propose(ask);
      expect(second).not.toBe(first);
      await stack.ok(mia, 'reject_entity_merge', { feedback_id: second });
    }
    await propose({ kind: 'merge', entity_ids: [a, b] });
    await propose({ kind: 'merge', entity_ids: [b, c] });
    await stack.ok(mia, 'confirm_entity_merge', { feedback_id: await propose({ kind: 'merge', entity_ids: [a, c] }) });
    const withdrawn = await asTenant(mia.tenant, () =>
      stack.db.query<{ pair: string | null }>(`select pair from reviews where tenant_id = $1 and status = 'withdrawn'`, [mia.tenant]),
    );
    expect(withdrawn).toEqual([{ pair: null }]);
  });

  it('learns from some names after the other; when it cannot, the decision stands and so does what was learnt', async () => {
    const mia = await who('h');
    await twoCustomers(mia, 'Humongous Insurance', 'Nod Publishers');
    const blocks = (
      await asTenant(mia.tenant, () =>
        stack.db.query<{ block: string }>('select distinct block from entity_blocks where tenant_id = $1 order by block', [mia.tenant]),
      )
    ).map((row) => row.block);
    expect(blocks.length).toBeGreaterThan(2);
    const asked = vi.spyOn(stack.db, 'query');
    const seen: string[] = [];
    for (let look = 0; look < blocks.length; look += 2) await asTenant(mia.tenant, () => learn(stack.db, mia.tenant, 2));
    for (const [text, values] of asked.mock.calls) {
      // Reviews of the earlier tests may still learn.
      if (!text.includes('b(block)') || values![0] !== mia.tenant) continue;
      expect((values![1] as string[]).length).toBe(2);
      seen.push(...(values![1] as string[]));
    }
    // Round and round: each in its turn.
    expect(seen.slice(0, blocks.length)).toEqual(blocks);
    asked.mockRestore();

    const real = stack.db.query.bind(stack.db);
    vi.spyOn(stack.db, 'query').mockImplementation(async (text: string, values?: unknown[]) => {
      if (text.includes('select sampled_to')) throw new Error('It takes too long.');
      return await real(text, values);
    });
    const [a, b] = await entities(mia.tenant, `type = 'customer'`);
    const { feedback_id } = await stack.ok(mia, 'entity.proposal.submit', { kind: 'merge', entity_ids: [a!.id, b!.id], reason: 'x' });
    await stack.ok(mia, 'reject_entity_merge', { feedback_id });
    const process = stack.temporal.handle(workflowIds.review(mia.tenant, feedback_id));
    await eventually('its process has ended', async () => (await process.describe()).status.name !== 'RUNNING');
    expect(await process.result()).toMatchObject({ status: 'rejected' });
    vi.restoreAllMocks();
  });

  it('refuses what makes no sense, and loses nothing by it', async () => {
    const mia = await who('d');
    await ingest(mia, 'One', 'Ada Stone: hello.', { customer: 'Litware', participants: ['Ada Stone'] });
    const [customer] = await entities(mia.tenant, `type = 'customer'`);
    const [person] = await entities(mia.tenant, `type = 'stakeholder'`);
    const submit = async (entity_ids: string[], kind = 'merge', name?: string) =>
      (await stack.call(mia, 'entity.proposal.submit', { kind, entity_ids, reason: 'x', ...(name ? { name } : {}) })).error?.code;
    expect(await submit([customer!.id, person!.id])).toBe('CONFLICT');
    expect(await submit([customer!.id, customer!.id])).toBe('CONFLICT');
    expect(await submit([customer!.id, 'ent_unknown'])).toBe('NOT_FOUND');
    expect(await submit([customer!.id])).toBe('VALIDATION_ERROR');
    expect(await submit([customer!.id], 'alias', 'Litware')).toBe('CONFLICT');
    expect((await stack.call(mia, 'confirm_entity_merge', { feedback_id: 'fb_unknown' })).error?.code).toBe('NOT_FOUND');
    const stranger = await stack.caller({ tenant: 'strangers' });
    expect(
      (await stack.call(stranger, 'entity.proposal.submit', { kind: 'merge', entity_ids: [customer!.id, person!.id], reason: 'x' })).error
        ?.code,
    ).toBe('NOT_FOUND');
  });

  it('lets one of two decide who decide at once', async () => {
    const mia = await who('e');
    const nils = await stack.caller({ tenant: mia.tenant, role: 'pm', kind: 'human', name: 'nils' });
    await twoCustomers(mia, 'Proseware', 'Lucerne Publishing');
    const [a, b] = await entities(mia.tenant, `type = 'customer'`);
    const { feedback_id } = await stack.ok(mia, 'entity.proposal.submit', { kind: 'merge', entity_ids: [a!.id, b!.id], reason: 'x' });
    const answers = await Promise.all([
      stack.call(mia, 'entity.merge.confirm', { feedback_id }),
      stack.call(nils, 'entity.merge.reject', { feedback_id }),
    ]);
    const won = answers.filter((answer) => !answer.error);
    expect(won).toHaveLength(1);
    expect(answers.find((answer) => answer.error)?.error?.code).toBe('CONFLICT');
    const active = await entities(mia.tenant, `type = 'customer' and status = 'active'`);
    expect(active).toHaveLength((won[0]!.data as { decision: string }).decision === 'confirmed' ? 1 : 2);
    await expectFolded(mia.tenant);
  });

  it('goes on with a decision whose process was killed', async () => {
    const mia = await who('f');
    await twoCustomers(mia, 'Adatum', 'Trey Research');
    const [a, b] = await entities(mia.tenant, `type = 'customer'`);
    const { feedback_id } = await stack.ok(mia, 'entity.proposal.submit', { kind: 'merge', entity_ids: [a!.id, b!.id], reason: 'x' });
    await stack.stopWorkers();
    const deciding = stack.call(mia, 'entity.merge.confirm', { feedback_id });
    await stack.startWorkers();
    await deciding;
    await eventually('the merge is done', async () => {
      const answer = await stack.call(mia, 'entity.merge.confirm', { feedback_id });
      return !answer.error;
    });
    expect(await entities(mia.tenant, `type = 'customer' and status = 'active'`)).toHaveLength(1);
    await expectFolded(mia.tenant);
  });
});

describe('splitting', () => {
  it('gives every mention back to the name it was made under', async () => {
    const mia = await stack.caller({ tenant: 'split-a', role: 'pm', kind: 'human' });
    await twoCustomers(mia, 'Alpine Ski House', 'Bellows College');
    const before = await entities(mia.tenant);
    const named = await names(mia.tenant);
    const [a, b] = before.filter(({ type }) => type === 'customer');
    const { feedback_id } = await stack.ok(mia, 'entity.proposal.submit', { kind: 'merge', entity_ids: [a!.id, b!.id], reason: 'x' });
    await stack.ok(mia, 'confirm_entity_merge', { feedback_id });
    const [one] = await entities(mia.tenant, `type = 'customer' and status = 'active'`);
    const other = one!.id === a!.id ? b! : a!;
    const split = await stack.ok(mia, 'split_entity', { entity_name: one!.name, entity_type: 'customer', new_entity_name: other.name });
    expect(split).toMatchObject({
      status: 'completed',
      original: { entity_id: one!.id },
      created: { entity_id: other.id },
      signals_for_review: 0,
    });
    expect(await entities(mia.tenant)).toEqual(before.map((row) => ({ ...row })));
    expect(await names(mia.tenant)).toEqual(named);
    await expectFolded(mia.tenant);
    // Not proposed again, and a later document finds the right one.
    await ingest(mia, 'Afterwards', 'D: hello.', { customer: other.name });
    await upToDate(stack, mia.tenant);
    expect(await entities(mia.tenant, 'id = $2', [other.id])).toEqual([expect.objectContaining({ signal_count: other.signal_count + 1 })]);
  });

  it('divides what was taken for one without asking', async () => {
    const mia = await stack.caller({ tenant: 'split-b', role: 'pm', kind: 'human' });
    await ingest(mia, 'One', 'A: hello.', { customer: 'Acme Corporation' });
    await ingest(mia, 'Two', 'B: hello.', { customer: 'ACME Inc.' });
    const split = await stack.ok(mia, 'split_entity', {
      entity_name: 'Acme Corporation',
      entity_type: 'customer',
      new_entity_name: 'ACME Inc.',
    });
    expect(split).toMatchObject({ status: 'completed', signals_moved: 1 });
    await ingest(mia, 'Three', 'B: hello.', { customer: 'ACME Inc.' });
    await upToDate(stack, mia.tenant);
    expect(await entities(mia.tenant, `type = 'customer'`)).toEqual([
      expect.objectContaining({ name: 'ACME Inc.', signal_count: 2 }),
      expect.objectContaining({ name: 'Acme Corporation', signal_count: 1 }),
    ]);
    expect((await stack.ok(mia, 'get_entity_resolution_stats', {}))['counts']).toMatchObject({ automatic: 0, fresh: 0, undone: 0 });
    await expectFolded(mia.tenant);
    // A split is kept like a person's refusal: later names are not matched against it.
    const refused = await asTenant(mia.tenant, () =>
      stack.db.query(`select pair from reviews where tenant_id = $1 and kind = 'entity_match' and status = 'rejected'`, [mia.tenant]),
    );
    expect(refused).toEqual([{ pair: pairOf('customer', nameKey('Acme Corporation'), nameKey('ACME Inc.')) }]);
  });

  it('refuses a name that is another entity, or the same', async () => {
    const mia = await stack.caller({ tenant: 'split-c', role: 'pm', kind: 'human' });
    await twoCustomers(mia, 'Fourth Coffee', 'Graphic Design Institute');
    const refused = async (new_entity_name: string) =>
      (await stack.call(mia, 'split_entity', { entity_name: 'Fourth Coffee', entity_type: 'customer', new_entity_name })).error?.code;
    expect(await refused('Graphic Design Institute')).toBe('CONFLICT');
    expect(await refused('fourth coffee')).toBe('VALIDATION_ERROR');
    expect(await refused('—')).toBe('VALIDATION_ERROR');
    expect(
      (await stack.call(mia, 'split_entity', { entity_name: 'Nobody At All', entity_type: 'customer', new_entity_name: 'x1' })).error?.code,
    ).toBe('NOT_FOUND');
  });
});

describe('undoing', () => {
  it('takes merges and splits back exactly, however often, and answers a repeat with what it did', async () => {
    const mia = await stack.caller({ tenant: 'undo', role: 'pm', kind: 'human' });
    await twoCustomers(mia, 'Humongous Insurance', 'Woodgrove Bank');
    const before = await entities(mia.tenant);
    const named = await names(mia.tenant);
    const [a, b] = before.filter(({ type }) => type === 'customer');
    await asTenant(mia.tenant, async () => {
      const change = { changeId: 'change_1', a: a!.id, b: b!.id, by: 'mia', notes: null };
      const first = await mergeEntities(stack.db, mia.tenant, change);
      expect(await mergeEntities(stack.db, mia.tenant, change)).toEqual(first);
      expect(await undoMerge(stack.db, mia.tenant, 'change_1', 'mia')).toBe(true);
      expect(await undoMerge(stack.db, mia.tenant, 'change_1', 'mia')).toBe(false);
      expect(await undoMerge(stack.db, mia.tenant, 'never', 'mia')).toBe(false);
    });
    expect(await entities(mia.tenant)).toEqual(before);
    expect(await names(mia.tenant)).toEqual(named);
    await expectFolded(mia.tenant);
    await asTenant(mia.tenant, async () => {
      const change = { changeId: 'change_2', entityId: a!.id, newName: 'Humongous Holding West', by: 'mia', notes: null };
      const first = await splitEntity(stack.db, mia.tenant, change);
      expect(await splitEntity(stack.db, mia.tenant, change)).toEqual(first);
      expect(await undoSplit(stack.db, mia.tenant, 'change_2', 'mia')).toBe(true);
      expect(await undoSplit(stack.db, mia.tenant, 'change_2', 'mia')).toBe(false);
    });
    expect(await entities(mia.tenant)).toEqual(before);
    expect(await names(mia.tenant)).toEqual(named);
    await expectFolded(mia.tenant);
  });

  it('gives back links, who assigned each mention and what had been merged before, but nothing that has gone elsewhere', async () => {
    const mia = await stack.caller({ tenant: 'undo-b', role: 'pm', kind: 'human' });
    await twoCustomers(mia, 'Coho Winery', 'Margie Travel');
    await ingest(mia, 'Fourth', 'D: hello.', { customer: 'Consolidated Messenger' });
    // Documents whose names became known by later ones are read again, and have new mentions.
    await upToDate(stack, mia.tenant);
    const of = async (name: string): Promise<string> => (await entities(mia.tenant, 'name = $2', [name]))[0]!.id;
    const [coho, margie, other] = [await of('Coho Winery'), await of('Margie Travel'), await of('Consolidated Messenger')];
    const rows = (sql: string, ...values: unknown[]): Promise<Record<string, unknown>[]> =>
      asTenant(mia.tenant, () => stack.db.query(sql, [mia.tenant, ...values]));
    const mentions = () => rows('select id, entity_id, assigned_by from entity_mentions where tenant_id = $1 order by id');
    const merge = (changeId: string, a: string, b: string) =>
      asTenant(mia.tenant, () => mergeEntities(stack.db, mia.tenant, { changeId, a, b, by: 'mia', notes: null }));
    const undo = (changeId: string) => asTenant(mia.tenant, () => undoMerge(stack.db, mia.tenant, changeId, 'mia'));
    await rows(
      `insert into entity_links (tenant_id, entity_id, external_system, external_id, created_by) values ($1, $2, 'crm', '7', 'mia')`,
      margie,
    );
    await rows(`update entity_mentions set assigned_by = 'person' where tenant_id = $1 and entity_id = $2`, margie);
    expect(await merge('first', margie, other)).toMatchObject({ survivor: margie });
    const before = { entities: await entities(mia.tenant), mentions: await mentions() };
    expect(await merge('second', coho, margie)).toMatchObject({ survivor: coho });
    expect(await rows('select entity_id from entity_links where tenant_id = $1')).toEqual([{ entity_id: coho }]);
    await undo('second');
    expect(await rows('select entity_id from entity_links where tenant_id = $1')).toEqual([{ entity_id: margie }]);
    expect({ entities: await entities(mia.tenant), mentions: await mentions() }).toEqual(before);
    await expectFolded(mia.tenant);

    await ingest(mia, 'Fifth', 'E: hello.', { customer: 'Wide World Importers' });
    // Documents whose names changed are read again, and have new mentions.
    await upToDate(stack, mia.tenant);
    const elsewhere = await of('Wide World Importers');
    const now = await mentions();
    await merge('third', coho, margie);
    const [gone] = now.filter(({ entity_id }) => entity_id === margie);
    await rows('update entity_mentions set entity_id = $3 where tenant_id = $1 and id = $2', gone!['id'], elsewhere);
    await undo('third');
    const there = await mentions();
    expect(there.find(({ id }) => id === gone!['id'])).toMatchObject({ entity_id: elsewhere });
    expect(there.filter(({ entity_id }) => entity_id === margie).length).toBe(
      now.filter(({ entity_id }) => entity_id === margie).length - 1,
    );
  });
});

/** Two customers with a document or two each. */
async function twoCustomers(caller: Caller, one: string, other: string): Promise<void> {
  await ingest(caller, 'First', 'A: hello to the Reporting Console.', { customer: one });
  await ingest(caller, 'Second', 'B: hello to the Reporting Console.', { customer: one });
  await ingest(caller, 'Third', 'C: hello to the Reporting Console.', { customer: other });
}

describe('replay', () => {
  it('of what they did here', async () => {
    await eventually(
      'all have ended',
      async () =>
        (
          await stack.temporal.client.workflow.count(
            `WorkflowType in ('ingest', 'ingestRun', 'merge', 'split') and ExecutionStatus = 'Running'`,
          )
        ).count === 0,
    );
    for (const type of ['review', 'merge', 'split', 'ingest', 'ingestRun', 'pipeline']) {
      expect(await replayCourses(stack.temporal.client, type, `${type}-graph`), type).toBeGreaterThan(0);
    }
  }, 120_000);
});
