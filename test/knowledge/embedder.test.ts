import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { AppError } from '../../contracts/errors.ts';
import { createLocalEmbedder, type Embedder } from '../../adapters/models/embedder.ts';
import { createEmbedder } from '../../adapters/models/open.ts';

const dir = inject('servers').modelDir ?? '';
const present = dir !== '';

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
};

describe('createEmbedder', () => {
  it.each([undefined, '', 'none', ' none '])('gives none for %o', (value) => {
    expect(createEmbedder({ EMBEDDING_MODEL_DIR: value })).toBeNull();
  });

  it('names EMBEDDING_MODEL_DIR when the folder has no model', async () => {
    const embedder = createEmbedder({ EMBEDDING_MODEL_DIR: join(tmpdir(), 'signalbox-no-such-model') });
    await expect(embedder?.embed(['x'])).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('EMBEDDING_MODEL_DIR') as string,
    });
    expect(() => embedder?.id).toThrow(AppError);
  });

  it('names EMBEDDING_MODEL_DIR when the files are no model, and stays usable for another try', async () => {
    const broken = mkdtempSync(join(tmpdir(), 'signalbox-broken-model-'));
    writeFileSync(join(broken, 'model.onnx'), 'not a model');
    writeFileSync(join(broken, 'tokenizer.json'), '{}');
    const embedder = createLocalEmbedder({ dir: broken });
    const failures = await Promise.allSettled([embedder.embed(['a']), embedder.embed(['b', 'c'])]);
    for (const failure of failures) {
      expect(failure).toMatchObject({ status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } });
    }
    await expect(embedder.embed(['again'])).rejects.toThrow('EMBEDDING_MODEL_DIR');
    await embedder.close();
    rmSync(broken, { recursive: true });
  });
});

describe.skipIf(!present)('createLocalEmbedder', () => {
  const open: Embedder[] = [];
  const embedder = (idleMs?: number): Embedder => {
    const made = createLocalEmbedder({ dir, ...(idleMs === undefined ? {} : { idleMs }) });
    open.push(made);
    return made;
  };
  afterAll(() => Promise.all(open.map((each) => each.close())));
  const shared = embedder();

  it('tells its model and hash', () => {
    expect(shared.id).toMatch(/^[\w.-]+@[0-9a-f]{12}$/);
    expect(shared.id).toBe(createLocalEmbedder({ dir }).id);
  });

  it('places related sentences closer than unrelated ones', async () => {
    const related = [
      ['The app crashes when I open the settings page.', 'Settings screen makes the application quit unexpectedly.'],
      ['How do I reset my password?', 'I forgot my login credentials and need new ones.'],
      ['Revenue grew by twelve percent last quarter.', 'Sales increased considerably in the previous three months.'],
      ['The cat slept on the warm windowsill.', 'A kitten was napping in the sun by the window.'],
    ];
    const vectors = await Promise.all(related.map((pair) => shared.embed(pair)));
    for (const [i, [left]] of vectors.entries()) {
      for (const [j, [, right]] of vectors.entries()) {
        if (i !== j) expect(dot(left!, vectors[i]![1]!)).toBeGreaterThan(dot(left!, right!) + 0.1);
      }
    }
  });

  it('gives unit vectors, the same alone, in a batch and in another process', async () => {
    const texts = ['short', 'a somewhat longer text about exporting reports to PDF', '', 'Überraschung 東京 🎉'];
    const batch = await shared.embed(texts);
    const other = await embedder().embed([...texts].reverse());
    for (const [i, text] of texts.entries()) {
      const vector = batch[i]!;
      expect(vector).toHaveLength(shared.dimensions);
      expect(dot(vector, vector)).toBeCloseTo(1, 5);
      expect((await shared.embed([text]))[0]).toEqual(vector);
      expect(other[texts.length - 1 - i]).toEqual(vector);
    }
  });

  it('of a model that is not known reads from its files how it is used', async () => {
    const other = mkdtempSync(join(tmpdir(), 'signalbox-model-'));
    try {
      // The shipped model with a note (field 6, doc_string) at its end: the same vectors, another hash.
      writeFileSync(join(other, 'model.onnx'), Buffer.concat([readFileSync(join(dir, 'model.onnx')), Buffer.from([0x32, 1, 0x78])]));
      copyFileSync(join(dir, 'tokenizer.json'), join(other, 'tokenizer.json'));
      const cls = createLocalEmbedder({ dir: other });
      open.push(cls);
      expect(cls.id).toMatch(/^onnx@/);
      expect(cls.encoder).toBeUndefined();
      expect((await cls.embed(['an export']))[0]).toEqual((await shared.embed(['an export']))[0]);

      mkdirSync(join(other, '1_Pooling'));
      writeFileSync(
        join(other, '1_Pooling/config.json'),
        JSON.stringify({ word_embedding_dimension: 384, pooling_mode_mean_tokens: true }),
      );
      writeFileSync(
        join(other, 'config_sentence_transformers.json'),
        JSON.stringify({ prompts: { query: 'query: ', passage: 'passage: ' } }),
      );
      const mean = createLocalEmbedder({ dir: other });
      const plain = createLocalEmbedder({ dir: other, facts: { queryPrefix: '', passagePrefix: '' } });
      const wrong = createLocalEmbedder({ dir: other, facts: { dimensions: 512 } });
      open.push(mean, plain, wrong);
      expect(new Set([cls.id, mean.id, plain.id]).size).toBe(3);
      const [asQuery] = await mean.embed(['an export'], { as: 'query' });
      const [asPassage] = await mean.embed(['an export']);
      expect([asQuery, asPassage]).toEqual(await plain.embed(['query: an export', 'passage: an export']));
      expect(asQuery).not.toEqual((await cls.embed(['query: an export']))[0]);
      await expect(wrong.embed(['an export'])).rejects.toThrow('384 dimensions, 512 were expected');
    } finally {
      rmSync(other, { recursive: true });
    }
  });

  it('ignores what lies beyond the window, at bounded cost', async () => {
    const [a, b] = await shared.embed(['word '.repeat(600), 'word '.repeat(1_000_000)]);
    expect(a).toEqual(b);
  });

  it('answers a query while a batch waits', async () => {
    const finished: string[] = [];
    const batch = shared.embed(Array.from({ length: 12 }, (_, i) => `batch text ${i}`)).then(() => finished.push('batch'));
    const query = shared.embed(['query']).then(() => finished.push('query'));
    await Promise.all([batch, query]);
    expect(finished).toEqual(['query', 'batch']);
  });

  it('drops an aborted batch and goes on', async () => {
    const stop = new AbortController();
    const batch = shared.embed(
      Array.from({ length: 500 }, () => 'a text nobody needs any more'),
      { signal: stop.signal },
    );
    stop.abort(new Error('enough'));
    await expect(batch).rejects.toThrow('enough');
    await expect(shared.embed(['x'], { signal: stop.signal })).rejects.toThrow('enough');
    expect(await shared.embed(['still here'])).toHaveLength(1);
  });

  it('loads anew after it was idle, and refuses after close', async () => {
    const brief = embedder(0);
    const [first] = await brief.embed(['text']);
    let passes = 0;
    await until(() => ++passes > 50);
    expect((await brief.embed(['text']))[0]).toEqual(first);
    const pending = brief.embed(Array.from({ length: 100 }, () => 'text'));
    await Promise.all([expect(pending).rejects.toThrow('closed'), brief.close()]);
    await expect(brief.embed(['text'])).rejects.toThrow('closed');
    await brief.close();
  });
});
