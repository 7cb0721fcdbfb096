/** What people say about names: types, aliases, things that are not the same; and the documents that are read with it. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

vi.setConfig({ testTimeout: 120_000 });

let stack: TestStack;
beforeAll(async () => {
  stack = await testStack({ model: false });
});
afterAll(() => stack?.stop());

let tenants = 0;
async function alone(): Promise<Caller> {
  return await stack.caller({ tenant: `names${(tenants += 1)}`, name: 'pm', role: 'pm', kind: 'human' });
}

const overview = `# What Orchard Desk does

Orchard Desk is software for fruit growers.

- **Pick Planner** puts pickers and rows together.
- **Cold Log** watches the temperature of the stores.
- **Crate Count** counts crates at the gate.
`;
const call = `Halden Growers, call of 4 May 2026

Mira Holt (Halden Growers): The Pick Planner forgot the north rows again this week.
Sam Reed (Orchard Desk): Thank you for telling us.
Mira Holt (Halden Growers): And Frostwatch wakes us at three for nothing. Frostwatch is loud, but we would like to keep it.
Mira Holt (Halden Growers): Cold Log has been right every night.
`;

async function ingest(me: Caller, name: string, content: string): Promise<void> {
  await stack.ok(me, 'ingest.document.submit', { title: name, content });
}

interface Entity {
  entity_id: string;
  name: string;
  type: string;
  aliases: string[];
}
const entities = async (me: Caller, type: string): Promise<Entity[]> =>
  (await stack.ok<{ entities: Entity[] }>(me, 'entity.record.list', { entity_type: type })).entities;
const namesOf = async (me: Caller, type: string): Promise<string[]> => (await entities(me, type)).map(({ name }) => name).sort();

/** Names of a type that the statements are about. */
async function about(me: Caller, type: string): Promise<string[]> {
  const rows = await asTenant(me.tenant, () =>
    stack.db.query<{ name: string }>('select distinct name from signal_names where tenant_id = $1 and type = $2 order by name', [
      me.tenant,
      type,
    ]),
  );
  return rows.map(({ name }) => name);
}

describe('the type of a name', () => {
  it('is set by a person, and documents are read with it, also later ones', async () => {
    const me = await alone();
    await ingest(me, 'overview.md', overview);
    await ingest(me, 'halden-2026-05-04.txt', call);
    await eventually('features are known', async () => (await about(me, 'feature')).includes('Pick Planner'));
    expect(await namesOf(me, 'competitor')).toEqual([]);

    const told = await stack.ok(me, 'entity.type.set', { name: 'Frostwatch', entity_type: 'competitor' });
    expect(told).toMatchObject({ name: 'Frostwatch', type: 'competitor' });
    await eventually('the call is read again', async () => (await about(me, 'competitor')).includes('Frostwatch'));
    expect(await namesOf(me, 'competitor')).toEqual(['Frostwatch']);
    // The same again changes nothing.
    expect(await stack.ok(me, 'entity.type.set', { entity_id: told['entity_id'], entity_type: 'competitor' })).toMatchObject({
      entity_id: told['entity_id'],
      previous_type: 'competitor',
      merged: false,
    });

    // It is a feature after all.
    await stack.ok(me, 'entity.type.set', { entity_id: told['entity_id'], entity_type: 'feature' });
    await eventually('it is read as a feature', async () => (await about(me, 'feature')).includes('Frostwatch'));
    expect(await about(me, 'competitor')).toEqual([]);
    expect(await namesOf(me, 'competitor')).toEqual([]);

    // And "Crate Count" is nothing of the product.
    const [crates] = (await entities(me, 'feature')).filter(({ name }) => name === 'Crate Count');
    await stack.ok(me, 'entity.type.set', { entity_id: crates!.entity_id, entity_type: 'thing' });
    await ingest(
      me,
      'halden-2026-05-11.txt',
      call.replace('Cold Log has been right', 'Crate Count has been right').replace('4 May', '11 May'),
    );
    await eventually(
      'the second call is read',
      async () => (await stack.ok(me, 'signal.record.search', { date_from: '2026-05-11' }))['signals'].length > 0,
    );
    expect(await about(me, 'feature')).not.toContain('Crate Count');
    const history = await asTenant(me.tenant, () =>
      stack.db.query('select data from entity_history where tenant_id = $1 and entity_id = $2 and event = $3 order by id', [
        me.tenant,
        told['entity_id'],
        'type_set',
      ]),
    );
    expect(history.map(({ data }) => data)).toContainEqual({ from: 'competitor', to: 'feature' });
  });

  it('joins the entity of that type which has the name already', async () => {
    const me = await alone();
    const rival = await stack.ok(me, 'entity.type.set', { name: 'Pomona', entity_type: 'competitor' });
    expect(rival).toMatchObject({ previous_type: null, merged: false });
    const wrong = await asTenant(me.tenant, async () => {
      await stack.db.query(
        `insert into entities (tenant_id, id, type, name, origin, created_by) values ($1, 'ent_wrong', 'product', 'Pomona', 'extraction', 'x')`,
        [me.tenant],
      );
      await stack.db.query(
        `insert into entity_aliases (tenant_id, type, key, entity_id, alias, origin, created_by) values ($1, 'product', 'pomona', 'ent_wrong', 'Pomona', 'name', 'x')`,
        [me.tenant],
      );
      return 'ent_wrong';
    });
    const joined = await stack.ok(me, 'entity.type.set', { entity_id: wrong, entity_type: 'competitor' });
    expect(joined).toMatchObject({ previous_type: 'product', merged: true });
    expect(await namesOf(me, 'competitor')).toEqual(['Pomona']);
    const [left] = await entities(me, 'competitor');
    expect([rival['entity_id'], wrong]).toContain(left!.entity_id);
  });

  it('refuses what it cannot know, and another tenant', async () => {
    const me = await alone();
    const other = await alone();
    const { entity_id } = await stack.ok(me, 'entity.type.set', { name: 'Pomona', entity_type: 'competitor' });
    const codeOf = async (caller: Caller, args: object) => (await stack.call(caller, 'entity.type.set', args)).envelope.error?.code;
    expect(await codeOf(other, { entity_id, entity_type: 'feature' })).toBe('NOT_FOUND');
    expect(await codeOf(me, { entity_type: 'feature' })).toBe('VALIDATION_ERROR');
    expect(await codeOf(me, { name: '—', entity_type: 'feature' })).toBe('VALIDATION_ERROR');
    expect(await codeOf(me, { name: 'Pomona', entity_id, entity_type: 'feature' })).toBe('VALIDATION_ERROR');
    expect(await codeOf(me, { name: 'Pomona', entity_type: 'No Type' })).toBe('VALIDATION_ERROR');
    expect(await namesOf(me, 'competitor')).toEqual(['Pomona']);
    expect(await namesOf(other, 'competitor')).toEqual([]);
  });

  it('is one entity when two people say it at once', async () => {
    const me = await alone();
    const ids = await Promise.all([1, 2, 3].map(() => stack.ok(me, 'entity.type.set', { name: 'Winesap', entity_type: 'customer' })));
    expect(new Set(ids.map((each) => each['entity_id'])).size).toBe(1);
    expect(await namesOf(me, 'customer')).toEqual(['Winesap']);
  });
});

interface Question {
  feedback_id: string;
  entity_a: Entity;
  entity_b: Entity;
}
const questions = async (me: Caller): Promise<Question[]> => (await stack.ok<{ items: Question[] }>(me, 'entity.review.list', {})).items;

describe('names that are the same, or not', () => {
  const vague = `Halden Growers, call of 6 June 2026

Mira Holt (Halden Growers): The clock, we call it, that is Cold Log I think, was wrong on Sunday.
Sam Reed (Orchard Desk): The clock?
`;

  it('an alias that a person teaches is read as the name', async () => {
    const me = await alone();
    await ingest(me, 'overview.md', overview);
    await ingest(me, 'halden.txt', call.replaceAll('The Pick Planner', 'The wizard'));
    await eventually('it is read', async () => (await stack.ok(me, 'signal.record.search', {}))['signals'].length > 0);
    expect(await about(me, 'feature')).not.toContain('Pick Planner');
    await stack.ok(me, 'entity.alias.add', { entity_name: 'Pick Planner', entity_type: 'feature', alias: 'the wizard' });
    await eventually('it is read as Pick Planner', async () => (await about(me, 'feature')).includes('Pick Planner'));
    expect((await entities(me, 'feature')).find(({ name }) => name === 'Pick Planner')?.aliases).toContain('the wizard');
  });

  it('a merge is kept by the directory, and a split keeps the names apart', async () => {
    const me = await alone();
    await ingest(me, 'overview.md', overview);
    await ingest(me, 'halden.txt', call);
    await ingest(me, 'vague.txt', vague);
    await eventually('features are known', async () => (await namesOf(me, 'feature')).length >= 3);
    const of = async (name: string) => (await entities(me, 'feature')).find((each) => each.name === name)!;
    const [planner, log] = [await of('Pick Planner'), await of('Cold Log')];
    const { feedback_id } = await stack.ok(me, 'entity.proposal.submit', {
      kind: 'merge',
      entity_ids: [planner.entity_id, log.entity_id],
      reason: 'one module since spring',
    });
    await stack.ok(me, 'entity.merge.confirm', { feedback_id });
    const merged = (await entities(me, 'feature')).find(({ name, aliases }) =>
      ['Pick Planner', 'Cold Log'].every((each) => [name, ...aliases].includes(each)),
    );
    expect(merged).toBeDefined();
    await eventually(
      'all is read under one name',
      async () => (await about(me, 'feature')).filter((name) => name === 'Pick Planner' || name === 'Cold Log').length === 1,
    );

    const other = merged!.name === 'Cold Log' ? 'Pick Planner' : 'Cold Log';
    await stack.ok(me, 'entity.record.split', { entity_name: merged!.name, entity_type: 'feature', new_entity_name: other });
    await eventually('both names are read', async () => {
      const names = await about(me, 'feature');
      return names.includes('Pick Planner') && names.includes('Cold Log');
    });
  });

  it('asks people about names that documents use alike, once, and reads with their answer', async () => {
    const me = await alone();
    const tickets = (rows: string[]): string => ['ticket,date,customer,text', ...rows].join('\n');
    await stack.ok(me, 'ingest.document.submit', {
      title: 'tickets.csv',
      format: 'csv',
      content: tickets([
        '1,2026-05-02,Halden Growers,The Cold Log is wrong on Sundays.',
        '2,2026-05-03,Halden Estates,The Cold Log lost a night.',
        '3,2026-05-04,Halden,The Cold Log alarm is late every night.',
      ]),
    });
    await eventually('the short name is asked about', async () => (await questions(me)).length === 2);
    const before = await questions(me);
    for (const { entity_a, entity_b } of before) expect([entity_a.name, entity_b.name]).toContain('Halden');
    const with_ = (name: string) => before.find(({ entity_a, entity_b }) => [entity_a.name, entity_b.name].includes(name))!;
    await stack.ok(me, 'entity.merge.reject', { feedback_id: with_('Halden Estates').feedback_id });
    await stack.ok(me, 'entity.merge.confirm', { feedback_id: with_('Halden Growers').feedback_id });
    await eventually('the statement has the customer', async () => !(await about(me, 'customer')).includes('Halden'));
    expect(await about(me, 'customer')).toEqual(['Halden Estates', 'Halden Growers']);
    expect(await questions(me)).toEqual([]);
  });
});
