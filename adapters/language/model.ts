import { setTimeout as sleep } from 'node:timers/promises';
import type * as Sdk from 'ai';
import { costOf, estimatedTokens, type ModelUsage } from '../../contracts/language.ts';
import { guardedFetch } from '../web/guarded-fetch.ts';
import { slotsPerKey } from '../web/slots.ts';
import { userAgent } from '../../platform/version.ts';
import { inWords, readObject } from './answers.ts';
import { asAppError, failureOf, type Failure } from './failures.ts';
import { providerModel } from './provider.ts';
import type { ModelSettings } from './settings.ts';
import type { LanguageModel, ObjectRequest } from './types.ts';

/** Longest pause to wait for a busy provider. */
const longestPauseMs = 30_000;
/** Maximum characters of an answer that is sent back for repair. */
const shownBack = 8_000;

/** Result of one attempt: the model's text, and the finish reason. */
interface Attempt {
  text: string;
  finish: string;
  input: number;
  output: number;
}

interface Loaded {
  sdk: typeof Sdk;
  model: Sdk.LanguageModel;
}

class Failed extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** A model behind Vercel's AI SDK. Connects on first use. */
export function createLanguageModel(settings: ModelSettings): LanguageModel {
  const { timeoutMs, maxRetries, price, pauseMs = 1_000 } = settings;
  const name = `The language model ${settings.provider}/${settings.model}`;
  // The operator chooses the address; the remaining guards are link-local addresses, redirects and endless answers.
  const guarded = guardedFetch({
    allowPrivate: true,
    userAgent,
    limits: { headersTimeoutMs: timeoutMs + 1_000, idleTimeoutMs: timeoutMs + 1_000 },
  });
  const slots = slotsPerKey(settings.concurrency);
  let loaded: Promise<Loaded> | undefined;
  const load = async (): Promise<Loaded> => {
    const sdk = await import('ai');
    // It would print its warnings to the console.
    (globalThis as { AI_SDK_LOG_WARNINGS?: unknown }).AI_SDK_LOG_WARNINGS = false;
    return { sdk, model: await providerModel(settings, guarded.fetch) };
  };

  async function attempt<T>(
    { system, schema, maxOutputTokens }: ObjectRequest<T>,
    messages: Sdk.ModelMessage[],
    abortSignal: AbortSignal,
  ): Promise<Attempt> {
    const { sdk, model } = await (loaded ??= load());
    const plain = settings.provider === 'openai-compatible' && !settings.structured;
    const result = await sdk.generateText({
      model,
      system: plain ? `${system}\n\n${inWords(schema)}` : system,
      messages,
      // Parsed by us: an invalid answer is repaired, and paid for either way.
      output: { ...sdk.Output.text(), responseFormat: sdk.Output.object({ schema, name: 'answer' }).responseFormat },
      maxOutputTokens,
      maxRetries: 0,
      abortSignal,
    });
    const { inputTokens, outputTokens } = result.totalUsage;
    return {
      text: result.text,
      finish: declined(result.response.body) ? 'content-filter' : result.finishReason,
      input: inputTokens ?? estimatedTokens(system + JSON.stringify(messages)),
      output: outputTokens ?? estimatedTokens(result.text),
    };
  }

  async function ask<T>(request: ObjectRequest<T>, deadline: AbortSignal, spent: { input: number; output: number }): Promise<T> {
    const signal = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline;
    const messages: Sdk.ModelMessage[] = [{ role: 'user', content: request.prompt }];
    const estimate = { input: estimatedTokens(request.system + request.prompt), output: request.maxOutputTokens };
    let repaired = false;
    for (let failures = 0; ;) {
      let got: Attempt;
      try {
        got = await attempt(request, messages, signal);
      } catch (error) {
        request.signal?.throwIfAborted();
        const failure = deadline.aborted
          ? { reason: 'timeout' as const, message: `${name} did not answer within ${timeoutMs / 1_000} s.`, spent: true, again: false }
          : failureOf(error, name, settings.apiKey);
        if (failure === null) throw error;
        if (failure.spent) add(spent, estimate);
        const pause = failure.pauseMs ?? pauseMs * 2 ** failures;
        if (!failure.again || failures >= maxRetries || pause > longestPauseMs) throw new Failed(failure);
        failures += 1;
        await sleep(pause, undefined, { signal }).catch(() => {
          request.signal?.throwIfAborted();
          throw new Failed(failure);
        });
        continue;
      }
      add(spent, got);
      if (got.finish === 'content-filter') throw new Failed(ended('refused', `${name} will not answer this.`));
      const read = readObject(got.text, request.schema);
      if (read.ok) return read.value;
      if (got.finish === 'length')
        throw new Failed(ended('too_long', `The answer of ${name} did not fit into ${request.maxOutputTokens} tokens.`));
      if (repaired) throw new Failed(ended('garbage', `${name} did not keep to the asked structure, at the second try either.`));
      repaired = true;
      // Nothing to send back: ask the question again.
      if (got.text.trim() === '') continue;
      messages.push(
        { role: 'assistant', content: got.text.slice(0, shownBack) },
        {
          role: 'user',
          content: `Your answer cannot be used. ${read.problem} Answer again: one JSON object of the asked structure, and nothing else.`,
        },
      );
    }
  }

  return {
    id: `${settings.provider}/${settings.model}`,
    price,
    object: (request) =>
      slots('model', request.signal, async () => {
        const spent = { input: 0, output: 0 };
        const usage = (): ModelUsage => ({
          inputTokens: spent.input,
          outputTokens: spent.output,
          costUsd: costOf(spent.input, spent.output, price),
        });
        try {
          return { value: await ask(request, AbortSignal.timeout(timeoutMs), spent), usage: usage() };
        } catch (error) {
          if (error instanceof Failed) throw asAppError(error.failure, usage());
          throw error;
        }
      }),
    close: () => guarded.close(),
  };
}

const ended = (reason: Failure['reason'], message: string): Failure => ({ reason, message, spent: true, again: false });

function add(sum: { input: number; output: number }, { input, output }: { input: number; output: number }): void {
  sum.input += input;
  sum.output += output;
}

/** OpenAI's form of a refusal: a field of the message beside an empty content. */
function declined(body: unknown): boolean {
  const { choices } = (body ?? {}) as { choices?: { message?: { refusal?: unknown } }[] };
  return typeof choices?.[0]?.message?.refusal === 'string';
}
