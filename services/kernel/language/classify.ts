import { z } from 'zod';
import { reasonOf } from '../../../contracts/language.ts';
import { severities, signalClasses, type Severity, type SignalClass } from '../../../contracts/signals/signals.ts';
import { fence } from './fence.ts';
import type { LanguageService, Reply } from './index.ts';
import { prompt } from './prompts.ts';

/** The language model's judgement of a statement. */
export interface Label {
  class: SignalClass;
  /** 0 to 1, as reported by the model. */
  confidence: number;
  /** -1 (bad) to 1 (good) */
  sentiment: number;
  severity: Severity;
}

export interface Classified {
  /** In the order of the statements; null where the model gave none: the offline classifier handles these. */
  labels: (Label | null)[];
  /** For `signals.classifier`: prompt and version; and for `signals.model`. Null: no model was used. */
  classifier: string | null;
  model: string | null;
  /** Reasons for missing labels, shown with the result. */
  warnings: string[];
  /** A later attempt may succeed. */
  retryable: boolean;
}

export interface ClassifyOptions {
  tenant: string;
  agentId?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Whether the time is over: no further question is asked. */
  spent?: (() => boolean) | undefined;
}

/** Statements per question, and maximum characters of each. */
const perQuestion = 20;
const longestStatement = 2_000;
/** Tokens per result, with room for models that think before they answer. */
const tokensEach = 60;
const tokensBefore = 2_000;

const instructions = prompt('classify-signals@1');
/** Prefix of `classifier` for judgements of a model. */
export const classifyPrompt = instructions.id;
const answer = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      class: z.enum(signalClasses),
      sentiment: z.number(),
      severity: z.enum(severities),
      confidence: z.number(),
    }),
  ),
});

/**
 * Class, sentiment and severity of statements by the language model. Never fails because of the model: missing labels
 * are null.
 */
export async function classify(
  language: Pick<LanguageService, 'ask'>,
  statements: readonly string[],
  options: ClassifyOptions,
): Promise<Classified> {
  const labels: (Label | null)[] = statements.map(() => null);
  const warnings = new Set<string>();
  const result: Classified = { labels, classifier: null, model: null, warnings: [], retryable: false };
  const waiting: number[][] = [];
  for (let from = 0; from < statements.length; from += perQuestion) {
    waiting.push(statements.slice(from, from + perQuestion).map((_, i) => from + i));
  }
  for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
    if (options.spent?.()) {
      warnings.add('The time for the language model was over; the rest was classified without it.');
      result.retryable = true;
      break;
    }
    const reply = await ask(language, batch, statements, options);
    if (reply.ok) {
      result.classifier = reply.prompt;
      result.model = reply.model;
      const left = take(batch, reply.value.results, labels);
      if (left > 0) warnings.add(`The language model left out ${left} of ${batch.length} statements.`);
      continue;
    }
    const why = reply.error && reasonOf(reply.error);
    // One failing statement must not fail the others of its batch.
    if ((why === 'too_long' || why === 'refused' || why === 'garbage') && batch.length > 1) {
      const half = Math.ceil(batch.length / 2);
      waiting.unshift(batch.slice(0, half), batch.slice(half));
      continue;
    }
    warnings.add(reply.warning);
    if (why === 'too_long' || why === 'refused' || why === 'garbage') continue;
    // No key, no budget or no answer: the next question would fail, too.
    result.retryable = reply.error?.retryable ?? false;
    break;
  }
  result.warnings = [...warnings];
  return result;
}

const ask = (
  language: Pick<LanguageService, 'ask'>,
  batch: readonly number[],
  statements: readonly string[],
  { tenant, agentId, signal }: ClassifyOptions,
): Promise<Reply<z.infer<typeof answer>>> =>
  language.ask({
    tenant,
    purpose: 'classify',
    prompt: instructions,
    content: `Classify each of these ${batch.length} records.\n\n${fence(
      batch.map((at, i) => ({ id: `s${i + 1}`, statement: statements[at]!.slice(0, longestStatement) })),
    )}`,
    schema: answer,
    maxOutputTokens: tokensBefore + tokensEach * batch.length,
    agentId,
    signal,
  });

/**
 * Takes the first result for each requested id and ignores others.
 * @returns the number without result
 */
function take(batch: readonly number[], results: z.infer<typeof answer>['results'], labels: (Label | null)[]): number {
  for (const { id, confidence, sentiment, ...rest } of results) {
    const at = batch[Number(/^s(\d{1,3})$/.exec(id)?.[1] ?? 0) - 1];
    if (at === undefined || labels[at] !== null) continue;
    labels[at] = { ...rest, confidence: clamp(confidence, 0), sentiment: clamp(sentiment, -1) };
  }
  return batch.filter((at) => labels[at] === null).length;
}

const clamp = (value: number, least: number): number => Math.min(1, Math.max(least, value));
