/** Search with the graph on, over rows as ingestion and resolution leave them. */
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openDatabase, type Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { pgvector } from '../../adapters/vectors/pgvector.ts';
import { nameKey } from '../../engines/text/names.ts';
import { graphRetrieval } from '../../services/graph/retrieval.ts';
import type { SearchGraph } from '../../services/knowledge/search-graph.ts';
import { KnowledgeSearch, type SearchQuery } from '../../services/knowledge/search.ts';
import { termFrequencies } from '../../engines/retrieval/terms.ts';
import { Trajectories } from '../../services/knowledge/trajectories.ts';
import { committedVisible, onServer, withDatabase } from '../setup/databases.ts';

const tenant = 'acme';
let db: Database;
let trajectories: Trajectories;

beforeAll(async () => {
  const servers = inject('servers');
  const name = `t_${randomBytes(8).toString('hex')}`;
  await onServer(servers.ownerUrl, `create database ${name} template ${servers.template}`);
  await onServer(withDatabase(servers.ownerUrl, name), `insert into tenants (id) values ('${tenant}'), ('other')`);
  db = await openDatabase(withDatabase(servers.appUrl, name), { max: 4 });
  trajectories = new Trajectories({ db, log: pino({ level: 'silent' }) });
});
afterAll(async () => {
  await trajectories?.close();
  await db?.close();
});

interface Document {
  title?: string;
  text: string;
  /** As written in the text. */
  names?: string[];
  about?: string;
  kb?: string;
  code?: boolean;
  of?: string;
}

let counter = 0;
/** A published document of one passage, its mentions given to entities by their keys. @returns the source's id, the document's */
async function publish({ title, text, names = [], about, kb = 'default', code = false, of = tenant }: Document): Promise<string> {
  const id = `doc${(counter += 1)}`;
  await asTenant(of, () =>
    db.transaction(async (query) => {
      await query('insert into knowledge_bases (tenant_id, id, name) values ($1, $2, $2) on conflict do nothing', [of, kb]);
      await query(
        `insert into knowledge_sources (tenant_id, id, kb_id, identity, title, type, status) values ($1, $2, $3, $2, $2, 'text', 'active')`,
        [of, id, kb],
      );
      const counts = termFrequencies(text, title);
      const terms = [...counts.values()].reduce((sum, tf) => sum + tf, 0);
      await query(
        `insert into documents (tenant_id, id, source_id, scope, content_hash, blob, format, title, status, revision, chunk_count, terms, graph)
         select $1, $2, $2, scope, '', '', 'text', coalesce($3, ''), 'active', 1, 1, $4, 'resolved' from knowledge_bases where tenant_id = $1 and id = $5`,
        [of, id, title ?? null, terms, kb],
      );
      const [chunk] = await query<{ id: string; scope: number }>(
        `insert into chunks (tenant_id, scope, document_id, source_id, ordinal, title, body, place, end_place, has_code, terms)
         select $1, scope, $2, $2, 0, $3, $4, '{}', '{}', $5, $6 from documents where tenant_id = $1 and id = $2 returning id::text, scope`,
        [of, id, title ?? null, text, code, terms],
      );
      await query(
        'insert into postings (tenant_id, scope, term, chunk_id, tf, dl) select $1, $2::int, t, $3::bigint, tf, $6::int from unnest($4::text[], $5::real[]) p(t, tf)',
        [of, chunk!.scope, chunk!.id, [...counts.keys()], [...counts.values()], terms],
      );
      for (const name of about === undefined ? names : [about, ...names]) {
        const key = nameKey(name);
        const at = name === about ? 0 : text.indexOf(name);
        const entity = `ent_${key.replaceAll(' ', '_')}`;
        await query(
          `insert into entities (tenant_id, id, type, name, origin, created_by, signal_count, mention_count) values ($1, $2, 'thing', $3, 'extraction', 'test', 1, 1)
           on conflict (tenant_id, id) do update set signal_count = entities.signal_count + 1, mention_count = entities.mention_count + 1`,
          [of, entity, name],
        );
        await query(
          `insert into entity_aliases (tenant_id, type, key, entity_id, alias, origin, created_by) values ($1, 'thing', $2, $3, $4, 'name', 'test') on conflict do nothing`,
          [of, key, entity, name],
        );
        await query(
          `insert into entity_mentions (tenant_id, document_id, chunk_id, start_at, end_at, surface, type, key, certain, confidence, origin, entity_id, assigned_by)
           values ($1, $2, $3, $4, $5, $6, 'thing', $7, true, 0.9, $8, $9, 'name')`,
          [of, id, chunk!.id, at, name === about ? 0 : at + name.length, name, key, name === about ? 'title' : 'rules', entity],
        );
      }
    }),
  );
  return id;
}

const searchOver = (graph: SearchGraph | undefined): KnowledgeSearch =>
  new KnowledgeSearch({
    db,
    embedder: null,
    vectors: pgvector,
    reranker: null,
    trajectories,
    graph,
    log: pino({ level: 'silent' }),
    cache: { ttlSeconds: 60, maxMb: 1 },
  });
const ask = async (
  query: string,
  wanted: Partial<SearchQuery> = {},
  { of = tenant, graph = graphRetrieval }: { of?: string; graph?: SearchGraph } = {},
) => {
  const answer = await asTenant(of, () =>
    searchOver(graph).chunks(of, { query, mode: 'hybrid', limit: 10, includeGraph: true, ...wanted }, { principal: 'test' }),
  );
  return { ...answer, found: answer.hits.map((hit) => hit.source_id) };
};

describe('the graph', () => {
  const question = 'Who runs the team that keeps Larkspur alive?';
  let larkspur = '';
  let team = '';
  let elsewhere = '';

  it('without any rows changes nothing and says that it is empty', async () => {
    for (const text of ['The Quince is a tree.', 'Nobody runs the quince.']) await publish({ text, of: 'other' });
    const on = await ask('Who runs the Quince?', {}, { of: 'other' });
    const off = await ask('Who runs the Quince?', { includeGraph: false }, { of: 'other' });
    expect(on.hits).toEqual(off.hits);
    expect(on).toMatchObject({ nodes: [], warnings: expect.arrayContaining([expect.stringMatching(/knowledge graph is empty/)]) });
    expect(off.nodes).toBeUndefined();
  });

  it('leads from what the query names to what is said elsewhere about the same thing', async () => {
    larkspur = await publish({ text: 'Larkspur is kept alive by Night Watch, mostly.', names: ['Larkspur', 'Night Watch'] });
    team = await publish({ text: 'Mornings begin at Night Watch with a hand-over by Ida Brandt.', names: ['Night Watch', 'Ida Brandt'] });
    for (const what of ['a race', 'a shop', 'a farm', 'the show', 'a band', 'a club']) {
      await publish({ text: `Somebody runs ${what}, and the team that does so is proud.` });
    }
    elsewhere = await publish({ text: 'Night Watch is a painting.', names: ['Night Watch'], kb: 'art' });

    const filters = { kb_id: 'default' };
    expect((await ask(question, { includeGraph: false, filters })).found).not.toContain(team);
    const { found, nodes, trajectoryId, warnings } = await ask(question, { filters });
    expect(found[0]).toBe(larkspur);
    expect(found.slice(1, 5)).toContain(team);
    expect(found).not.toContain(elsewhere);
    expect(nodes![0]).toEqual({ name: 'Larkspur', type: 'thing' });
    expect(nodes!.map((node) => node.name)).toContain('Night Watch');
    expect(warnings.join()).not.toMatch(/graph/);

    const { steps, sources } = await asTenant(tenant, () => trajectories.get(tenant, trajectoryId!));
    const step = steps.find(({ thought }) => thought.startsWith('By the graph'))!;
    expect(step.thought).toMatch(/speak of Larkspur, as the query does, and lead by Night Watch to 1 passage, 1 of them not found before/);
    expect(step.data).toMatchObject({ paths: [{ to: `${team}#0`, from: `${larkspur}#0`, by: 'Night Watch' }] });
    expect(sources.find((source) => source.id === `${team}#0`)!.scores!['graph']).toBeGreaterThan(0);
  });

  it('begins at a passage that is called what the query names, too', async () => {
    const titled = await publish({ title: 'Foxglove (product)', text: 'It was made by Hedda Lind in a week.', names: ['Hedda Lind'] });
    const person = await publish({ text: 'Born in Umeå, Hedda Lind swims.', names: ['Hedda Lind'] });
    expect((await ask('Where was the maker of Foxglove born?', { filters: { kb_id: 'default' } })).found).toEqual(
      expect.arrayContaining([titled, person]),
    );
  });

  it('decides for each query whether it makes a second round, and says why', async () => {
    const explained = async (query: string, wanted: Partial<SearchQuery> = {}) => {
      const answer = await ask(query, { includeGraph: undefined, filters: { kb_id: 'default' }, ...wanted });
      const { steps } = await asTenant(tenant, () => trajectories.get(tenant, answer.trajectoryId!));
      return { ...answer, why: steps.find((step) => step.data?.['second_round'] !== undefined)!.thought };
    };
    const asked = await explained(question);
    expect(asked.found).toEqual((await ask(question, { filters: { kb_id: 'default' } })).found);
    expect(asked).toMatchObject({
      followed: true,
      why: expect.stringMatching(/^A second round follows names and titles, because no passage has/),
    });
    // Nodes come only if they are asked for.
    expect(asked.nodes).toBeUndefined();
    for (const [query, wanted, why] of [
      ['Larkspur alive', {}, /the query has only 2 telling words/],
      ['Larkspur is kept alive by Night Watch', {}, /one passage has 100 % of the query/],
      [question, { mode: 'semantic' }, /limited to one method/],
      [question, { similarityThreshold: 0.1 }, /limited to one method or to a similarity/],
      [question, { includeGraph: false }, /include_graph is false/],
    ] as const) {
      const plain = await explained(query, wanted);
      expect(plain).toMatchObject({ followed: false, why: expect.stringMatching(why) });
    }
    expect((await explained('Larkspur alive', { includeGraph: true })).why).toMatch(/include_graph asks for it/);
  });

  it('keeps what it found by itself only without a second round', async () => {
    const finder = searchOver(graphRetrieval);
    const again = (query: string, includeGraph?: boolean) =>
      asTenant(tenant, () => finder.chunks(tenant, { query, mode: 'hybrid', limit: 10, includeGraph }));
    await committedVisible(db);
    for (const cached of [false, true]) expect((await again('Larkspur alive')).cached).toBe(cached);
    for (const _ of [1, 2]) expect(await again(question)).toMatchObject({ cached: false, followed: true });
    // What was found without a second round is no answer to who leaves that open.
    for (const cached of [false, true]) expect(await again(question, false)).toMatchObject({ cached, followed: false });
    expect(await again(question)).toMatchObject({ cached: false, followed: true });
  });

  it('follows titles that a passage mentions, in two steps', async () => {
    const filters = { kb_id: 'titles' };
    const kb = 'titles';
    const first = await publish({ title: 'Saffron Line', text: 'The Saffron Line was laid by Corriden Works.', kb });
    const second = await publish({ title: 'Corriden Works (firm)', text: 'It belongs to Ostrava Holding Trust since spring.', kb });
    const third = await publish({ title: 'Ostrava Holding Trust, Brno', text: 'Its head is Milena Dvorak.', kb });
    await publish({ title: 'Corriden Works', text: 'It belongs to somebody in another base.', kb: 'elsewhere' });
    for (const what of ['a race', 'a shop', 'a farm', 'the show'])
      await publish({ title: what, text: `Somebody chairs ${what}, an owner of it.`, kb });
    const asked = 'Who chairs the owner of the company that laid the tracks of the Saffron Line last century?';
    const off = await ask(asked, { includeGraph: false, filters });
    expect(off.found[0]).toBe(first);
    const { found, trajectoryId } = await ask(asked, { includeGraph: undefined, filters });
    expect(found[0]).toBe(first);
    expect(found.indexOf(second)).toBeGreaterThan(0);
    expect(found.indexOf(third)).toBeGreaterThan(found.indexOf(second));
    const { steps } = await asTenant(tenant, () => trajectories.get(tenant, trajectoryId!));
    const step = steps.find(({ thought }) => thought.startsWith('By the graph'))!;
    expect(step.thought).toMatch(/some in two steps/);
    expect(step.data).toMatchObject({
      rounds: 2,
      paths: expect.arrayContaining([
        expect.objectContaining({ to: `${second}#0`, from: `${first}#0`, by: 'Corriden Works (firm)' }),
        expect.objectContaining({ to: `${third}#0`, from: `${second}#0`, by: 'Ostrava Holding Trust, Brno' }),
      ]),
    });
    // A title that many documents have names none of them.
    for (let i = 0; i < 10; i += 1) await publish({ title: 'Corriden Works', text: `Page ${i}.`, kb });
    expect((await ask(asked, { includeGraph: undefined, filters })).found).not.toContain(second);
  });

  it('keeps to the scope, the filters, the tenant and what is active', async () => {
    await publish({ text: 'Night Watch of another tenant.', names: ['Night Watch'], of: 'other' });
    const coded = await publish({ text: 'A script of Night Watch.', names: ['Night Watch'], code: true });
    expect((await ask(question)).found).toEqual(expect.arrayContaining([team, elsewhere, coded]));
    expect((await ask(question, { filters: { sources: [larkspur, team] } })).found.sort()).toEqual([larkspur, team].sort());
    expect((await ask(question, { filters: { has_code: false } })).found).not.toContain(coded);
    await asTenant(tenant, () => db.query(`update documents set status = 'retired' where tenant_id = $1 and id = $2`, [tenant, coded]));
    expect((await ask(question)).found).not.toContain(coded);
  });

  it('is asked anew each time: it changes without any document doing so', async () => {
    const finder = searchOver(graphRetrieval);
    const again = (includeGraph: boolean) =>
      asTenant(tenant, () => finder.chunks(tenant, { query: question, mode: 'hybrid', limit: 10, includeGraph }));
    await committedVisible(db);
    await again(false);
    expect((await again(false)).cached).toBe(true);
    const before = await again(true);
    await asTenant(tenant, () =>
      db.query(`update entity_mentions set entity_id = 'ent_nobody' where tenant_id = $1 and document_id = $2`, [tenant, team]),
    );
    const after = await again(true);
    expect([before.cached, after.cached]).toEqual([false, false]);
    expect(before.hits.map((hit) => hit.source_id)).toContain(team);
    expect(after.hits.map((hit) => hit.source_id)).not.toContain(team);
  });

  it('that cannot be read leaves the plain ranking', async () => {
    const broken: SearchGraph = { ...graphRetrieval, expand: (query) => query('select * from no_such_table') as never };
    const alone = await ask(question, { includeGraph: undefined }, { graph: broken });
    expect(alone.found).toEqual((await ask(question, { includeGraph: false })).found);
    expect(alone.warnings.join()).toMatch(/cannot be read just now/);
    const { found, warnings, nodes } = await ask(question, {}, { graph: broken });
    expect(found).toEqual((await ask(question, { includeGraph: false })).found);
    expect(nodes).toEqual([]);
    expect(warnings.join()).toMatch(/cannot be read just now/);
  });

  it('bears any query', async () => {
    for (const query of ['', '  ', '\0', '"', 'the', `${'Larkspur '.repeat(1000)}`, '東京 Larkspur', "'; drop table entities; --"]) {
      const answer = await ask(query).catch((error: { code?: string }) => error.code);
      expect(answer === 'VALIDATION_ERROR' || typeof answer === 'object').toBe(true);
    }
  });
});
