import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { AppError } from '../../contracts/errors.ts';
import type { Reranker } from './reranker.ts';

export interface HttpRerankerOptions {
  /** The full URL, e.g. `http://localhost:8000/v1/rerank`. */
  url: string;
  apiKey?: string | undefined;
  model?: string | undefined;
  /** Timeout of a call including its retry, in ms. Default 10,000. */
  timeoutMs?: number;
}

const answer = z.object({ results: z.array(z.object({ index: z.number().int().min(0), relevance_score: z.number() })) });
const pauseMs = 200;
const maxAnswer = 4 * 1024 * 1024;

/**
 * A server with the rerank API of Cohere, Jina, vLLM and others. Network errors, 5xx and 429 are retried once within the
 * timeout. Redirects are not followed, because the request contains the key.
 */
export function createHttpReranker({ url, apiKey, model, timeoutMs = 10_000 }: HttpRerankerOptions): Reranker {
  const unavailable = (why: string, cause?: unknown): AppError =>
    new AppError('SERVICE_UNAVAILABLE', `The reranker at RERANKER_URL cannot be used: ${why}`, {
      hint: 'Check RERANKER_URL, RERANKER_API_KEY and RERANKER_MODEL, or set RERANKER_ENABLED to false.',
      ...(cause === undefined ? {} : { cause }),
    });

  async function attempt(body: string, signal: AbortSignal): Promise<Response | AppError> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
        body,
        signal,
        redirect: 'manual',
      });
      if (response.ok) return response;
      await response.body?.cancel();
      const failure = unavailable(`it answered ${response.status}`);
      if (response.status < 500 && response.status !== 429) throw failure;
      return failure;
    } catch (error) {
      if (error instanceof AppError || signal.aborted) throw error;
      return unavailable('it cannot be reached', error);
    }
  }

  return {
    id: `${model ?? 'default'}@${new URL(url).host}`,
    async rerank(query, documents, { signal, topN } = {}) {
      if (documents.length === 0) return [];
      const deadline = AbortSignal.timeout(timeoutMs);
      const either = signal ? AbortSignal.any([signal, deadline]) : deadline;
      const body = JSON.stringify({
        ...(model ? { model } : {}),
        query,
        documents,
        top_n: Math.min(topN ?? documents.length, documents.length),
      });
      try {
        let response = await attempt(body, either);
        if (response instanceof AppError) {
          await sleep(pauseMs, undefined, { signal: either });
          response = await attempt(body, either);
        }
        if (response instanceof AppError) throw response;
        return scoresOf(await bounded(response), documents.length);
      } catch (error) {
        if (error instanceof AppError) throw error;
        if (signal?.aborted) throw signal.reason as Error;
        if (deadline.aborted) throw unavailable(`it did not answer within ${timeoutMs} ms`);
        throw unavailable('its answer is not understood', error);
      }
    },
    close: () => Promise.resolve(),
  };
}

async function bounded(response: Response): Promise<unknown> {
  const text: string[] = [];
  let length = 0;
  const decoder = new TextDecoder();
  for await (const piece of response.body ?? []) {
    length += piece.byteLength;
    if (length > maxAnswer) throw new Error(`the answer has more than ${maxAnswer} bytes`);
    text.push(decoder.decode(piece, { stream: true }));
  }
  return JSON.parse(text.join('') + decoder.decode());
}

function scoresOf(body: unknown, count: number): number[] {
  const scores = Array.from({ length: count }, () => -Infinity);
  for (const { index, relevance_score } of answer.parse(body).results) {
    if (index >= count) throw new Error(`result ${index} of ${count} documents`);
    scores[index] = relevance_score;
  }
  return scores;
}
