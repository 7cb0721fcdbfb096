import { z } from 'zod';
import { openLanguage } from '../adapters/language/open.ts';
import { CliError, exits } from './exit.ts';
import { facts, sayJson } from './output.ts';
import { cliConfig } from './target.ts';

const question = {
  purpose: 'test',
  system: 'You check that a connection works. You answer with the product of the two numbers in the question.',
  prompt: 'What is 6 times 7?',
  schema: z.object({ product: z.number() }),
  // Leaves room for models that output reasoning first.
  maxOutputTokens: 1_000,
};

/** Asks the configured model one question from this process; no server is needed. */
export async function testModel(json: boolean): Promise<void> {
  const model = openLanguage(cliConfig());
  if (!model) {
    throw new CliError(exits.failed, 'NOT_FOUND', 'No language model is configured; everything works without one.', {
      hint: 'Set LLM_PROVIDER (anthropic, openai-compatible or google), LLM_MODEL and LLM_API_KEY; for a local server LLM_BASE_URL, e.g. http://localhost:11434/v1. See docs/models.md.',
    });
  }
  const started = performance.now();
  try {
    const { value, usage } = await model.object(question);
    const latencyMs = Math.round(performance.now() - started);
    const correct = value.product === 42;
    const found = {
      ok: true,
      model: model.id,
      latency_ms: latencyMs,
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      cost_usd: usage.costUsd,
      correct,
    };
    if (json) return sayJson(found);
    facts({
      model: model.id,
      latency: `${latencyMs} ms`,
      tokens: `${usage.inputTokens} in, ${usage.outputTokens} out`,
      cost: usage.costUsd === null ? 'unknown: set LLM_INPUT_USD_PER_MTOK and LLM_OUTPUT_USD_PER_MTOK' : `${usage.costUsd.toFixed(6)} USD`,
      structure: 'kept',
      answer: correct ? 'correct' : `wrong: 6 times 7 is ${value.product}`,
    });
  } finally {
    await model.close();
  }
}
