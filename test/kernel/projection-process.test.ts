import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { pgvector } from '../../adapters/vectors/pgvector.ts';
import { collectionName } from '../../adapters/vectors/qdrant.ts';
import type { ProjectedVectors, VectorStore } from '../../adapters/vectors/types.ts';
import { healthOf } from '../../api/health.ts';
import { backendServices } from '../../api/rest/status.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { SearchHit } from '../../contracts/knowledge/knowledge.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { histories, replay } from '../setup/replay.ts';
import { takeIn } from '../setup/evidence.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';
import { startQdrant, type TestQdrant } from '../vectors/qdrant.ts';

const started = await startQdrant();
const missing = 'missing' in started ? started.missing : inject('servers').modelDir === null ? 'no embedding model' : null;
if (missing) console.warn(`Tests of the projection's process are skipped: ${missing}`);

const texts = {
  trains: 'The signal box keeps the trains apart. A lever moves the points, and the block bell tells the next box of the train.',
  bread: 'Sourdough wants flour, water, salt and patience. The dough rests over night and is baked in a very hot oven.',
  stars: 'A telescope gathers the light of faint stars. Astronomers measure its spectrum to learn what they are made of.',
};

describe.skipIf(missing !== null)("the projection's process", () => {
  const qdrant = started as TestQdrant;
  let stack: TestStack;
  let copy: ProjectedVectors;
  let pm: Caller;

  beforeAll(async () => {
    stack = await testStack({
      env: { QDRANT_URL: qdrant.url, QDRANT_COLLECTION: qdrant.prefix, ...(qdrant.apiKey ? { QDRANT_API_KEY: qdrant.apiKey } : {}) },
    });
    copy = stack.projected!;
    pm = await stack.caller({ name: 'pm' });
    await stack.services.projections.start();
  });
  afterAll(async () => {
    await wipe().catch(() => {});
    await stack?.stop();
    if (!('missing' in started)) await started.stop();
  });

  const wipe = () =>
    fetch(`${qdrant.url}/collections/${collectionName(qdrant.prefix, copy.model)}`, {
      method: 'DELETE',
      headers: qdrant.apiKey ? { 'api-key': qdrant.apiKey } : {},
    });
  const ingest = async (title: string, content: string) => {
    const { result, ...ids } = await takeIn(stack, pm, title, content);
    return { ...ids, chunk_count: result['chunk_count'] as number };
  };
  const found = async (query: string) =>
    (await stack.ok<{ hits: SearchHit[] }>(pm, 'index.chunk.search', { query, mode: 'semantic' })).hits.map(({ source }) => source);
  const inCopy = async () => (await copy.documents('acme', null)).ids.sort();
  const projected = (documents: (string | undefined)[]) =>
    eventually(`${documents.length} documents in the copy`, async () => {
      await stack.services.projections.wake();
      return JSON.stringify(await inCopy().catch(() => null)) === JSON.stringify(documents.map(String).sort());
    });
  /** As a search asks, of the copy with Postgres behind it, or of Postgres alone. */
  async function nearest(text: string, store: VectorStore): Promise<{ id: string; score: number }[]> {
    const [vector] = await stack.embedder!.embed([text]);
    return await asTenant('acme', () =>
      stack.db.transaction(async (query) => {
        await query('set transaction isolation level repeatable read, read only');
        const scopes = (await query<{ scope: number }>('select scope from knowledge_bases where tenant_id = $1', ['acme'])).map(
          (row) => row.scope,
        );
        const hidden = await query<{ id: string }>(`select id from documents where tenant_id = 'acme' and status <> 'active'`);
        return await store.nearest(
          { tenant: 'acme', scopes, model: copy.model, vector: vector!, limit: 50, hidden: hidden.map(({ id }) => id), chunks: 100 },
          query,
        );
      }),
    );
  }

  it('brings publications, replacements and deletions into the copy, and searches find them all the while', async () => {
    const trains = await ingest('Trains', texts.trains);
    expect((await found('railway signalling'))[0]).toBe('Trains');
    const bread = await ingest('Bread', texts.bread);
    await projected([trains.document_id, bread.document_id]);
    expect(await copy.count('acme')).toBe(trains.chunk_count + bread.chunk_count);
    expect((await found('how to bake a loaf'))[0]).toBe('Bread');

    // The same source again, with other content.
    const again = await ingest('Bread', texts.stars);
    expect(again.source_id).toBe(bread.source_id);
    await projected([trains.document_id, again.document_id]);

    await stack.ok(pm, 'knowledge.source.delete', { source_id: again.source_id });
    await projected([trains.document_id]);
    expect(await found('astronomers and telescopes')).toEqual(['Trains']);
  });

  it('catches up after Qdrant and the worker were away, and answers meanwhile', async ({ skip }) => {
    if (!qdrant.control) return skip('this Qdrant is not ours to kill');
    const before = await inCopy();
    const states = async () => backendServices(await healthOf(() => stack)());
    expect(await states()).toMatchObject({ qdrant: 'up' });
    await qdrant.control.kill();
    expect(await states()).toMatchObject({ qdrant: 'down', knowledge_hub: 'up' });
    const stars = await ingest('Stars', texts.stars);
    expect((await found('spectra of faint stars'))[0]).toBe('Stars');
    await stack.stopWorkers();
    await qdrant.control.start();
    await stack.startWorkers();
    await projected([...before, stars.document_id]);
    expect(await states()).toMatchObject({ qdrant: 'up' });
    // The cursor moves after the copy has it.
    await eventually('nothing is pending', async () => (await stack.services.projections.projectionStatus()).pending === 0);
    expect(await stack.services.projections.projectionStatus()).toMatchObject({ store: 'qdrant', healthy: true });
  });

  it('makes the copy anew when asked, once at a time, and with the answers of Postgres', async ({ skip }) => {
    if (!qdrant.control) return skip('this Qdrant is not ours to kill');
    await ingest('Loaf', texts.bread);
    await eventually('nothing pending', async () => {
      await stack.services.projections.wake();
      return (await stack.services.projections.projectionStatus()).pending === 0;
    });
    const count = await copy.count('acme');
    await wipe();
    await qdrant.control.kill();
    const key = randomUUID();
    const asked = await stack.call(pm, 'index.projection.rebuild', {}, { idempotencyKey: key });
    expect(asked.envelope).toMatchObject({
      status: 'accepted',
      refs: [{ type: 'workflow', id: 'projection/vectors', url: expect.any(String) }],
    });
    expect((await stack.call(pm, 'index.projection.rebuild')).error).toMatchObject({ code: 'CONFLICT', details: { reason: 'running' } });
    expect((await stack.call(pm, 'index.projection.rebuild', {}, { idempotencyKey: key })).error).toBeUndefined();
    await qdrant.control.start();
    const done = await eventually('the rebuild', async () => {
      const progress = await stack.services.projections.progress();
      return progress.state === 'done' && progress;
    });
    expect(done).toMatchObject({ tenant: 'acme', passages: count, tenants: 1 });
    expect(await copy.count('acme')).toBe(count);
    for (const text of Object.values(texts)) {
      const [ours, theirs] = [await nearest(text, stack.vectors), await nearest(text, pgvector)];
      expect(ours.map(({ id }) => id)).toEqual(theirs.map(({ id }) => id));
      for (const [i, { score }] of ours.entries()) expect(score).toBeCloseTo(theirs[i]!.score, 2);
    }
  });

  it('says that there is nothing to rebuild where no copy is', async () => {
    const plain = await testStack({ workers: false, model: false });
    const caller = await plain.caller();
    expect((await plain.call(caller, 'index.projection.rebuild')).error).toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'no_copy' },
    });
    expect(await plain.services.projections.projectionStatus()).toMatchObject({ store: 'pgvector', healthy: true });
    expect('qdrant' in (await healthOf(() => plain)())).toBe(false);
    await plain.stop();
  });

  it('left histories that replay', async () => {
    expect(await stack.services.projections.progress()).toMatchObject({ state: 'done' });
    const { status, searchAttributes } = await stack.temporal.handle(workflowIds.projection('vectors')).describe();
    expect(status.name).toBe('RUNNING');
    expect(searchAttributes['SignalboxStatus']).toEqual(['following']);
    expect(await replay(histories(stack.temporal.client, "WorkflowType = 'projection'"))).toBeGreaterThan(0);
  });
});
