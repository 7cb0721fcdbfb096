/** Searches that add words of the best passages, over rows as ingestion leaves them. */
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Embedder, EmbedOptions } from '../../adapters/models/embedder.ts';
import { openDatabase, type Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { pgvector } from '../../adapters/vectors/pgvector.ts';
import { termFrequencies } from '../../engines/retrieval/terms.ts';
import { LexicalIndexes } from '../../services/knowledge/lexical.ts';
import { KnowledgeSearch, type SearchQuery } from '../../services/knowledge/search.ts';
import { Trajectories } from '../../services/knowledge/trajectories.ts';
import { committedVisible, onServer, withDatabase } from '../setup/databases.ts';

const tenant = 'acme';
let db: Database;
let trajectories: Trajectories;
beforeAll(async () => {
  const servers = inject('servers');
  const name = `t_${randomBytes(8).toString('hex')}`;
  await onServer(servers.ownerUrl, `create database ${name} template ${servers.template}`);
  await onServer(withDatabase(servers.ownerUrl, name), `insert into tenants (id) values ('${tenant}')`);
  db = await openDatabase(withDatabase(servers.appUrl, name), { max: 4 });
  trajectories = new Trajectories({ db, log: pino({ level: 'silent' }) });
});
afterAll(async () => {
  await trajectories?.close();
  await db?.close();
});

/** Two numbers decide the cosine; texts are nearly alike, so that words lead. */
const vectorAt = (angle: number): Float32Array => Float32Array.from({ length: 384 }, (_, i) => [Math.cos(angle), Math.sin(angle)][i] ?? 0);
const asked: EmbedOptions[] = [];
const model: Embedder = {
  id: 'made@1',
  dimensions: 384,
  embed(texts, options) {
    asked.push(options ?? {});
    return Promise.resolve(texts.map(() => vectorAt(0)));
  },
  close: () => Promise.resolve(),
};

let counter = 0;
/** A document of one passage. @param angle of its vector to that of every query */
async function publish(text: string, { kb, angle = 0.3, talk = false }: { kb: string; angle?: number; talk?: boolean }): Promise<string> {
  const id = `doc${(counter += 1)}`;
  const counts = termFrequencies(text);
  const length = [...counts.values()].reduce((sum, tf) => sum + tf, 0);
  await asTenant(tenant, () =>
    db.transaction(async (query) => {
      await query('insert into knowledge_bases (tenant_id, id, name) values ($1, $2, $2) on conflict do nothing', [tenant, kb]);
      await query(
        `insert into knowledge_sources (tenant_id, id, kb_id, identity, title, type, status) values ($1, $2, $3, $2, $2, 'text', 'active')`,
        [tenant, id, kb],
      );
      await query(
        `insert into documents (tenant_id, id, source_id, scope, content_hash, blob, format, title, status, revision, chunk_count, terms)
         select $1, $2, $2, scope, '', '', 'text', '', 'active', 1, 1, $3 from knowledge_bases where tenant_id = $1 and id = $4`,
        [tenant, id, length, kb],
      );
      const [chunk] = await query<{ id: string; scope: number }>(
        `insert into chunks (tenant_id, scope, document_id, source_id, ordinal, body, place, end_place, has_code, terms, turns, model, embedding)
         select $1, scope, $2, $2, 0, $3, '{}', '{}', false, $4, $5, $6, $7::halfvec(384) from documents where tenant_id = $1 and id = $2
         returning id::text, scope`,
        [tenant, id, text, length, talk ? '[[0, 5, "Ann"]]' : '[]', model.id, `[${vectorAt(angle).join(',')}]`],
      );
      await query(
        'insert into postings (tenant_id, scope, term, chunk_id, tf, dl) select $1, $2::int, t, $3::bigint, tf, $6::int from unnest($4::text[], $5::real[]) p(t, tf)',
        [tenant, chunk!.scope, chunk!.id, [...counts.keys()], [...counts.values()], length],
      );
    }),
  );
  return id;
}

const words = (): LexicalIndexes => new LexicalIndexes(db, { maxMb: 64, patienceMs: 60_000 });
const searchOver = (index: LexicalIndexes | undefined, ttlSeconds?: number): KnowledgeSearch =>
  new KnowledgeSearch({
    db,
    embedder: model,
    vectors: pgvector,
    reranker: null,
    trajectories,
    words: index,
    cache: ttlSeconds === undefined ? null : { ttlSeconds, maxMb: 1 },
  });

async function ask(search: KnowledgeSearch, query: string, kb: string, wanted: Partial<SearchQuery> = {}) {
  const answer = await asTenant(tenant, () =>
    search.chunks(tenant, { query, mode: 'hybrid', limit: 50, filters: { kb_id: kb }, ...wanted }, { principal: 'tester' }),
  );
  const { steps } = await asTenant(tenant, () => trajectories.get(tenant, answer.trajectoryId!));
  return {
    ...answer,
    found: answer.hits.map((hit) => hit.source_id),
    scores: answer.hits.map((hit) => [hit.source_id, hit.score.toFixed(6)]),
    added: steps.find((step) => step.data?.['added'] !== undefined),
  };
}

const query = 'how drag grows with the speed of slender wings';
const halves = ['drag grows fast here', 'speed of slender things', 'wings and their drag', 'slender wings at rest', 'speed grows drag now'];

/** Passages that each have half of the query and share two words that it lacks, and one with only those. */
async function collection(kb: string, talk = false): Promise<string> {
  for (const half of halves) await publish(`${half}, sweepback and shockwave, ${'noise '.repeat(1 + (counter % 3))}`, { kb, talk });
  for (let i = 0; i < 20; i += 1) await publish(`Something about number${i} and number${i + 1}, drag it out.`, { kb });
  return await publish('Where sweepback meets the shockwave, nothing else matters.', { kb, angle: 0.32 });
}

describe('words of the best passages', () => {
  it('find what says the same in other words, and are told', async () => {
    const other = await collection('air');
    const search = searchOver(words());
    const plain = await ask(search, query, 'air', { similarityThreshold: 0.01 });
    expect(plain.added).toBeUndefined();
    const wide = await ask(search, query, 'air');
    expect(wide.found.indexOf(other)).toBeGreaterThan(-1);
    expect(wide.found.indexOf(other)).toBeLessThan(plain.found.indexOf(other));
    expect(wide.found.slice(0, 5).sort()).toEqual(plain.found.slice(0, 5).sort());
    expect(wide.added!.thought).toMatch(
      /^Searched by words again, with words that the best passages share \(.*sweepback.*\), because words decide/,
    );
    expect(wide.added!.data!['added']).toEqual(expect.arrayContaining(['sweepback', 'shockwav']));
    expect(wide.hits.find((hit) => hit.source_id === other)!.metadata.scores).toMatchObject({ bm25: expect.any(Number) });
  });

  it('are the same from memory, from the rows, alone or among other searches', async () => {
    const index = words();
    const [memory, rows] = [searchOver(index), searchOver(undefined)];
    const first = await ask(memory, query, 'air');
    expect(index.bytes).toBeGreaterThan(0);
    for (const search of [memory, rows]) {
      for (const { scores } of await Promise.all(Array.from({ length: 4 }, () => ask(search, query, 'air'))))
        expect(scores).toEqual(first.scores);
    }
  });

  it('are not added where they could not help, with the reason', async () => {
    const search = searchOver(words());
    for (const [text, wanted, why] of [
      ['slender wings', {}, /only 2 telling words/],
      ['drag grows fast here sweepback shockwave', {}, /one passage has \d+ % of the query/],
    ] as const) {
      const { added } = await ask(search, text, 'air', wanted);
      expect(added).toMatchObject({ thought: expect.stringMatching(why), data: { added: [] } });
    }
    for (const wanted of [{ only: 'lexical' }, { only: 'dense' }, { mode: 'semantic' }] as const) {
      expect((await ask(search, query, 'air', wanted)).added).toBeUndefined();
    }
    await publish('drag, a thing of its own', { kb: 'few' });
    expect((await ask(search, query, 'few')).added).toMatchObject({ data: { added: [] } });
  });

  it('come from no conversation, whose passages have several subjects', async () => {
    await collection('talk', true);
    expect((await ask(searchOver(words()), query, 'talk')).added).toMatchObject({
      thought: expect.stringMatching(/share no other word/),
      data: { added: [] },
    });
  });

  it('change with the documents, also for answers that were kept', async () => {
    const search = searchOver(words(), 60);
    await committedVisible(db);
    const before = await ask(search, query, 'air', { includeGraph: false });
    expect((await ask(search, query, 'air', { includeGraph: false })).cached).toBe(true);
    const more = await publish('Of sweepback, shockwave and slender wings.', { kb: 'air' });
    const after = await ask(search, query, 'air', { includeGraph: false });
    expect(after.cached).toBe(false);
    expect(before.found).not.toContain(more);
    expect(after.found).toContain(more);
    await committedVisible(db);
    for (const cached of [false, true]) expect((await ask(search, 'wings at speed', 'air', { includeGraph: false })).cached).toBe(cached);
    expect((await ask(search, query, 'air', { includeGraph: false })).found).toEqual(after.found);
  });
});

describe('what stands beside', () => {
  it('is found as soon as a base without conversations has one', async () => {
    const search = searchOver(words());
    await publish('A quokka stands here alone.', { kb: 'mixed' });
    await committedVisible(db);
    for (const _ of [1, 2]) {
      const { trajectoryId } = await ask(search, 'quokka', 'mixed');
      const { steps } = await asTenant(tenant, () => trajectories.get(tenant, trajectoryId!));
      expect(steps.some((step) => step.data?.['beside'] !== undefined)).toBe(false);
    }
    await publish('Ann: A quokka, where?', { kb: 'mixed', talk: true });
    await committedVisible(db);
    for (const _ of [1, 2]) {
      const { trajectoryId } = await ask(search, 'quokka', 'mixed');
      const { steps } = await asTenant(tenant, () => trajectories.get(tenant, trajectoryId!));
      expect(steps.some((step) => step.data?.['beside'] !== undefined)).toBe(true);
    }
  });
});

it('gives the model its instruction for descriptions only', async () => {
  const search = searchOver(words());
  for (const [text, instruct] of [
    ['growing drag of slender wings with speed', true],
    [query, false],
    ['slender wings', false],
  ] as const) {
    asked.length = 0;
    await ask(search, text, 'air');
    expect(asked).toEqual([expect.objectContaining({ priority: 'query', instruct })]);
  }
});
