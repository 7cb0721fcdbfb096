import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Episode, GraphCounts } from '../../contracts/graph/episodes.ts';
import type { Entity, Fact } from '../../contracts/graph/graph.ts';
import type { IngestAnswer, SearchHit } from '../../contracts/knowledge/knowledge.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { blocksOf, writeEpisode } from '../../services/graph/episodes-document.ts';
import { settle, takeUp } from '../../services/graph/episodes-queue.ts';
import { extractDocuments } from '../../services/graph/extract.ts';
import { refoldFacts } from '../../services/graph/facts-records.ts';
import { lockGraph } from '../../services/graph/lock.ts';
import { resolveDocuments } from '../../services/graph/resolve.ts';
import { tendGraph } from '../../services/graph/tend.ts';
import { writeCursor } from '../../services/kernel/paging.ts';
import { histories, replay } from '../setup/replay.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

type Found = Fact & { holds: boolean; score: number };
const options = { beat: () => {}, signal: new AbortController().signal };

describe('episodes', () => {
  let stack: TestStack;
  let ann: Caller;
  let tenants = 0;

  beforeAll(async () => {
    stack = await testStack({ model: false });
  });
  beforeEach(async () => {
    ann = await stack.caller({ tenant: `t${(tenants += 1)}`, name: 'ann' });
  });
  afterAll(() => stack?.stop());

  const rows = <T extends Record<string, unknown>>(sql: string, values: unknown[] = [], caller = ann) =>
    asTenant(caller.tenant, () => stack.db.query<T>(sql, values));
  const add = async (body: unknown, more: Record<string, unknown> = {}, caller = ann): Promise<string> => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const source = typeof body === 'string' ? 'text' : 'json';
    const { episode } = await stack.ok<{ episode: Episode }>(caller, 'graph.episode.add', {
      name: 'Note',
      episode_body: text,
      source,
      ...more,
    });
    return episode.episode_id;
  };
  /** "The owner of billing is …", as a record says. */
  const owner = (name: string, day: string, more: Record<string, unknown> = {}): Promise<string> =>
    add({ name: 'Billing Portal', type: 'feature', owner: name }, { said_at: `${day}T00:00:00Z`, ...more });
  const settled = (caller = ann) =>
    eventually(
      'an empty queue',
      async () =>
        (await rows(`select 1 from graph_episodes where tenant_id = $1 and status = 'queued'`, [caller.tenant], caller)).length === 0,
      60_000,
    );
  const facts = async (query: string, args: Record<string, unknown> = {}, caller = ann): Promise<Found[]> =>
    (await stack.ok<{ facts: Found[] }>(caller, 'graph.fact.search', { query, limit: 50, ...args })).facts;
  const owners = async (args: Record<string, unknown> = {}) =>
    (await facts('who is the owner of the billing portal', args))
      .filter((fact) => fact.predicate === 'has_owner')
      .sort((a, b) => (a.valid_from! < b.valid_from! ? -1 : 1))
      .map((fact) => [fact.object!.name, fact.valid_from?.slice(0, 10) ?? null, fact.valid_to?.slice(0, 10) ?? null]);
  const jobOf = (id: string) => asTenant(ann.tenant, () => stack.services.jobs.get(ann.tenant, id));
  /** Incremental folding gives the same result as folding everything again. */
  const consistent = async (caller = ann): Promise<void> => {
    await asTenant(caller.tenant, () =>
      stack.db.transaction(async (query) => {
        await lockGraph(query, caller.tenant);
        const ids = (await query<{ id: string }>('select id from entities where tenant_id = $1', [caller.tenant])).map((row) => row.id);
        expect(await refoldFacts(query, caller.tenant, { entityIds: ids })).toEqual([]);
        const wrong = await query(
          `select e.name from entities e where e.tenant_id = $1 and row(e.mention_count, e.signal_count) is distinct from
             (select row(count(*)::int, count(distinct document_id)::int) from entity_mentions m where m.tenant_id = $1 and m.entity_id = e.id)`,
          [caller.tenant],
        );
        expect(wrong).toEqual([]);
        const orphans = await query(
          'select 1 from entity_mentions m where m.tenant_id = $1 and not exists (select from documents d where d.tenant_id = $1 and d.id = m.document_id)',
          [caller.tenant],
        );
        expect(orphans).toEqual([]);
      }),
    );
  };
  const gone = async (id: string, caller = ann): Promise<boolean> => {
    const [left] = await rows<{ n: number }>(
      `select (select count(*) from graph_episodes where tenant_id = $1 and id = $2)::int + (select count(*) from documents where tenant_id = $1 and id = $2)::int
         + (select count(*) from knowledge_sources where tenant_id = $1 and id = $2)::int + (select count(*) from chunks where tenant_id = $1 and document_id = $2)::int
         + (select count(*) from entity_mentions where tenant_id = $1 and document_id = $2)::int
         + (select count(*) from graph_assertions where tenant_id = $1 and document_id = $2)::int as n`,
      [caller.tenant, id],
      caller,
    );
    return left!.n === 0;
  };
  /** Ids by the order in which they were taken in, and by that in which they were committed. */
  const orders = async () => ({
    taken: (await rows<{ id: string }>('select id from graph_episodes where tenant_id = $1 order by updated_at', [ann.tenant])).map(
      ({ id }) => id,
    ),
    committed: (await rows<{ id: string }>('select id from graph_episodes where tenant_id = $1 order by seq', [ann.tenant])).map(
      ({ id }) => id,
    ),
  });

  it('of several callers at once are taken in one after the other, as committed, and none is lost', async () => {
    const callers = await Promise.all(Array.from({ length: 5 }, (_, i) => stack.caller({ tenant: ann.tenant, name: `agent-${i}` })));
    const added = await Promise.all(
      callers.flatMap((caller, i) =>
        Array.from({ length: 6 }, (_, j) => add({ name: 'Acme Corp', type: 'customer', note: `${i}-${j}` }, { name: `${i}-${j}` }, caller)),
      ),
    );
    expect(new Set(added).size).toBe(30);
    await settled();
    const { taken, committed } = await orders();
    expect(taken).toEqual(committed);
    expect(new Set(taken)).toEqual(new Set(added));
    const { episodes } = await stack.ok<{ episodes: Episode[] }>(ann, 'graph.episode.list', { limit: 100 });
    const paged: Episode[] = [];
    let cursor: string | undefined;
    do {
      const page = await stack.call(ann, 'graph.episode.list', { limit: 7, ...(cursor ? { cursor } : {}) });
      paged.push(...(page.data as { episodes: Episode[] }).episodes);
      cursor = page.envelope.metadata.next_cursor;
    } while (cursor);
    expect(paged).toEqual(episodes);
    for (const bad of [
      'rubbish',
      writeCursor('2026-13-45 00:00:00+00', 'x'),
      Buffer.from('9999-99-99T00:00:00Z|x').toString('base64url'),
    ]) {
      expect((await stack.call(ann, 'graph.episode.list', { cursor: bad })).error).toMatchObject({ code: 'VALIDATION_ERROR' });
    }
    expect(episodes.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 'done'));
    // Only one fact holds at a time: the last committed one.
    const notes = (await facts('Acme Corp note')).filter(({ predicate }) => predicate === 'has_note');
    expect(notes.filter(({ holds }) => holds)).toHaveLength(1);
    expect(notes).toHaveLength(30);
    const [acme] = await rows<{ signal_count: number }>(`select signal_count from entities where tenant_id = $1 and name = 'Acme Corp'`, [
      ann.tenant,
    ]);
    expect(acme!.signal_count).toBe(30);
    await consistent();
  }, 120_000);

  it('survive the workers: nothing is lost, doubled or overtaken', async () => {
    const first = await Promise.all(Array.from({ length: 15 }, (_, i) => add({ name: 'Globex', type: 'customer', visit: `number ${i}` })));
    await eventually('some of them', async () => {
      const done = await rows(`select 1 from graph_episodes where tenant_id = $1 and status = 'done'`, [ann.tenant]);
      return done.length >= 2;
    });
    await stack.stopWorkers();
    const more = await Promise.all(Array.from({ length: 5 }, (_, i) => add({ name: 'Globex', type: 'customer', visit: `later ${i}` })));
    const waiting = await stack.ok<{ episode: Episode }>(ann, 'graph.episode.get', { episode_id: more[4]! });
    expect(waiting.episode).toMatchObject({ status: 'queued', position: expect.any(Number) });
    await stack.startWorkers();
    await settled();
    const { taken, committed } = await orders();
    expect(taken).toEqual(committed);
    expect(new Set(taken)).toEqual(new Set([...first, ...more]));
    await consistent();
    const [globex] = await rows<{ signal_count: number }>(`select signal_count from entities where tenant_id = $1 and name = 'Globex'`, [
      ann.tenant,
    ]);
    expect(globex!.signal_count).toBe(20);
  }, 120_000);

  it('bring facts with their time: a newer one ends the older, a date asks about then', async () => {
    await owner('Anna Petrov', '2026-01-01');
    await owner('Bob Marsh', '2026-03-01');
    await settled();
    expect(await owners()).toEqual([
      ['Anna Petrov', '2026-01-01', '2026-03-01'],
      ['Bob Marsh', '2026-03-01', null],
    ]);
    const [now] = await facts('owner of the billing portal');
    expect(now).toMatchObject({ holds: true, object: { name: 'Bob Marsh' }, closed_by: null });
    expect(now!.evidence[0]).toMatchObject({
      kind: 'passage',
      ref: expect.stringMatching(/^[0-9a-f-]{36}#0$/),
      excerpt: expect.stringContaining('Bob Marsh'),
    });
    expect(await owners({ as_of: '2026-02-01T00:00:00Z' })).toEqual([['Anna Petrov', '2026-01-01', '2026-03-01']]);
    expect(await owners({ as_of: '2025-02-01T00:00:00Z' })).toEqual([]);
    expect(await owners({ include_closed: false })).toEqual([['Bob Marsh', '2026-03-01', null]]);
    expect(await owners({ known_at: '2020-01-01T00:00:00Z' })).toEqual([]);

    // A late fact: the later fact ends it and stays unchanged. Earlier facts are still returned.
    const [{ before }] = (await rows<{ before: Date }>('select now() as before')) as [{ before: Date }];
    await owner('Cleo Vance', '2026-02-01');
    await settled();
    const three = [
      ['Anna Petrov', '2026-01-01', '2026-02-01'],
      ['Cleo Vance', '2026-02-01', '2026-03-01'],
      ['Bob Marsh', '2026-03-01', null],
    ];
    expect(await owners()).toEqual(three);
    expect((await owners({ known_at: before.toISOString(), as_of: '2026-02-15T00:00:00Z' })).map(([name]) => name)).not.toContain(
      'Cleo Vance',
    );
    const [relation] = await rows<{ name: string }>(
      `select t.name from entity_relations r join entities t on t.tenant_id = $1 and t.id = r.target_id where r.tenant_id = $1 and r.kind = 'has_owner' and r.passages > 0`,
      [ann.tenant],
    );
    expect(relation).toEqual({ name: 'Bob Marsh' });
    await consistent();
  });

  it('can be deleted: what only they told goes, what others tell stays, what they had ended holds again', async () => {
    const first = await owner('Anna Petrov', '2026-01-01');
    const again = await owner('Anna Petrov', '2026-01-05', { name: 'Again' });
    const bob = await owner('Bob Marsh', '2026-03-01');
    await settled();
    await stack.ok(ann, 'graph.episode.delete', { episode_id: bob });
    expect(await owners()).toEqual([['Anna Petrov', '2026-01-01', null]]);
    expect((await stack.ok<{ nodes: Entity[] }>(ann, 'graph.node.search', { query: 'Bob Marsh' })).nodes).toEqual([]);
    expect(await gone(bob)).toBe(true);
    await consistent();
    await stack.ok(ann, 'graph.episode.delete', { episode_id: first });
    expect(await owners()).toEqual([['Anna Petrov', '2026-01-05', null]]);
    await consistent();
    await stack.ok(ann, 'graph.episode.delete', { episode_id: again });
    expect(await owners()).toEqual([]);
    expect(await rows('select 1 from entities where tenant_id = $1', [ann.tenant])).toEqual([]);
    expect(await rows('select 1 from entity_relations where tenant_id = $1 and passages > 0', [ann.tenant])).toEqual([]);
    for (const id of [bob, randomUUID(), 'nonsense']) {
      expect((await stack.call(ann, 'graph.episode.delete', { episode_id: id })).error).toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  it('that are deleted while they wait, or while they are taken in, leave nothing', async () => {
    await stack.stopWorkers();
    const { db } = stack;
    const { tenant } = ann;
    for (const after of ['add', 'takeUp', 'write', 'extract', 'resolve'] as const) {
      const id = await owner('Anna Petrov', '2026-01-01', { name: after });
      await asTenant(tenant, async () => {
        const remove = async (step: typeof after): Promise<void> => {
          if (step === after) await stack.services.graph.episodes.remove(tenant, id);
        };
        await remove('add');
        const episode = (await takeUp(db.query, tenant)) ?? null;
        expect(episode === null).toBe(after === 'add');
        if (!episode) return;
        await remove('takeUp');
        expect(await writeEpisode(db, null, tenant, episode)).toBe(after !== 'takeUp');
        await remove('write');
        await extractDocuments(db, tenant, [id], options);
        await remove('extract');
        await resolveDocuments({ db, matching: stack.matching }, tenant, [id]);
        await remove('resolve');
        await settle(db, tenant, episode);
      });
      expect(await gone(id), after).toBe(true);
      expect(await rows('select 1 from entities where tenant_id = $1', [tenant]), after).toEqual([]);
    }
    await stack.startWorkers();
    // Deletes at a random moment during processing.
    const ids = await Promise.all(Array.from({ length: 12 }, (_, i) => owner(`Person ${i} Smith`, `2026-01-${10 + i}`)));
    await Promise.all(ids.filter((_, i) => i % 2 === 0).map((episode_id) => stack.ok(ann, 'graph.episode.delete', { episode_id })));
    await settled();
    for (const [i, id] of ids.entries()) expect(await gone(id)).toBe(i % 2 === 0);
    expect((await owners()).map(([name]) => name)).toEqual([1, 3, 5, 7, 9, 11].map((i) => `Person ${i} Smith`));
    await consistent();
  });

  it('are known by their uuid: the same is a no-op, another text takes its place', async () => {
    const uuid = randomUUID();
    expect(await owner('Anna Petrov', '2026-01-01', { uuid: uuid.toUpperCase() })).toBe(uuid);
    await settled();
    const repeated = await stack.call(ann, 'graph.episode.add', {
      name: 'Note',
      source: 'json',
      episode_body: JSON.stringify({ name: 'Billing Portal', type: 'feature', owner: 'Anna Petrov' }),
      uuid,
    });
    expect(repeated.data).toMatchObject({ existed: true, episode: { status: 'done', said_at: '2026-01-01T00:00:00.000Z' } });
    await owner('Dora Quill', '2026-01-01', { uuid });
    await settled();
    expect(await owners()).toEqual([['Dora Quill', '2026-01-01', null]]);
    expect((await stack.ok<{ nodes: Entity[] }>(ann, 'graph.node.search', { query: 'Anna Petrov' })).nodes).toEqual([]);
    await consistent();
    // One call is one episode, also with repeats.
    const once = { idempotencyKey: randomUUID() };
    const args = { name: 'Once', episode_body: 'Initech asked for a quote.' };
    const [a, b] = [await stack.call(ann, 'graph.episode.add', args, once), await stack.call(ann, 'graph.episode.add', args, once)];
    expect((a.data as { episode: Episode }).episode.episode_id).toBe((b.data as { episode: Episode }).episode.episode_id);
    for (const wrong of [
      { name: 'x', episode_body: '  ' },
      { name: 'x', episode_body: 'a\0b' },
      { name: 'x', episode_body: '{', source: 'json' },
      { name: 'x', episode_body: 'y', uuid: 'mine' },
      { name: 'x', episode_body: 'y'.repeat(200_001) },
      { episode_body: 'y' },
    ]) {
      expect((await stack.call(ann, 'graph.episode.add', wrong)).error, JSON.stringify(wrong).slice(0, 60)).toMatchObject({
        code: 'VALIDATION_ERROR',
      });
    }
  });

  it('that cannot be taken in make way, wait for a decision, and can be tried again', async () => {
    const { tenant } = ann;
    const bad = randomUUID();
    // A row as a future version might write it, with one attempt left.
    await rows(
      `insert into graph_episodes (tenant_id, id, kind, name, body, source, said_at, attempts, created_by) values ($1, $2, 'memory', 'Broken', '{', 'json', now(), 4, 'ann')`,
      [tenant, bad],
    );
    const good = await owner('Anna Petrov', '2026-01-01');
    await settled();
    expect((await stack.ok<{ episode: Episode }>(ann, 'graph.episode.get', { episode_id: good })).episode.status).toBe('done');
    const { episode } = await stack.ok<{ episode: Episode }>(ann, 'graph.episode.get', { episode_id: bad });
    expect(episode).toMatchObject({ status: 'failed', error: expect.stringContaining('JSON') });
    const { items } = await stack.ok<{ items: { dlq_id: string }[] }>(ann, 'ingest.dlq.list', { failure_stage: 'extraction' });
    expect(items).toMatchObject([
      { job_id: bad, title: 'Broken', status: 'refused', attempts: 5, workflow_id: workflowIds.episodes(tenant) },
    ]);
    await rows('update graph_episodes set body = $3 where tenant_id = $1 and id = $2', [
      tenant,
      bad,
      '{"name":"Umbra Ltd","type":"customer","plan":"Pro"}',
    ]);
    await stack.ok(ann, 'ingest.dlq.retry', { dlq_id: items[0]!.dlq_id });
    await settled();
    expect(await facts('Umbra plan')).toMatchObject([{ value: 'Pro', subject: { name: 'Umbra Ltd', type: 'customer' } }]);
    expect((await stack.ok<{ items: unknown[] }>(ann, 'ingest.dlq.list', {})).items).toEqual([]);
    expect((await stack.call(ann, 'ingest.dlq.retry', { dlq_id: items[0]!.dlq_id })).error).toMatchObject({ code: 'CONFLICT' });
  });

  it('whose signal was lost are found by the sweep', async () => {
    const { tenant } = ann;
    await rows(
      `insert into graph_episodes (tenant_id, id, kind, name, body, source, said_at, created_by) values ($1, $2, 'memory', 'Lost', 'Hooli asked for SSO.', 'text', now(), 'ann')`,
      [tenant, randomUUID()],
    );
    await asTenant(tenant, () => tendGraph(stack, stack.services.graph, tenant));
    await settled();
    expect((await stack.ok<{ nodes: Entity[] }>(ann, 'graph.node.search', { query: 'hooli' })).nodes[0]).toMatchObject({ name: 'Hooli' });
  });

  it("stay their tenant's, and are no sources", async () => {
    const gil = await stack.caller({ tenant: 'globex', name: 'gil' });
    const id = await owner('Anna Petrov', '2026-01-01');
    await settled();
    expect(await facts('owner of the billing portal', {}, gil)).toEqual([]);
    expect((await stack.ok<{ nodes: Entity[] }>(gil, 'graph.node.search', { query: 'Billing Portal' })).nodes).toEqual([]);
    expect((await stack.ok<{ episodes: Episode[] }>(gil, 'graph.episode.list')).episodes).toEqual([]);
    for (const tool of ['graph.episode.get', 'graph.episode.delete']) {
      expect((await stack.call(gil, tool, { episode_id: id })).error, tool).toMatchObject({ code: 'NOT_FOUND' });
    }
    // The same uuid is another episode there.
    await stack.ok(gil, 'graph.episode.add', { name: 'Theirs', episode_body: 'Hooli is theirs.', uuid: id });
    await settled(gil);
    expect(await owners()).toHaveLength(1);
    const [node] = (await stack.ok<{ nodes: Entity[] }>(ann, 'graph.node.search', { query: 'Billing Portal' })).nodes;
    expect((await stack.call(gil, 'graph.node.search', { query: 'hooli', center_entity_id: node!.entity_id })).error).toMatchObject({
      code: 'NOT_FOUND',
    });

    expect((await stack.ok<{ hits: SearchHit[] }>(ann, 'index.chunk.search', { query: 'billing portal owner' })).hits).toEqual([]);
    expect((await stack.ok<{ sources: unknown[] }>(ann, 'knowledge.source.list')).sources).toEqual([]);
    expect((await stack.ok<{ bases: unknown[] }>(ann, 'knowledge.base.list')).bases).toEqual([]);
    for (const tool of ['knowledge.source.get', 'knowledge.source.delete']) {
      expect((await stack.call(ann, tool, { source_id: id })).error, tool).toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  it('of conversations know who speaks', async () => {
    const body = 'Maria Lopez (Acme): We need the audit log.\nit matters to us\nuser: Noted.\n\nTom Reed: Agreed.';
    const { blocks, speakers } = blocksOf({ body, source: 'message' });
    expect(speakers).toEqual(['Maria Lopez', 'Tom Reed']);
    expect(blocks.map(({ text, place }) => [place.speaker, place.line, text])).toEqual([
      ['Maria Lopez', 1, 'We need the audit log.\nit matters to us'],
      ['user', 3, 'Noted.'],
      ['Tom Reed', 5, 'Agreed.'],
    ]);
    await add(body, { source: 'message' });
    await settled();
    const { nodes } = await stack.ok<{ nodes: Entity[] }>(ann, 'graph.node.search', { query: 'Maria Lopez' });
    expect(nodes[0]).toMatchObject({ name: 'Maria Lopez', type: expect.stringMatching(/stakeholder|person/) });
  });

  it('are searched with a centre: what is near comes first', async () => {
    await add([
      { name: 'Acme Corp', type: 'customer', product: 'Orbit Suite' },
      { name: 'Umbra Ltd', type: 'customer', product: 'Quasar Suite' },
    ]);
    await settled();
    const of = async (query: string, args = {}) =>
      (await stack.ok<{ nodes: (Entity & { score: number })[] }>(ann, 'graph.node.search', { query, ...args })).nodes;
    const [umbra] = await of('umbra');
    expect((await of('suite')).map(({ name }) => name).sort()).toEqual(['Orbit Suite', 'Quasar Suite']);
    expect(await of('suite', { entity_types: ['customer'] })).toEqual([]);
    expect((await of('Quazar Suite'))[0]).toMatchObject({ name: 'Quasar Suite' });
    const [first] = await facts('product suite', { center_entity_id: umbra!.entity_id });
    expect(first).toMatchObject({ object: { name: 'Quasar Suite' } });
  });

  it('go with the whole graph when it is cleared; documents stay, and so does what is added meanwhile', async () => {
    const ingest = await stack.ok<IngestAnswer>(ann, 'ingest.document.submit', {
      title: 'Call with Initech',
      content: 'Initech asked for single sign-on. The Billing Portal is slow, says Initech.',
      customer: 'Initech',
    });
    await Promise.all([owner('Anna Petrov', '2026-01-01'), owner('Bob Marsh', '2026-02-01')]);
    await settled();
    await eventually(
      'the document in the graph',
      async () =>
        (await rows(`select 1 from documents where tenant_id = $1 and id = $2 and graph = 'resolved'`, [ann.tenant, ingest.document_id]))
          .length > 0,
    );
    const other = await stack.caller({ tenant: `${ann.tenant}-other`, name: 'oda' });
    await add({ name: 'Hooli', type: 'customer', plan: 'Pro' }, {}, other);
    await settled(other);

    const counted = await stack.ok<GraphCounts>(ann, 'graph.store.clear', { dry_run: true });
    expect(counted).toMatchObject({ episodes: 2, dry_run: true });
    expect(counted.nodes).toBeGreaterThanOrEqual(3);
    expect(await owners()).toHaveLength(2);

    await stack.stopWorkers();
    const asked = await Promise.all([
      asTenant(ann.tenant, () => stack.services.graph.clearing.run(ann, { waitMs: 0 })),
      asTenant(ann.tenant, () => stack.services.graph.clearing.run(ann, { waitMs: 0 })),
    ]);
    expect(new Set(asked.map(({ job }) => job.job_id)).size).toBe(1);
    expect(asked[0].counts).toEqual({ episodes: 2, nodes: counted.nodes, facts: counted.facts, relations: counted.relations });
    // Added after the cut-off; one of them mentions an entity that will be deleted.
    const survivors = [await owner('Cleo Vance', '2026-03-01'), await add({ name: 'Vandelay', type: 'customer', plan: 'Basic' })];
    await stack.startWorkers();
    const { job } = asked[0];
    await eventually('the end of clearing', async () => (await jobOf(job.job_id)).status === 'completed', 60_000);
    await settled();
    expect((await jobOf(job.job_id)).result).toEqual(asked[0].counts);

    const { episodes } = await stack.ok<{ episodes: Episode[] }>(ann, 'graph.episode.list');
    expect(new Set(episodes.map(({ episode_id }) => episode_id))).toEqual(new Set(survivors));
    expect(await owners()).toEqual([['Cleo Vance', '2026-03-01', null]]);
    const names = (await rows<{ name: string }>('select name from entities where tenant_id = $1 order by name', [ann.tenant])).map(
      ({ name }) => name,
    );
    expect(names).toEqual(['Billing Portal', 'Cleo Vance', 'Vandelay']);
    await consistent();
    const { hits } = await stack.ok<{ hits: SearchHit[] }>(ann, 'index.chunk.search', { query: 'single sign-on Initech' });
    expect(hits[0]).toMatchObject({ document_id: ingest.document_id });
    expect(await rows('select graph from documents where tenant_id = $1 and id = $2', [ann.tenant, ingest.document_id])).toEqual([
      { graph: null },
    ]);
    expect(await facts('Hooli plan', {}, other)).toHaveLength(1);
    // Once more, on what is left, in one go.
    const again = await stack.approved<GraphCounts & { status: string }>(ann, 'graph.store.clear', {});
    expect(again).toMatchObject({ episodes: 2, status: 'completed', dry_run: false });
    for (const table of [
      'entities',
      'entity_aliases',
      'entity_blocks',
      'entity_mentions',
      'entity_relations',
      'entity_history',
      'graph_assertions',
      'graph_facts',
      'graph_episodes',
    ]) {
      expect(await rows(`select 1 from ${table} where tenant_id = $1`, [ann.tenant]), table).toEqual([]);
    }
  }, 120_000);

  it("answer to Graphiti's names, with Graphiti's words", async () => {
    const answers = await Promise.all(
      ['add_memory', 'add_episode', 'graphiti_add_memory', 'graphiti_add_episode'].map((tool) =>
        stack.call(ann, tool, {
          name: 'Plan',
          episode_body: '{"name":"Acme Corp","type":"customer","plan":"Pro"}',
          source: 'json',
          group_id: 'main',
          extra: 1,
        }),
      ),
    );
    for (const { text, data, envelope } of answers) {
      const { uuid } = data as { uuid: string };
      expect(text).toContain(`Episode added: ${uuid}`);
      expect(Object.keys(data as object)).toEqual(['uuid', 'name', 'status', 'position']);
      expect(envelope.warnings.join()).toMatch(/"extra" was ignored.*group was ignored/);
    }
    const kinds = await rows<{ kind: string }>('select kind from graph_episodes where tenant_id = $1 order by kind', [ann.tenant]);
    expect(kinds.map(({ kind }) => kind)).toEqual(['knowledge', 'knowledge', 'memory', 'memory']);
    await settled();
    const nodes = await stack.call(ann, 'search_nodes', {
      query: 'Acme',
      max_nodes: 1_000,
      entity_types: ['Customer'],
      group_ids: [ann.tenant],
    });
    expect(nodes.text.split('\n')).toContain('- Acme Corp (customer)');
    expect(nodes.envelope.warnings).toEqual([]);
    expect((await stack.call(ann, 'graphiti_search_nodes', { query: 'zzz' })).text).toBe('No entities were found.');
    const found = await stack.call(ann, 'search_facts', { query: 'Acme plan' });
    expect(found.text).toMatch(/Acme Corp → has_plan → Pro; \d{4}-.* to now\]/);
    expect((found.data as { facts: unknown[] }).facts[0]).toMatchObject({
      name: 'has_plan',
      source_name: 'Acme Corp',
      target_name: 'Pro',
      invalid_at: null,
    });
    expect((await stack.call(ann, 'graphiti_search_facts', { query: 'zzz' })).text).toBe('No facts were found.');
    const { uuid } = answers[0]!.data as { uuid: string };
    expect((await stack.call(ann, 'delete_episode', { uuid })).text).toBe(`Episode deleted: ${uuid}.`);
    expect((await stack.call(ann, 'graphiti_delete_episode', { uuid })).error).toMatchObject({ code: 'NOT_FOUND' });
    expect((await stack.call(ann, 'clear_graph', { dry_run: true })).text).toMatch(
      /^Nothing was deleted. Clearing the graph would delete 3 episodes/,
    );
    // It always needs a person's decision, whoever calls.
    expect((await stack.call(ann, 'graphiti_clear_graph', {})).text).toMatch(/^It waits for a person/);
    expect(await stack.approved(ann, 'graphiti_clear_graph', {})).toMatchObject({ episodes: 3, nodes: 1 });
  });

  it('left histories that replay', async () => {
    expect(await replay(histories(stack.temporal.client, "WorkflowType in ('episodes', 'clearGraph')"))).toBeGreaterThan(5);
  }, 120_000);
});

describe.skipIf(inject('servers').modelDir === null)('with an embedding model', () => {
  it('facts and entities are found by meaning, too', async () => {
    const stack = await testStack();
    const ann = await stack.caller({ name: 'ann' });
    const things = [
      { name: 'Billing Portal', type: 'feature', owner: 'Anna Petrov' },
      { name: 'Acme Corp', type: 'customer', headquarters: 'a small town near Oslo' },
      { name: 'Quasar', type: 'product', price: '40 dollars per month' },
    ];
    for (const thing of things) {
      await stack.ok(ann, 'graph.episode.add', { name: 'Note', episode_body: JSON.stringify(thing), source: 'json' });
    }
    const missing = (): Promise<{ n: number }[]> =>
      asTenant(ann.tenant, () =>
        stack.db.query<{ n: number }>(
          `select (select count(*) from graph_episodes where tenant_id = $1 and status = 'queued')::int
             + (select count(*) from graph_facts where tenant_id = $1 and model is null)::int
             + (select count(*) from entities where tenant_id = $1 and type = 'feature' and model is null)::int as n`,
          [ann.tenant],
        ),
      );
    await eventually('vectors of all', async () => (await missing())[0]!.n === 0, 60_000);
    const first = async (query: string) => (await stack.ok<{ facts: Found[] }>(ann, 'graph.fact.search', { query })).facts[0]!;
    expect(await first('how much does it cost')).toMatchObject({ subject: { name: 'Quasar' } });
    expect(await first('where in Norway are their offices located')).toMatchObject({ subject: { name: 'Acme Corp' } });
    expect((await stack.ok<{ nodes: Entity[] }>(ann, 'graph.node.search', { query: 'invoicing website' })).nodes[0]).toMatchObject({
      name: 'Billing Portal',
    });
    await stack.stop();
  }, 120_000);
});
