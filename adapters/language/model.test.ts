import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AppError } from '../../contracts/errors.ts';
import { doubleKey, modelDouble, type ModelDouble } from '../../test/setup/models.ts';
import { createLanguageModel } from './model.ts';
import { modelSettings } from './settings.ts';
import type { LanguageModel, ObjectRequest } from './types.ts';

const schema = z.object({ animals: z.array(z.string()) });
const request: ObjectRequest<z.infer<typeof schema>> = {
  purpose: 'test',
  system: 'Name animals.',
  prompt: 'Two of them.',
  schema,
  maxOutputTokens: 50,
};
const good = { animals: ['owl', 'fox'] };

describe('language models over HTTP', () => {
  let double: ModelDouble;
  const open: LanguageModel[] = [];
  const model = (provider: 'anthropic' | 'openai-compatible' | 'google', env: Record<string, string> = {}, pauseMs = 1): LanguageModel => {
    const made = createLanguageModel({ ...modelSettings(double.config(provider, env))!, pauseMs });
    open.push(made);
    return made;
  };
  const failing = (asked: Promise<unknown>): Promise<AppError> =>
    asked.then(
      () => expect.fail('it should have failed'),
      (error: AppError) => error,
    );

  beforeAll(async () => {
    double = await modelDouble();
  });
  beforeEach(() => {
    double.asked = [];
    double.next = [];
    double.counts = true;
    double.answer = () => good;
  });
  afterAll(async () => {
    await Promise.all(open.map((each) => each.close()));
    await double.close();
  });

  describe.each(['anthropic', 'openai-compatible', 'google'] as const)('%s', (provider) => {
    it('answers in the asked structure and counts tokens and costs', async () => {
      const asked = model(provider, { LLM_INPUT_USD_PER_MTOK: '3', LLM_OUTPUT_USD_PER_MTOK: '15' });
      const { value, usage } = await asked.object(request);
      expect(value).toEqual(good);
      expect(usage).toEqual({ inputTokens: 100, outputTokens: 10, costUsd: (100 * 3 + 10 * 15) / 1e6 });
      expect(double.asked).toHaveLength(1);
      expect(double.asked[0]).toMatchObject({ prompts: ['Two of them.'], structured: true });
      expect(double.asked[0]!.system).toContain('Name animals.');
    });

    it('sends garbage back once, and both attempts are counted', async () => {
      double.next = ['Sure! Here are some animals.'];
      const { value, usage } = await model(provider).object(request);
      expect(value).toEqual(good);
      expect(usage).toEqual({ inputTokens: 200, outputTokens: 20, costUsd: null });
      expect(double.asked[1]!.prompts.at(-1)).toContain('It is not JSON.');
    });

    it('gives up after garbage of the same kind', async () => {
      double.answer = () => ({ animals: 'owl' });
      const error = await failing(model(provider).object(request));
      expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: { reason: 'garbage', usage: { inputTokens: 200 } } });
      expect(double.asked).toHaveLength(2);
    });

    it('takes a refusal for a refusal', async () => {
      double.next = ['REFUSE'];
      const error = await failing(model(provider).object(request));
      expect(error).toMatchObject({ code: 'VALIDATION_ERROR', details: { reason: 'refused', usage: { inputTokens: 100 } } });
      expect(error.retryable).toBe(false);
      expect(double.asked).toHaveLength(1);
    });

    it('says that an answer did not fit', async () => {
      double.next = ['TOO_LONG'];
      const error = await failing(model(provider).object(request));
      expect(error).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', details: { reason: 'too_long' } });
    });

    it('tries 429 and 5xx again after the pause that is asked for', async () => {
      double.next = [{ status: 429, headers: { 'retry-after-ms': '40' } }, { status: 503 }];
      const started = performance.now();
      const { value, usage } = await model(provider).object(request);
      expect(value).toEqual(good);
      expect(performance.now() - started).toBeGreaterThanOrEqual(40);
      expect(usage.inputTokens).toBe(100);
      expect(double.asked).toHaveLength(3);
    });

    it('passes a long pause on instead of waiting', async () => {
      double.next = [{ status: 429, headers: { 'retry-after': '120' } }];
      const error = await failing(model(provider).object(request));
      expect(error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: 120, details: { usage: { inputTokens: 0 } } });
      expect(double.asked).toHaveLength(1);
    });

    it('stops trying a provider that keeps failing', async () => {
      double.answer = () => ({ status: 500 });
      const error = await failing(model(provider, { LLM_MAX_RETRIES: '2' }).object(request));
      expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: { reason: 'unavailable', usage: { inputTokens: 0 } } });
      expect(double.asked).toHaveLength(3);
    });

    it('ends a hanging question at the time-out and counts what it may have cost', async () => {
      double.next = ['HANG'];
      const error = await failing(model(provider, { LLM_TIMEOUT_SECONDS: '1' }).object(request));
      expect(error).toMatchObject({ code: 'TIMEOUT', details: { reason: 'timeout', usage: { outputTokens: 50 } } });
      expect(error.retryable).toBe(true);
    });

    it('ends when its caller does, with the reason of the caller', async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      double.answer = () => {
        resolve();
        return 'HANG';
      };
      const stop = new AbortController();
      const asked = failing(model(provider).object({ ...request, signal: stop.signal }));
      await promise;
      stop.abort(new Error('cancelled by the caller'));
      expect((await asked).message).toBe('cancelled by the caller');
    });

    it('names a wrong key without showing it', async () => {
      const error = await failing(model(provider, { LLM_API_KEY: 'sk-wrong-and-secret' }).object(request));
      expect(error).toMatchObject({ code: 'FORBIDDEN', details: { reason: 'credentials' } });
      expect(JSON.stringify([error, error.message, error.stack, error.cause])).not.toContain('sk-wrong');
    });

    it('carries neither key nor question in an error', async () => {
      double.next = [
        {
          status: 400,
          body: { type: 'error', error: { type: 'invalid', code: 400, status: 'INVALID', message: `no such option, ${doubleKey}` } },
        },
      ];
      const error = await failing(model(provider).object(request));
      expect(error).toMatchObject({ code: 'VALIDATION_ERROR', details: { reason: 'rejected' } });
      expect(error.message).toContain('no such option');
      const all = JSON.stringify([error, error.message, error.stack, error.cause]);
      expect(all).not.toContain(doubleKey);
      expect(all).not.toContain('Two of them');
    });

    it('takes an answer without any content for a failure', async () => {
      double.answer = () => ({ status: 200, body: { id: 'x', choices: [], content: [], candidates: [] } });
      const error = await failing(model(provider, { LLM_MAX_RETRIES: '1' }).object(request));
      expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      expect(double.asked).toHaveLength(2);
    });

    it('survives lost connections and answers of gateways', async () => {
      double.next = ['CUT', 'NONSENSE'];
      const { value, usage } = await model(provider).object(request);
      expect(value).toEqual(good);
      // Includes the estimates of the two lost ones.
      expect(usage.outputTokens).toBe(110);
    });
  });

  it('reads JSON out of a code block without asking again', async () => {
    double.next = ['Here you are:\n```json\n{"animals": ["owl", "fox"]}\n```'];
    expect((await model('openai-compatible').object(request)).value).toEqual(good);
    expect(double.asked).toHaveLength(1);
  });

  it('tells the schema in words to a server that takes none', async () => {
    await model('openai-compatible', { LLM_STRUCTURED_OUTPUTS: 'false' }).object(request);
    expect(double.asked[0]).toMatchObject({ structured: false });
    expect(double.asked[0]!.system).toContain('"animals"');
  });

  it('estimates tokens where the server does not count', async () => {
    double.counts = false;
    const { usage } = await model('openai-compatible').object(request);
    expect(usage.inputTokens).toBeGreaterThan(5);
    expect(usage.outputTokens).toBeGreaterThan(5);
  });

  it('asks no more at once than it may', async () => {
    let [now, most] = [0, 0];
    const all = Promise.withResolvers<void>();
    double.answer = async () => {
      most = Math.max(most, ++now);
      if (now === 2) all.resolve();
      await all.promise;
      now -= 1;
      return good;
    };
    const one = model('openai-compatible', { LLM_CONCURRENCY: '2' });
    await Promise.all(Array.from({ length: 6 }, () => one.object(request)));
    expect(most).toBe(2);
    expect(double.asked).toHaveLength(6);
  });

  it('says so when nothing listens there, and spends nothing', async () => {
    const gone = await modelDouble();
    const url = gone.url('openai-compatible');
    await gone.close();
    const error = await failing(model('openai-compatible', { LLM_BASE_URL: url }).object(request));
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: { reason: 'unavailable', usage: { inputTokens: 0 } } });
    expect(error.message).toContain('not reachable');
  });

  it('does not follow a redirect with the key', async () => {
    double.next = [{ status: 302, headers: { location: 'http://127.0.0.1:1/v1/chat/completions' } }];
    const error = await failing(model('openai-compatible').object(request));
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', details: { reason: 'rejected' } });
  });
});
