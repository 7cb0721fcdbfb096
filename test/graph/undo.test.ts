/** Questions about entities as a person decides them: what a yes would do, deciding, taking it back; and the graph around. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Neighbourhood, ReviewCase, ReviewItem } from '../../contracts/graph/graph.ts';
import { auditGraph } from '../../services/graph/audit.ts';
import { openReview, pairOf } from '../../services/kernel/reviews/reviews-records.ts';
import { nameKey } from '../../engines/text/names.ts';
import { levelsOf, probabilityOf, defaultNameModel } from '../../engines/linkage/names.ts';
import { seedEntity, seedSignal } from '../setup/graph.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await testStack({ model: false });
});
afterAll(() => stack?.stop());

const who = (tenant: string): Promise<Caller> => stack.caller({ tenant, role: 'pm', kind: 'human', name: 'mia' });
const review = async (me: Caller, feedback_id: string) =>
  (await stack.ok<{ review: ReviewCase }>(me, 'entity.review.get', { feedback_id })).review;
const list = (me: Caller, args: object = {}) => stack.ok<{ items: ReviewItem[] }>(me, 'entity.review.list', args);

/** Everything that a merge touches. */
const state = (tenant: string) =>
  asTenant(tenant, async () => ({
    entities: await stack.db.query(
      'select id, name, status, merged_into, signal_count, mention_count from entities where tenant_id = $1 order by id',
      [tenant],
    ),
    names: await stack.db.query('select key, entity_id from entity_aliases where tenant_id = $1 order by key', [tenant]),
    mentions: await stack.db.query('select id, entity_id, assigned_by from entity_mentions where tenant_id = $1 order by id', [tenant]),
    relations: await stack.db.query(
      'select source_id, target_id, kind, passages from entity_relations where tenant_id = $1 and passages > 0 order by 1, 2, 3',
      [tenant],
    ),
  }));
const expectFolded = async (tenant: string): Promise<void> =>
  expect(await asTenant(tenant, () => auditGraph(stack.db.query, tenant))).toMatchObject({ counts: [], relations: [], strays: [] });

/** Two customers, each mentioned, and a question about them as the matcher asks it. */
async function asked(
  me: Caller,
  left = 'Wide World Importers',
  right = 'Wide World Importrs',
): Promise<{ a: string; b: string; id: string }> {
  const { tenant } = me;
  const a = await seedEntity(stack, tenant, { type: 'customer', name: left, aliases: ['WWI'] });
  const b = await seedEntity(stack, tenant, { type: 'customer', name: right });
  const c = await seedEntity(stack, tenant, { type: 'feature', name: 'Export' });
  await seedSignal(stack, tenant, { text: `${left} uses the Export.`, mentions: { [a]: left, [c]: 'Export' } });
  await seedSignal(stack, tenant, { text: `${left} likes it.`, mentions: { [a]: left } });
  await seedSignal(stack, tenant, { text: `${right} wants an Export.`, mentions: { [b]: right, [c]: 'Export' } });
  const levels = levelsOf({ key: nameKey(left), type: 'customer' }, { key: nameKey(right), type: 'customer' });
  const id = await asTenant(tenant, () =>
    stack.db.transaction((query) =>
      openReview(query, tenant, {
        action: 'merge',
        type: 'customer',
        subject: { a, b, levels },
        pair: pairOf('customer', nameKey(left), nameKey(right)),
        confidence: 0.7,
        evidence: ['the names differ by spelling only'],
        origin: 'resolution',
        createdBy: 'signalbox',
      }),
    ),
  );
  return { a, b, id: id! };
}

describe('a question', () => {
  it('is shown with both sides, the weights that make its probability, and what a yes does; which it then does', async () => {
    const me = await who('case');
    const { a, b, id } = await asked(me);
    const shown = await review(me, id);
    expect(shown).toMatchObject({
      status: 'open',
      a: { entity_id: a, mentions: 2, signals: 2, aliases: ['WWI'] },
      b: { entity_id: b, mentions: 1, signals: 1 },
      consequence: {
        does: 'merge',
        keeps: 'Wide World Importers',
        moves: 'Wide World Importrs',
        names: ['Wide World Importrs'],
        mentions: 1,
        facts: 0,
        links: 0,
      },
      change_id: null,
    });
    for (const { name, passages } of [shown.a, shown.b]) {
      expect(passages.length).toBeGreaterThan(0);
      for (const { content, marks } of passages) expect(marks.map(({ start, end }) => content.slice(start, end))).toEqual([name]);
    }
    const { prior, features, weight, probability } = shown.match!;
    expect(features.reduce((sum, each) => sum + each.weight, prior.weight)).toBeCloseTo(weight, 9);
    expect(1 / (1 + 2 ** -weight)).toBeCloseTo(probability, 9);
    const levels = Object.fromEntries(features.map(({ name, level }) => [name, level]));
    expect(probabilityOf(levels, defaultNameModel)).toBeCloseTo(probability, 9);
    expect(features.map(({ name, label }) => `${name}: ${label}`)).toContain('name: differs by typos only');

    await stack.ok(me, 'entity.merge.confirm', { feedback_id: id });
    const after = await review(me, id);
    expect(after).toMatchObject({ status: 'confirmed', decided_by: expect.stringContaining('mia') });
    const { entity } = await stack.ok<{
      entity: {
        entity_id: string;
        aliases: string[];
        mention_count: number;
        history: { event: string; change_id: string; undoable: boolean }[];
      };
    }>(me, 'entity.record.get', { entity_id: b });
    expect(entity).toMatchObject({
      entity_id: a,
      mention_count: 3,
      history: [{ event: 'absorbed', change_id: after.change_id, undoable: true }],
    });
    expect(entity.aliases).toContain('Wide World Importrs');
  });

  it('is listed by status, page by page, each once', async () => {
    const me = await who('pages');
    const ids: string[] = [];
    for (const name of ['Aa', 'Bb', 'Cc', 'Dd', 'Ee']) ids.push((await asked(me, `${name} Holding`, `${name} Holdings`)).id);
    for (const id of ids.slice(0, 3)) await stack.ok(me, 'entity.merge.reject', { feedback_id: id });
    expect((await list(me)).items.map(({ feedback_id }) => feedback_id)).toEqual(ids.slice(3));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { data, envelope } = await stack.call(me, 'entity.review.list', {
        status: 'rejected',
        limit: 2,
        ...(cursor ? { cursor } : {}),
      });
      seen.push(...(data as { items: ReviewItem[] }).items.map(({ feedback_id }) => feedback_id));
      cursor = envelope.metadata.next_cursor;
    } while (cursor !== undefined);
    expect(seen).toEqual([ids[2], ids[1], ids[0]]);
    const other = await who('other');
    expect((await list(other, { status: 'rejected' })).items).toEqual([]);
    expect((await stack.call(other, 'entity.review.get', { feedback_id: ids[0] })).error?.code).toBe('NOT_FOUND');
  });
});

describe('taking back', () => {
  it('restores names, mentions and counts, opens the question again, and forbids nothing', async () => {
    const me = await who('back');
    const { id } = await asked(me);
    const before = await state(me.tenant);
    await stack.ok(me, 'entity.merge.confirm', { feedback_id: id });
    expect(await state(me.tenant)).not.toEqual(before);
    const { change_id } = await review(me, id);

    // From several places at once: it is done once.
    const answers = await Promise.all([
      stack.ok(me, 'entity.change.undo', { change_id }),
      stack.ok(me, 'entity.change.undo', { feedback_id: id }),
      stack.ok(me, 'entity.change.undo', { change_id }),
    ]);
    expect(answers.filter(({ undone }) => undone === true)).toHaveLength(1);
    const [reopened] = new Set(answers.map((answer) => answer['reopened']));
    expect(new Set(answers.map((answer) => answer['reopened'])).size).toBe(1);
    expect(await state(me.tenant)).toEqual(before);
    await expectFolded(me.tenant);
    expect((await list(me)).items.map(({ feedback_id }) => feedback_id)).toEqual([reopened]);
    expect((await list(me, { status: 'confirmed' })).items).toEqual([]);

    // The other answer is possible now, and can be taken back as well.
    await stack.ok(me, 'entity.merge.reject', { feedback_id: reopened });
    const no = await stack.ok(me, 'entity.change.undo', { feedback_id: reopened });
    expect(no).toMatchObject({ undone: true, change: null, change_id: null });
    expect(await stack.ok(me, 'entity.change.undo', { feedback_id: reopened })).toMatchObject({ undone: false, reopened: no['reopened'] });
    await stack.ok(me, 'entity.merge.confirm', { feedback_id: no['reopened'] });
    expect((await state(me.tenant)).entities.filter((row) => row['status'] === 'merged')).toHaveLength(1);
  });

  it('refuses what was built upon, names the later change, and works once that is taken back', async () => {
    const me = await who('later');
    const { a, b, id } = await asked(me);
    const big = await seedEntity(stack, me.tenant, { type: 'customer', name: 'Trey Research' });
    for (let i = 0; i < 5; i += 1)
      await seedSignal(stack, me.tenant, { text: `Trey Research, call ${i}.`, mentions: { [big]: 'Trey Research' } });
    const before = await state(me.tenant);
    await stack.ok(me, 'entity.merge.confirm', { feedback_id: id });
    const first = (await review(me, id)).change_id;
    const { feedback_id } = await stack.ok<{ feedback_id: string }>(me, 'entity.proposal.submit', {
      kind: 'merge',
      entity_ids: [a, big],
      reason: 'x',
    });
    await stack.ok(me, 'entity.merge.confirm', { feedback_id });
    const second = (await review(me, feedback_id)).change_id;
    const refused = await stack.call(me, 'entity.change.undo', { change_id: first });
    expect(refused.error).toMatchObject({ code: 'CONFLICT', details: { later_change_id: second } });
    await stack.ok(me, 'entity.change.undo', { change_id: second });
    await stack.ok(me, 'entity.change.undo', { change_id: first });
    expect(await state(me.tenant)).toEqual(before);
    await expectFolded(me.tenant);
    expect(b).toBeTruthy();
  });

  it('takes back splits and added names, and refuses strangers and nonsense', async () => {
    const me = await who('names');
    const { a } = await asked(me);
    const before = await state(me.tenant);
    const { feedback_id } = await stack.ok<{ feedback_id: string }>(me, 'entity.proposal.submit', {
      kind: 'alias',
      entity_ids: [a],
      name: 'The Importers',
      reason: 'x',
    });
    await stack.ok(me, 'entity.merge.confirm', { feedback_id });
    expect(await stack.ok(me, 'entity.change.undo', { feedback_id })).toMatchObject({ change: 'alias', undone: true });
    expect(await state(me.tenant)).toEqual(before);

    const split = await stack.ok(me, 'entity.record.split', {
      entity_name: 'Wide World Importers',
      entity_type: 'customer',
      new_entity_name: 'WWI',
    });
    expect(split['status']).toBe('completed');
    expect(await stack.ok(me, 'entity.change.undo', { change_id: split['job_id'] })).toMatchObject({ change: 'split', undone: true });
    expect((await state(me.tenant)).names).toEqual(before.names);
    await expectFolded(me.tenant);

    const other = await who('strangers');
    expect((await stack.call(other, 'entity.change.undo', { change_id: split['job_id'] })).error?.code).toBe('NOT_FOUND');
    expect((await stack.call(me, 'entity.change.undo', {})).error?.code).toBe('VALIDATION_ERROR');
    const [open] = (await list(me)).items;
    expect((await stack.call(me, 'entity.change.undo', { feedback_id: open!.feedback_id })).error?.code).toBe('CONFLICT');
    const reader = await stack.caller({ tenant: me.tenant, role: 'readonly', kind: 'human' });
    expect((await stack.call(reader, 'entity.change.undo', { feedback_id })).error?.code).toBe('FORBIDDEN');
  });
});

describe('the neighbourhood', () => {
  it('of a hub is bounded, grows by 25, the strongest first, and never repeats anybody', async () => {
    const me = await who('hub');
    const hub = await seedEntity(stack, me.tenant, { type: 'customer', name: 'Hub' });
    await asTenant(me.tenant, async () => {
      await stack.db.query(
        `insert into entities (tenant_id, id, type, name, origin, created_by) select $1, 'ent_n' || lpad(i::text, 4, '0'), 'theme', 'Theme ' || i, 'extraction', 'x' from generate_series(1, 5000) i`,
        [me.tenant],
      );
      await stack.db.query(
        `insert into entity_relations (tenant_id, source_id, target_id, kind, passages, documents)
         select $1, least($2, 'ent_n' || lpad(i::text, 4, '0')), greatest($2, 'ent_n' || lpad(i::text, 4, '0')), 'mentioned_with', 5001 - i, 1 from generate_series(1, 5000) i`,
        [me.tenant, hub],
      );
      await stack.db.query(
        `insert into graph_facts (tenant_id, id, subject_id, predicate, object_id, statement, exclusive, valid_from, valid_to, recorded_from, recorded_to, passages, confidence)
         values ($1, 'fact_1', $2, 'owns', 'ent_n0001', 'x', false, '2024-01-01', '2025-01-01', '2024-01-02', '2025-01-02', 1, 1),
                ($1, 'fact_2', $2, 'owned', 'ent_n4999', 'y', false, '2020-01-01', '2021-01-01', '2020-01-02', '2021-01-02', 1, 1)`,
        [me.tenant, hub],
      );
    });
    const around = (args: object) => stack.ok<Neighbourhood>(me, 'graph.neighbourhood.get', { entity_id: hub, ...args });
    const whole = await around({ limit: 300, depth: 1 });
    expect(whole.entities.length).toBeLessThanOrEqual(300);
    expect(whole.entities.slice(0, 3).map(({ name }) => name)).toEqual(['Hub', 'Theme 1', 'Theme 2']);
    expect(whole.entities[0]).toMatchObject({ neighbours: 100, depth: 0 });
    expect(whole.more).toBe(true);
    expect(whole.edges).toContainEqual({
      source: hub,
      target: 'ent_n0001',
      kind: 'owns',
      passages: 1,
      held: [{ from: '2024-01-01T00:00:00.000Z', to: '2025-01-01T00:00:00.000Z' }],
    });
    // One that is connected by a fact of the past alone.
    const past = await seedEntity(stack, me.tenant, { type: 'customer', name: 'Former Owner' });
    await asTenant(me.tenant, () =>
      stack.db.query(
        `insert into graph_facts (tenant_id, id, subject_id, predicate, object_id, statement, exclusive, recorded_from, recorded_to, passages, confidence)
         values ($1, 'fact_3', $2, 'owned', 'ent_n0007', 'z', false, '2024-01-02', '2025-01-02', 1, 1)`,
        [me.tenant, past],
      ),
    );
    expect((await around({ entity_id: 'ent_n0007' })).entities.map(({ name }) => name)).toContain('Former Owner');

    const first = await around({ limit: 20 });
    const known = first.entities.map(({ entity_id }) => entity_id);
    for (let step = 0; step < 11; step += 1) {
      const more = await around({ known, limit: 300 });
      expect(more.entities).toHaveLength(25);
      expect(more.entities.filter(({ entity_id }) => known.includes(entity_id))).toEqual([]);
      expect(new Set(more.edges.flatMap(({ source, target }) => [source, target]))).toEqual(
        new Set([hub, ...more.entities.map(({ entity_id }) => entity_id)]),
      );
      known.push(...more.entities.map(({ entity_id }) => entity_id));
    }
    expect((await around({ known })).entities).toHaveLength(5);
    expect(
      (await stack.call(me, 'graph.neighbourhood.get', { entity_id: hub, known: Array.from({ length: 300 }, (_, i) => `ent_${i}`) })).error
        ?.code,
    ).toBe('VALIDATION_ERROR');

    const { facts } = await stack.ok<{ facts: { fact_id: string; holds: boolean }[] }>(me, 'graph.fact.list', { entity_id: hub });
    expect(facts).toMatchObject([
      { fact_id: 'fact_1', holds: false },
      { fact_id: 'fact_2', holds: false },
    ]);
    expect(
      (await stack.ok<{ facts: { fact_id: string }[] }>(me, 'graph.fact.list', { entity_id: hub, as_of: '2020-06-01' })).facts,
    ).toMatchObject([{ fact_id: 'fact_2', holds: true }]);
    expect((await stack.ok<{ facts: unknown[] }>(me, 'graph.fact.list', { entity_id: hub, known_at: '2019-01-01' })).facts).toEqual([]);
  });
});
