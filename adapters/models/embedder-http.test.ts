import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../contracts/errors.ts';
import { embeddingDouble, embeddingKey, vectorOf, type EmbeddingDouble } from '../../test/setup/embeddings.ts';
import { createHttpEmbedder, type HttpEmbedderOptions } from './embedder-http.ts';
import type { Embedder } from './embedder.ts';
import { openEmbedders, serverOf } from './open.ts';

let double: EmbeddingDouble;
const opened: Embedder[] = [];
beforeAll(async () => void (double = await embeddingDouble(64)));
beforeEach(() => {
  double.asked = [];
  double.next = [];
  double.away = null;
  double.dimensions = 64;
  double.longest = 1_000_000;
});
afterEach(() => vi.useRealTimers());
afterAll(async () => {
  for (const each of opened) await each.close();
  await double?.close();
});

function embedder(given: Partial<HttpEmbedderOptions> = {}): Embedder {
  const made = createHttpEmbedder({
    url: double.url(given.dialect),
    apiKey: embeddingKey,
    model: 'of-all-languages',
    dialect: 'openai',
    dimensions: 64,
    pauseMs: 1,
    ...given,
  });
  opened.push(made);
  return made;
}
const failure = async (asked: Promise<unknown>): Promise<AppError> => {
  const error = await asked.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AppError);
  const { message, hint, cause, details } = error as AppError;
  // Neither the key nor what was asked, which the server repeats in its errors.
  expect(JSON.stringify([message, hint, details, String(cause)])).not.toMatch(/key-of-the|Bearer|secret text/);
  return error as AppError;
};

describe('a server of embeddings', () => {
  it.each(['openai', 'cohere'] as const)('gives unit vectors in the order of the texts (%s)', async (dialect) => {
    const own = embedder({ dialect, batch: 2, queryPrefix: 'query: ', passagePrefix: 'passage: ' });
    const texts = ['an export', 'a bill', 'a cat'];
    const vectors = await own.embed(texts);
    expect(double.asked.map((asked) => asked.texts)).toEqual([['passage: an export', 'passage: a bill'], ['passage: a cat']]);
    for (const [i, vector] of vectors.entries()) {
      expect(Math.hypot(...vector)).toBeCloseTo(1);
      const raw = vectorOf(`passage: ${texts[i]}`, 64);
      expect(vector[0]).toBeCloseTo(raw[0]! / Math.hypot(...raw));
    }
    await own.embed(['a cat'], { as: 'query' });
    const [first] = double.asked;
    const last = double.asked.at(-1)!;
    expect(last.texts).toEqual(['query: a cat']);
    expect([first!.inputType, last.inputType]).toEqual(dialect === 'cohere' ? ['search_document', 'search_query'] : [undefined, undefined]);
    expect(await own.embed([])).toEqual([]);
    expect(await own.embed([' '])).toHaveLength(1);
    expect(double.asked.at(-1)!.texts).toEqual(['passage: .']);
  });

  it('names the model by what makes its vectors, not by its address', () => {
    const { id } = embedder();
    expect(id).toMatch(/^of-all-languages@[0-9a-f]{12}$/);
    expect(embedder({ url: 'http://elsewhere:1/v1/embeddings', apiKey: 'other', queryPrefix: 'q: ' }).id).toBe(id);
    for (const other of [{ dimensions: 32 }, { passagePrefix: 'p: ' }, { model: 'other' }, { dialect: 'cohere' as const }]) {
      expect(embedder(other).id).not.toBe(id);
    }
  });

  it('is asked again after 429, 5xx, a lost connection and nonsense', async () => {
    double.next = [{ status: 429, headers: { 'retry-after-ms': '1' } }, { status: 503 }, 'CUT'];
    expect(await embedder().embed(['a cat'])).toHaveLength(1);
    expect(double.next).toEqual([]);
    double.next = ['NONSENSE'];
    expect(await embedder().embed(['a cat'])).toHaveLength(1);
  });

  it('passes on a long pause, and is not asked meanwhile by this call', async () => {
    double.next = [{ status: 429, headers: { 'retry-after': '120' } }];
    const error = await failure(embedder().embed(['secret text']));
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 120 });
    expect(error.message).toContain('HTTP 429');
    expect(double.asked).toEqual([]);
  });

  it('rests after two failures, and answers again', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const own = embedder({ maxRetries: 0, restMs: 5_000 });
    double.away = 503;
    await failure(own.embed(['secret text']));
    expect(own.resting).toBe(false);
    await failure(own.embed(['secret text']));
    expect(own.resting).toBe(true);
    expect((await failure(own.embed(['secret text']))).message).toContain('did not answer of late');
    double.away = null;
    vi.setSystemTime(Date.now() + 5_000);
    expect(await own.embed(['a cat'])).toHaveLength(1);
    expect(own.resting).toBe(false);
  });

  it.each([
    [401, /key/],
    [404, /EMBEDDING_URL/],
  ])('says what to check after %i, at once', async (status, hint) => {
    double.next = [{ status }];
    const error = await failure(embedder().embed(['secret text']));
    expect(error.message).toContain(`HTTP ${status}`);
    expect(error.hint).toMatch(hint);
    expect(double.asked).toEqual([]);
  });

  it('refuses vectors of another length, and says both', async () => {
    double.dimensions = 48;
    const error = await failure(embedder().embed(['secret text']));
    expect(error.message).toContain('its vectors have 48 dimensions, EMBEDDING_DIMENSIONS is 64');
    expect(error.hint).toContain('48');
    const [vector] = await embedder({ shorten: true }).embed(['a cat']);
    expect(vector).toHaveLength(64);
    expect(double.asked.at(-1)!.body).toMatchObject({ dimensions: 64 });
  });

  it('halves what is too long until it fits', async () => {
    double.longest = 500;
    const vectors = await embedder().embed(['a cat', 'long '.repeat(800), 'a bill']);
    expect(vectors).toHaveLength(3);
    expect(vectors[0]![3]).toBe((await embedder().embed(['a cat']))[0]![3]);
    expect(Math.max(...double.asked.flatMap(({ texts }) => texts.map(({ length }) => length)))).toBeLessThanOrEqual(500);
    expect(double.asked.flatMap(({ texts }) => texts)).toContain('a bill');
    double.longest = 10;
    expect((await failure(embedder().embed(['secret text and more']))).message).toContain('HTTP 400');
  });

  it('sends no more of a text than allowed, and no half characters', async () => {
    await embedder({ maxCharacters: 5 }).embed(['abcd😀ef']);
    expect(double.asked[0]!.texts).toEqual(['abcd\ufffd']);
  });

  it('ends at its timeout, and at once when the caller leaves or it is closed', async () => {
    // First, as what the others sent may arrive late, and take what is next.
    double.next = ['HANG'];
    const own = embedder();
    const waiting = failure(own.embed(['secret text'], { signal: new AbortController().signal }));
    await expect.poll(() => double.next).toEqual([]);
    await own.close();
    expect((await waiting).message).toContain('closed');
    double.next = ['HANG', 'HANG'];
    expect((await failure(embedder({ timeoutMs: 50 }).embed(['secret text']))).message).toContain('within');
    const leaving = new AbortController();
    const left = embedder().embed(['a cat'], { signal: leaving.signal });
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
  });

  it('lets no query wait for other texts', async () => {
    const own = embedder({ concurrency: 1 });
    double.next = ['HANG'];
    const leaving = new AbortController();
    const batch = own.embed(['one', 'two'], { signal: leaving.signal });
    await expect.poll(() => double.next).toEqual([]);
    expect(await own.embed(['a cat'])).toHaveLength(1);
    leaving.abort(new Error('left'));
    await expect(batch).rejects.toThrow('left');
  });
});

describe('openEmbedders', () => {
  const server = { EMBEDDING_URL: 'http://localhost:9/v1/embeddings', EMBEDDING_MODEL: 'm', EMBEDDING_DIMENSIONS: 8 };

  it('takes a server before the folder, which stays at hand', () => {
    const { embedder: current, former, local } = openEmbedders({ ...server, EMBEDDING_MODEL_DIR: '/no/such/folder' });
    expect(current?.dimensions).toBe(8);
    expect(former).toHaveLength(1);
    expect(local).toBe(former[0]);
    expect(openEmbedders({ EMBEDDING_MODEL_DIR: 'none' })).toMatchObject({ embedder: null, former: [], local: null });
  });

  it.each([
    [{ EMBEDDING_MODEL: undefined }, 'EMBEDDING_MODEL'],
    [{ EMBEDDING_DIMENSIONS: undefined }, 'EMBEDDING_DIMENSIONS'],
    [{ EMBEDDING_URL: 'ftp://x/y' }, 'no http address'],
  ])('refuses %o', (change, said) => {
    expect(() => openEmbedders({ ...server, ...change })).toThrow(said);
  });

  it("uses a provider's usual key for its own address only", () => {
    const config = { ...server, OPENAI_API_KEY: 'usual' };
    expect(serverOf(config, 'https://api.openai.com/v1/embeddings').apiKey).toBe('usual');
    expect(serverOf(config, server.EMBEDDING_URL).apiKey).toBeUndefined();
  });
});
