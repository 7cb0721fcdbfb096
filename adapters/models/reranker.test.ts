import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createHttpReranker } from './reranker-http.ts';
import { createLocalReranker } from './reranker-local.ts';
import { createReranker, type Reranker } from './reranker.ts';
import { largestIdModel, wordTokenizer } from './fixtures/tiny-model.ts';

describe('createReranker', () => {
  const none = { RERANKER_ENABLED: true };
  it.each([
    none,
    { ...none, RERANKER_URL: '', RERANKER_MODEL_DIR: ' ' },
    { ...none, RERANKER_MODEL_DIR: 'none' },
    { RERANKER_ENABLED: false, RERANKER_URL: 'http://localhost:1/v1/rerank' },
  ])('gives none for %o', (config) => {
    expect(createReranker(config)).toBeNull();
  });

  it('takes a server before a model', () => {
    expect(createReranker({ ...none, RERANKER_URL: 'http://h:9/v1/rerank', RERANKER_MODEL: 'm', RERANKER_MODEL_DIR: '/x' })?.id).toBe(
      'm@h:9',
    );
    expect(createReranker({ ...none, RERANKER_MODEL_DIR: '/x/big' })?.id).toBe('big@absent');
  });
});

describe('createHttpReranker', () => {
  interface Asked {
    headers: IncomingMessage['headers'];
    body: { model?: string; query: string; documents: string[]; top_n: number };
  }
  let server: Server;
  let url: string;
  let asked: Asked[] = [];
  let answer: (asked: Asked, response: ServerResponse) => void;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const got = { headers: request.headers, body: JSON.parse(Buffer.concat(pieces).toString('utf8')) as Asked['body'] };
        asked.push(got);
        answer(got, response);
      });
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/rerank`;
  });
  afterEach(() => void (asked = []));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const json = (response: ServerResponse, body: unknown): void =>
    void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  /** Scores by length, best first, like servers. */
  const byLength = ({ body }: Asked, response: ServerResponse): void =>
    json(response, {
      results: body.documents
        .map((document, index) => ({ index, relevance_score: document.length / 100 }))
        .sort((a, b) => b.relevance_score - a.relevance_score)
        .slice(0, body.top_n),
    });

  it('gives scores in the order of the documents', async () => {
    answer = byLength;
    const reranker = createHttpReranker({ url, apiKey: 'secret', model: 'judge' });
    expect(await reranker.rerank('q', ['aa', 'a', 'aaaa'])).toEqual([0.02, 0.01, 0.04]);
    expect(asked[0]).toMatchObject({
      headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
      body: { model: 'judge', query: 'q', documents: ['aa', 'a', 'aaaa'], top_n: 3 },
    });
    expect(await reranker.rerank('q', ['aa', 'a', 'aaaa'], { topN: 2 })).toEqual([0.02, -Infinity, 0.04]);
    expect(await reranker.rerank('q', [])).toEqual([]);
  });

  it.each([500, 503, 429])('tries once more after %i', async (status) => {
    answer = (got, response) => (asked.length === 1 ? void response.writeHead(status).end('busy') : byLength(got, response));
    expect(await createHttpReranker({ url }).rerank('q', ['a'])).toEqual([0.01]);
    expect(asked).toHaveLength(2);
    expect(asked[0]!.headers.authorization).toBeUndefined();
    expect(asked[0]!.body).not.toHaveProperty('model');
  });

  it('tries once more after a broken connection, and no more than that', async () => {
    answer = (_, response) => void response.destroy();
    await expect(createHttpReranker({ url }).rerank('q', ['a'])).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });
    expect(asked).toHaveLength(2);
  });

  it.each([400, 401, 404])('does not repeat what %i refuses, and never tells the key', async (status) => {
    answer = (_, response) => void response.writeHead(status).end('secret detail');
    const failure = await createHttpReranker({ url, apiKey: 'top-secret' })
      .rerank('q', ['a'])
      .then(String, (error: Error) => `${error.message} ${JSON.stringify(error)}`);
    expect(failure).toContain(String(status));
    expect(failure).not.toContain('secret');
    expect(asked).toHaveLength(1);
  });

  it('does not follow a redirect', async () => {
    answer = (_, response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
    await expect(createHttpReranker({ url, apiKey: 'k' }).rerank('q', ['a'])).rejects.toThrow('307');
  });

  it.each([
    ['no JSON', 'oops'],
    ['another shape', '{"data":[]}'],
    ['an index beyond the documents', '{"results":[{"index":7,"relevance_score":1}]}'],
  ])('refuses %s', async (_, text) => {
    answer = (__, response) => void response.end(text);
    await expect(createHttpReranker({ url }).rerank('q', ['a'])).rejects.toThrow('not understood');
  });

  it('gives up at the time-out, and at once when aborted', async () => {
    answer = () => {};
    await expect(createHttpReranker({ url, timeoutMs: 50 }).rerank('q', ['a'])).rejects.toThrow('within 50 ms');
    const stop = new AbortController();
    const call = createHttpReranker({ url }).rerank('q', ['a'], { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
  });
});

describe('createLocalReranker', () => {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-reranker-'));
  const open: Reranker[] = [];
  const local = (options: object = {}): Reranker => {
    const made = createLocalReranker({ dir, ...options });
    open.push(made);
    return made;
  };
  beforeAll(() => {
    // Later words have higher ids, and the model's logit is the highest id in the document.
    writeFileSync(join(dir, 'tokenizer.json'), JSON.stringify(wordTokenizer(['bad', 'poor', 'fair', 'good', 'best'])));
    writeFileSync(join(dir, 'model.onnx'), largestIdModel());
  });
  afterAll(async () => {
    await Promise.all(open.map((each) => each.close()));
    rmSync(dir, { recursive: true });
  });

  it('reads query and document as a pair: only the document decides here', async () => {
    const reranker = local();
    const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
    const scores = await reranker.rerank('best best', ['poor', 'good poor', 'bad']);
    for (const [i, id] of [4, 6, 3].entries()) expect(scores[i]).toBeCloseTo(sigmoid(id), 5);
    expect(await reranker.rerank('bad', ['best'])).toEqual([expect.closeTo(sigmoid(7), 5)]);
    expect(reranker.id).toMatch(/^signalbox-reranker-\w+@\d+-\d+$/);
  });

  it('cuts what is too long for the window, and keeps serving calls one after the other', async () => {
    const reranker = local();
    const [long, plain] = await Promise.all([
      reranker.rerank('fair', [`good ${'poor '.repeat(5_000)} best`, 'bad']),
      reranker.rerank('fair', ['bad']),
    ]);
    expect(long[0]).toBeGreaterThan(long[1]!);
    // "best" is beyond the window.
    expect(long[0]).toBeCloseTo((await reranker.rerank('fair', ['good']))[0]!, 6);
    expect(plain).toEqual([long[1]]);
  });

  it('starts anew after it was idle, and refuses after close', async () => {
    const reranker = local({ idleMs: 0 });
    const first = await reranker.rerank('fair', ['good']);
    let passes = 0;
    while (++passes < 50) await new Promise((resolve) => setImmediate(resolve));
    expect(await reranker.rerank('fair', ['good'])).toEqual(first);
    await reranker.close();
    await expect(reranker.rerank('fair', ['good'])).rejects.toThrow('closed');
  });

  it('drops an aborted call and goes on', async () => {
    const reranker = local();
    const stop = new AbortController();
    const call = reranker.rerank(
      'fair',
      Array.from({ length: 2_000 }, () => 'good'),
      { signal: stop.signal },
    );
    stop.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    expect(await reranker.rerank('fair', ['good'])).toHaveLength(1);
  });

  it('names RERANKER_MODEL_DIR when there is no model, or none that loads', async () => {
    await expect(createLocalReranker({ dir: join(dir, 'absent') }).rerank('a', ['b'])).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('RERANKER_MODEL_DIR') as string,
    });
    const broken = mkdtempSync(join(tmpdir(), 'signalbox-reranker-broken-'));
    writeFileSync(join(broken, 'model.onnx'), 'not a model');
    writeFileSync(join(broken, 'tokenizer.json'), '{}');
    const reranker = createLocalReranker({ dir: broken });
    for (let i = 0; i < 2; i += 1) await expect(reranker.rerank('a', ['b'])).rejects.toThrow('RERANKER_MODEL_DIR');
    await reranker.close();
    rmSync(broken, { recursive: true });
  });
});
