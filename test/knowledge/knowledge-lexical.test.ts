/** The word index in memory gives the same answers as its postings, in every snapshot. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openDatabase, type Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { LexicalIndexes } from '../../services/knowledge/lexical.ts';
import { byRareWords, idfsOfRareWords } from '../../services/knowledge/lexical-pruned.ts';
import { queryTerms } from '../../services/knowledge/rules.ts';
import { byWords, idfsByRows, type Scope } from '../../services/knowledge/search-sql.ts';
import { termFrequencies, terms } from '../../engines/retrieval/terms.ts';
import { onServer, withDatabase } from '../setup/databases.ts';
import { eventually } from '../setup/stack.ts';

type Query = Database['query'];
const tenant = 'acme';
const data = new URL('../../../shared/data/', import.meta.url).pathname;

let db: Database;
beforeAll(async () => {
  const servers = inject('servers');
  const name = `t_${randomBytes(8).toString('hex')}`;
  await onServer(servers.ownerUrl, `create database ${name} template ${servers.template}`);
  await onServer(withDatabase(servers.ownerUrl, name), `insert into tenants (id) values ('${tenant}'), ('other')`);
  db = await openDatabase(withDatabase(servers.appUrl, name), { max: 12 });
});
afterAll(() => db?.close());

let counter = 0;
async function newBase(of = tenant): Promise<number> {
  const id = `kb${(counter += 1)}`;
  const [row] = await asTenant(of, () =>
    db.query<{ scope: number }>('insert into knowledge_bases (tenant_id, id, name) values ($1, $2, $2) returning scope', [of, id]),
  );
  return row!.scope;
}

interface Text {
  text: string;
  code?: boolean;
}

/** Writes a document with its passages and postings, as yet unpublished. */
async function write(query: Query, scope: number, source: string, passages: Text[], of = tenant): Promise<string> {
  const id = `doc${(counter += 1)}`;
  await query(
    `insert into knowledge_sources (tenant_id, id, kb_id, identity, title, type, status)
     select $1, $2, id, $2, $2, 'text', 'indexing' from knowledge_bases where tenant_id = $1 and scope = $3 on conflict do nothing`,
    [of, source, scope],
  );
  await query(
    `insert into documents (tenant_id, id, source_id, scope, content_hash, blob, format, title, status, revision, chunk_count)
     values ($1, $2, $3, $4, '', '', 'text', '', 'building', 1, $5)`,
    [of, id, source, scope, passages.length],
  );
  const counts = passages.map(({ text }) => termFrequencies(text));
  const lengths = counts.map((each) => [...each.values()].reduce((sum, tf) => sum + tf, 0));
  const chunks = await query<{ id: string }>(
    `insert into chunks (tenant_id, scope, document_id, source_id, ordinal, body, place, end_place, has_code, terms)
     select $1, $2::int, $3, $4, n, body, '{}', '{}', code, terms from unnest($5::text[], $6::bool[], $7::int[]) with ordinality c(body, code, terms, n)
     order by n returning id`,
    [of, scope, id, source, passages.map(({ text }) => text), passages.map(({ code }) => code ?? false), lengths],
  );
  const rows = counts.flatMap((each, i) => [...each].map(([term, tf]) => ({ term, tf, chunk: chunks[i]!.id, dl: lengths[i]! })));
  await query(
    `insert into postings (tenant_id, scope, term, chunk_id, tf, dl)
     select $1, $2::int, p.* from unnest($3::text[], $4::bigint[], $5::real[], $6::int[]) p`,
    [of, scope, rows.map((row) => row.term), rows.map((row) => row.chunk), rows.map((row) => row.tf), rows.map((row) => row.dl)],
  );
  return id;
}

/** Replaces the source's former document. */
async function activate(query: Query, id: string, of = tenant): Promise<void> {
  await query(
    `update documents set status = 'retired' where tenant_id = $1 and status = 'active' and id <> $2
       and source_id = (select source_id from documents where tenant_id = $1 and id = $2)`,
    [of, id],
  );
  await query(
    `update documents d set status = 'active', terms = (select coalesce(sum(terms), 0) from chunks c where c.tenant_id = $1 and c.document_id = d.id)
     where tenant_id = $1 and id = $2`,
    [of, id],
  );
}

const written = <T>(work: (query: Query) => Promise<T>, of = tenant): Promise<T> => asTenant(of, () => db.transaction(work));

async function publish(scope: number, source: string, passages: Text[], of = tenant): Promise<string> {
  const id = await written((query) => write(query, scope, source, passages, of), of);
  await written((query) => activate(query, id, of), of);
  return id;
}

const snapshot = <T>(work: (query: Query) => Promise<T>, of = tenant): Promise<T> =>
  written(async (query) => {
    await query('set transaction isolation level repeatable read, read only');
    return await work(query);
  }, of);

type Filters = Partial<Pick<Scope, 'sources' | 'hasCode'>>;

/** Searches both ways in one snapshot. @returns whether the index served, and what it found */
async function compare(
  lexical: LexicalIndexes,
  query: Query,
  scopes: number[],
  asked: ReadonlyMap<string, number>,
  filters: Filters,
  limit: number,
) {
  let bySql = false;
  const watched: Query = (text, values) => {
    if (text.includes('with hidden as') || text.includes('with chosen as')) bySql = true;
    return query(text, values);
  };
  const scope: Scope = {
    tenant,
    scopes,
    sources: undefined,
    hasCode: undefined,
    ...filters,
    ...(await lexical.statistics(watched, tenant, scopes)),
  };
  const [truth] = await query<{ chunks: number; average: number; hidden: string[] }>(
    `select coalesce(sum(chunk_count) filter (where status = 'active'), 0)::int as chunks,
       coalesce(sum(terms) filter (where status = 'active') / nullif(sum(chunk_count) filter (where status = 'active'), 0), 0)::float8 as average,
       coalesce(array_agg(id order by id) filter (where status <> 'active'), '{}') as hidden
     from documents where tenant_id = $1 and scope = any($2)`,
    [tenant, scopes],
  );
  expect({ chunks: scope.chunks, hidden: [...scope.hidden].sort() }).toEqual({ chunks: truth!.chunks, hidden: truth!.hidden.sort() });
  expect(scope.averageTerms).toBeCloseTo(truth!.average, 10);

  const found = await lexical.search(watched, scope, asked, limit);
  const all = await byWords(query, scope, asked, 10_000);
  expect(found.idfs.map(short)).toEqual(all.idfs.map(short));
  const expected = all.hits.slice(0, limit);
  expect(found.hits.map((hit) => short(hit.score))).toEqual(expected.map((hit) => short(hit.score)));
  // Sums that differ in their last bit may come in another order, so each hit is looked up by its id.
  const truths = new Map(all.hits.map((hit) => [hit.id, hit]));
  expect(new Set(found.hits.map((hit) => hit.id)).size).toBe(found.hits.length);
  for (const hit of found.hits) {
    expect(short(hit.score)).toBe(short(truths.get(hit.id)?.score ?? NaN));
    expect(short(hit.coverage)).toBe(short(truths.get(hit.id)!.coverage));
  }
  if (!bySql) {
    const names = [...asked.keys()];
    const shorted = (idfs: Map<string, number>) => [...idfs].map(([term, idf]) => [term, short(idf)]);
    expect(shorted(await lexical.idfs(watched, scope, names))).toEqual(shorted(await idfsByRows(query, scope, names)));
  }
  return { bySql, hits: found.hits };
}
const short = (value: number): string => value.toFixed(9);

/** The same numbers in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

const words = Array.from({ length: 40 }, (_, i) => `wort${i}x`);
/** Tells how many transactions were begun for reading indexes. */
function counted(): { db: Database; begun: () => number } {
  let transactions = 0;
  return { db: { ...db, transaction: (work) => ((transactions += 1), db.transaction(work)) }, begun: () => transactions };
}
const patient = (maxMb = 64) => new LexicalIndexes(db, { maxMb, patienceMs: 60_000 });

describe('the word index', () => {
  it.each([1, 2, 3])(
    'answers as the postings do, whatever changes and whoever looks (seed %i)',
    async (seed) => {
      const next = random(seed);
      const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)]!;
      const text = () =>
        Array.from({ length: 3 + Math.floor(next() * 12) }, () => words[Math.floor(next() ** 2 * words.length)]!).join(' ');
      const passages = () => Array.from({ length: 1 + Math.floor(next() * 4) }, () => ({ text: text(), code: next() < 0.3 }));
      const lexical = patient();
      const scopes = [await newBase(), await newBase(), await newBase()];
      const sources = scopes.flatMap((scope) => Array.from({ length: 8 }, (_, i) => ({ scope, id: `src${scope}_${i}` })));
      const any = { id: '' };
      const documents = async (status: string): Promise<{ id: string }[]> =>
        written((query) =>
          query('select id from documents where tenant_id = $1 and scope = any($2) and status = $3', [tenant, scopes, status]),
        );
      const changes = [
        async () => void (await publish(pick(scopes), pick(sources).id, passages())),
        async () => {
          const { scope, id } = pick(sources);
          await publish(scope, id, passages());
        },
        // Written, published only later.
        async () => {
          const { scope, id } = pick(sources);
          await written((query) => write(query, scope, id, passages()));
        },
        async () => {
          const { id } = pick(await documents('building')) ?? any;
          await written((query) => activate(query, id));
        },
        async () => {
          const { id } = pick(await documents('active')) ?? any;
          await written((query) => query(`update documents set status = 'retired' where tenant_id = $1 and id = $2`, [tenant, id]));
        },
        async () => {
          const { id } = pick(await documents('retired')) ?? any;
          await written((query) => query('delete from documents where tenant_id = $1 and id = $2', [tenant, id]));
        },
        // As a memory is deleted: from one moment to the next.
        async () => {
          const { id } = pick(await documents('active')) ?? any;
          await written((query) => query('delete from documents where tenant_id = $1 and id = $2', [tenant, id]));
        },
        // As a pipeline counts words anew, in place.
        async () => {
          const { id } = pick(await documents('active')) ?? any;
          await written(async (query) => {
            await query(
              `update postings set term = term || 'neu' where tenant_id = $1 and term <> all($3) and chunk_id in (select id from chunks where tenant_id = $1 and document_id = $2)`,
              [tenant, id, words.slice(5)],
            );
            await query('update documents set changed = this_moment() where tenant_id = $1 and id = $2', [tenant, id]);
          });
        },
      ];
      let served = 0;
      let searches = 0;
      const search = async (query: Query): Promise<void> => {
        const chosen = scopes.filter(() => next() < 0.7);
        const asked = new Map(
          Array.from({ length: 1 + Math.floor(next() * 5) }, () => [
            next() < 0.1 ? 'wort1xneu' : pick(words),
            next() < 0.2 ? 0.3 : 1 + Math.floor(next() * 2),
          ]),
        );
        const filters: Filters = {
          ...(next() < 0.3 ? { sources: sources.filter(() => next() < 0.4).map(({ id }) => id) } : {}),
          ...(next() < 0.2 ? { hasCode: next() < 0.5 } : {}),
        };
        const { bySql } = await compare(lexical, query, chosen, asked, filters, pick([3, 10, 1_000]));
        searches += 1;
        if (!bySql) served += 1;
      };
      /** Snapshots taken now that search only later, some of them several times. */
      const later: { go: () => void; done: Promise<void> }[] = [];
      const hold = async (): Promise<void> => {
        let go = (): void => {};
        const released = new Promise<void>((resolve) => (go = resolve));
        let taken = (): void => {};
        const begun = new Promise<void>((resolve) => (taken = resolve));
        const done = snapshot(async (query) => {
          await query('select 1 from documents limit 1');
          taken();
          await released;
          await search(query);
          await search(query);
        });
        await Promise.race([begun, done]);
        later.push({ go, done });
      };
      /** A transaction that has its number now, and changes something only later: numbers do not follow the order of commits. */
      const slow = async (): Promise<void> => {
        let go = (): void => {};
        const released = new Promise<void>((resolve) => (go = resolve));
        let taken = (): void => {};
        const begun = new Promise<void>((resolve) => (taken = resolve));
        const abort = next() < 0.3;
        const done = written(async (query) => {
          await query('select this_moment()');
          taken();
          await released;
          const [standing] = await query<{ id: string }>(
            `select id from documents where tenant_id = $1 and scope = any($2) and status = 'active' order by id desc limit 1`,
            [tenant, scopes],
          );
          await query(`update documents set status = 'retired' where tenant_id = $1 and id = $2`, [tenant, standing?.id ?? '']);
          if (abort) throw new Error('changed its mind');
        }).catch((error: Error) => {
          if (error.message !== 'changed its mind') throw error;
        });
        await begun;
        later.push({ go, done });
      };

      for (let step = 0; step < 120; step += 1) {
        const die = next();
        if (die < 0.08 && later.length < 4) await hold();
        else if (die < 0.12 && later.length < 4) await slow();
        else if (die < 0.22 && later.length > 0) {
          const [{ go, done }] = later.splice(Math.floor(next() * later.length), 1) as [{ go: () => void; done: Promise<void> }];
          go();
          await done;
        } else if (die < 0.6) await pick(changes)();
        else await Promise.all(Array.from({ length: 1 + Math.floor(next() * 3) }, () => snapshot(search)));
      }
      for (const { go, done } of later) {
        go();
        await done;
      }
      await snapshot(search);
      expect(searches).toBeGreaterThan(40);
      // All but what an index in the making left to Postgres.
      expect(served).toBeGreaterThan(searches * 0.9);
    },
    120_000,
  );

  it('lets two snapshots at once each see their own', async () => {
    const scope = await newBase();
    const lexical = patient();
    await publish(scope, `s${scope}`, [{ text: 'kestrel alpha' }]);
    await publish(scope, `t${scope}`, [{ text: 'kestrel beta' }, { text: 'heron' }]);
    const asked = new Map([['kestrel', 1]]);
    const find = (query: Query) => compare(lexical, query, [scope], asked, {}, 10);
    expect((await snapshot(find)).hits).toHaveLength(2);
    await snapshot(async (before) => {
      expect((await find(before)).hits).toHaveLength(2);
      await publish(scope, `s${scope}`, [{ text: 'kestrel gamma' }, { text: 'kestrel delta' }]);
      await snapshot(async (after) => {
        const found = await Promise.all([find(after), find(before)]);
        expect(found.map(({ hits }) => hits.length)).toEqual([3, 2]);
        await written((query) => query(`delete from documents where tenant_id = $1 and source_id = $2`, [tenant, `t${scope}`]));
        await snapshot(async (last) => {
          const all = await Promise.all([find(before), find(last), find(after), find(before), find(last)]);
          expect(all.map(({ hits }) => hits.length)).toEqual([2, 2, 3, 2, 2]);
          expect(all.map(({ bySql }) => bySql)).toEqual(all.map(() => false));
        });
      });
    });
  });

  it('takes much at once from the background, and drops what is dead when that is much', async () => {
    const scope = await newBase();
    const lexical = patient();
    const many = (word: string) => Array.from({ length: 1_500 }, (_, i) => ({ text: `${word} n${i % 7}` }));
    const find = (word: string) => snapshot((query) => compare(lexical, query, [scope], queryTerms(terms(word)), {}, 2_000));
    await publish(scope, `s${scope}`, [{ text: 'owl' }]);
    expect(await find('owl')).toMatchObject({ bySql: false });
    for (const word of ['cormorant', 'grebe', 'bittern', 'egret']) {
      await publish(scope, `s${scope}`, many(word));
      const found = await find(word);
      expect(found.bySql).toBe(false);
      expect(found.hits).toHaveLength(1_500);
    }
    const fresh = patient();
    await snapshot((query) => compare(fresh, query, [scope], new Map([['egret', 1]]), {}, 10));
    await eventually('most of the dead are gone', async () => (await find('egret')) && lexical.bytes < 2.5 * fresh.bytes);
    expect((await find('grebe')).hits).toEqual([]);
  });

  it('leaves a big collection to Postgres until it is read, and finds nearly the same there', async () => {
    const scope = await newBase();
    const lexical = new LexicalIndexes(db, { maxMb: 64 });
    const next = random(4);
    const text = () => Array.from({ length: 6 }, () => words[Math.floor(next() ** 2 * words.length)]!).join(' ');
    for (let i = 0; i < 11; i += 1)
      await publish(
        scope,
        `s${scope}_${i}`,
        Array.from({ length: 1_000 }, () => ({ text: text() })),
      );
    const asked = new Map([
      ['wort35x', 1],
      ['wort39x', 1],
    ]);
    const search = (query: Query) =>
      lexical
        .statistics(query, tenant, [scope])
        .then((seen) => lexical.search(query, { tenant, scopes: [scope], sources: undefined, hasCode: undefined, ...seen }, asked, 10));
    expect(lexical.bytes).toBe(0);
    const cold = await snapshot(search);
    await eventually('the index is there', async () => lexical.bytes > 0);
    const warm = await snapshot((query) => compare(lexical, query, [scope], asked, {}, 10));
    expect(warm.bySql).toBe(false);
    const ids = new Set(warm.hits.map((hit) => hit.id));
    expect(cold.hits.filter((hit) => ids.has(hit.id)).length).toBeGreaterThanOrEqual(9);
  });

  it('keeps within its memory: least recently used goes first, and what does not fit is searched in Postgres', async () => {
    const scopes = [await newBase(), await newBase(), await newBase()];
    // 0.6 megabytes each.
    const passages = Array.from({ length: 400 }, (_, i) => ({
      text: Array.from({ length: 100 }, (_unused, n) => `w${(i * 14 + n * 13) % 6_000}`).join(' '),
    }));
    for (const scope of scopes) await publish(scope, `s${scope}`, passages);
    const { db: counting, begun } = counted();
    const lexical = new LexicalIndexes(counting, { maxMb: 1.4, patienceMs: 60_000 });
    const find = (...some: number[]) => snapshot((query) => compare(lexical, query, some, new Map([['w14', 1]]), {}, 10));
    const [a, b, c] = scopes as [number, number, number];
    for (const scope of [a, b, a, c, a]) expect((await find(scope)).bySql).toBe(false);
    expect(begun()).toBe(3);
    expect(lexical.bytes).toBeGreaterThan(600_000);
    expect(lexical.bytes).toBeLessThan(1.4 * 1024 * 1024);
    // All three do not fit together: the query reads nothing and evicts nothing.
    expect((await find(a, b, c)).bySql).toBe(true);
    await find(a);
    await find(c);
    expect(begun()).toBe(3);
    await find(b);
    expect(begun()).toBe(4);
    const small = patient(0.3);
    const tooBig = await snapshot((query) => compare(small, query, [a], new Map([['w14', 1]]), {}, 10));
    expect(tooBig.bySql).toBe(true);
    expect(small.bytes).toBe(0);
  });

  it('stays as it was when reading fails, and tries again later', async () => {
    const scope = await newBase();
    await publish(scope, `s${scope}`, [{ text: 'osprey' }]);
    let failing = true;
    const warnings: unknown[] = [];
    const breaking: Database = {
      ...db,
      transaction: (work) =>
        db.transaction((query) =>
          work((text, values) => {
            if (failing && text.includes('from postings')) throw new Error('the disk is on fire');
            return query(text, values);
          }),
        ),
    };
    const lexical = new LexicalIndexes(breaking, {
      maxMb: 64,
      patienceMs: 60_000,
      retryMs: 0,
      log: { warn: (fields: unknown) => void warnings.push(fields) },
    });
    const find = (word: string) => snapshot((query) => compare(lexical, query, [scope], queryTerms(terms(word)), {}, 2_000));
    expect(await find('osprey')).toMatchObject({ bySql: true, hits: [{}] });
    expect(warnings).toMatchObject([{ err: { message: 'the disk is on fire' }, tenant }]);
    failing = false;
    expect(await find('osprey')).toMatchObject({ bySql: false, hits: [{}] });
    // Much that is new is read in the background, too.
    failing = true;
    await publish(
      scope,
      `t${scope}`,
      Array.from({ length: 1_200 }, () => ({ text: 'osprey nest' })),
    );
    expect(await find('nest')).toMatchObject({ bySql: true });
    expect(lexical.bytes).toBeGreaterThan(0);
    failing = false;
    expect((await find('nest')).hits).toHaveLength(1_200);
    expect((await find('nest')).bySql).toBe(false);
  });

  it('shares one reading among all who ask at once', async () => {
    const scope = await newBase();
    await publish(
      scope,
      `s${scope}`,
      Array.from({ length: 50 }, (_, i) => ({ text: `plover n${i}` })),
    );
    const { db: counting, begun } = counted();
    const lexical = new LexicalIndexes(counting, { maxMb: 64, patienceMs: 60_000 });
    const all = await Promise.all(
      Array.from({ length: 6 }, () => snapshot((query) => compare(lexical, query, [scope], queryTerms(terms('plover')), {}, 100))),
    );
    expect(all.every(({ bySql, hits }) => !bySql && hits.length === 50)).toBe(true);
    expect(begun()).toBe(1);
  });

  it("holds nothing of another tenant's", async () => {
    const scope = await newBase('other');
    await publish(scope, `s${scope}`, [{ text: 'secret ibis' }], 'other');
    const lexical = patient();
    const found = await snapshot((query) => compare(lexical, query, [scope], queryTerms(terms('ibis')), {}, 10));
    expect(found.hits).toEqual([]);
    const own = await snapshot(async (query) => {
      const scopes = [scope];
      const seen = await lexical.statistics(query, 'other', scopes);
      return await lexical.search(
        query,
        { tenant: 'other', scopes, sources: undefined, hasCode: undefined, ...seen },
        queryTerms(terms('ibis')),
        10,
      );
    }, 'other');
    expect(own.hits).toHaveLength(1);
    expect((await snapshot((query) => compare(lexical, query, [scope], queryTerms(terms('ibis')), {}, 10))).hits).toEqual([]);
  });
});

const multihop = ['hotpotqa_distractor_100.jsonl', 'musique_60.jsonl'].map((file) => `${data}3-multihop/${file}`);
const present = multihop.every(existsSync);
if (!present) console.warn('The development data is not here: searching by rare words is not tested on real text.');

describe('searching by rare words', () => {
  it.skipIf(!present)(
    'finds what all words find, on real questions',
    async () => {
      const scope = await newBase();
      const examples = multihop.map((file) =>
        readFileSync(file, 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as Example),
      );
      const paragraphs = new Map(examples.flat().flatMap((example) => paragraphsOf(example)));
      const all = [...paragraphs].map(([title, text]) => ({ text: `${title}. ${text}` }));
      for (let from = 0; from < all.length; from += 500) await publish(scope, `multihop${from}`, all.slice(from, from + 500));
      const lexical = patient();
      let overlap = 0;
      let pruned = 0;
      const questions = examples.flat().map(({ question }) => queryTerms(terms(question)));
      await snapshot(async (query) => {
        const base: Scope = {
          tenant,
          scopes: [scope],
          sources: undefined,
          hasCode: undefined,
          ...(await lexical.statistics(query, tenant, [scope])),
        };
        const read = 600;
        for (const asked of questions) {
          const exact = await byWords(query, base, asked, 10);
          // As many postings as stand to this collection as the usual bounds to a few hundred thousand passages.
          const found = await byRareWords(query, base, asked, 10, { counted: 50, read, candidates: 60 });
          const ids = new Set(exact.hits.map((hit) => hit.id));
          overlap += found.hits.filter((hit) => ids.has(hit.id)).length / ids.size / questions.length;
          const [{ n }] = (await query<{ n: number }>(
            'select count(*)::int as n from postings where tenant_id = $1 and scope = $2 and term = any($3)',
            [tenant, scope, [...asked.keys()]],
          )) as [{ n: number }];
          if (n > read) pruned += 1;
        }
        // Filters hold among the candidates, too.
        const some: Scope = { ...base, sources: ['multihop0', 'multihop500'] };
        for (const asked of questions.slice(0, 10)) {
          const found = await byRareWords(query, some, asked, 10);
          expect(found.hits.map((hit) => hit.id)).toEqual((await byWords(query, some, asked, 10)).hits.map((hit) => hit.id));
          const names = [...asked.keys()];
          // Nothing is hidden here, and with so high a bound every word is counted.
          expect([...(await idfsOfRareWords(query, some, names, 1e6))]).toEqual([...(await idfsByRows(query, some, names))]);
        }
      });
      expect(pruned / questions.length).toBeGreaterThan(0.3);
      expect(overlap).toBeGreaterThan(0.9);
    },
    60_000,
  );
});

interface Example {
  question: string;
  context?: [string, string[]][];
  paragraphs?: { title: string; paragraph_text: string }[];
}

const paragraphsOf = ({ context = [], paragraphs = [] }: Example): [string, string][] => [
  ...context.map(([title, sentences]): [string, string] => [title, sentences.join('')]),
  ...paragraphs.map(({ title, paragraph_text: text }): [string, string] => [title, text]),
];
