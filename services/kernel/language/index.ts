import { AsyncLocalStorage } from 'node:async_hooks';
import type { z } from 'zod';
import type { LanguageModel } from '../../../adapters/language/types.ts';
import { AppError } from '../../../contracts/errors.ts';
import { costOf, estimatedTokens, usageOf, type ModelUsage } from '../../../contracts/language.ts';
import { reserve, saveBudget, settle, usageSince, useOf, type Budget, type DayUse, type UsageRow } from './budgets.ts';
import { Pause } from './pause.ts';
import type { Prompt } from './prompts.ts';
import { Service } from '../service.ts';

export interface Question<T> {
  tenant: string;
  /** Usage is counted by purpose. */
  purpose: string;
  prompt: Prompt;
  /** The task, with untrusted data fenced. */
  content: string;
  schema: z.ZodType<T>;
  maxOutputTokens: number;
  /** The agent on whose behalf the question is asked, if any. */
  agentId?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** The answer, or why there is none: then the caller continues without the model and reports `warning`. */
export type Reply<T> =
  | { ok: true; value: T; usage: ModelUsage; model: string; prompt: string }
  /** `error`: the failure of the model or its provider; retryable if a later attempt may succeed. */
  | { ok: false; reason: 'not_configured' | 'budget_spent' | 'failed'; warning: string; error: AppError | null };

export interface LanguageDeps {
  /** Null: not configured. */
  language: LanguageModel | null;
  /** For tenants without their own budget. */
  languageBudget: Budget;
}

/** The language model with each tenant's budget. Callers must also work without it. */
export class LanguageService extends Service<'log', LanguageDeps> {
  private readonly pause = new Pause();
  private readonly meter = new AsyncLocalStorage<{ tokens: number }>();

  /** Id of the configured model; null: none. */
  get model(): string | null {
    return this.deps.language?.id ?? null;
  }

  /**
   * Asks once. Never throws for failures of the model or the budget;
   * @throws the signal's reason when aborted, and SERVICE_UNAVAILABLE when Postgres is unavailable.
   */
  async ask<T>(question: Question<T>): Promise<Reply<T>> {
    const { db, language, languageBudget, log } = this.deps;
    if (!language)
      return { ok: false, reason: 'not_configured', warning: 'No language model is configured; this was made without one.', error: null };
    const { tenant, purpose, prompt, content, schema, maxOutputTokens, agentId, signal } = question;
    signal?.throwIfAborted();
    const away = this.pause.current(Date.now());
    if (away) return failedReply(away);
    const estimate = estimateOf(language, prompt.system + content, maxOutputTokens);
    const held = await reserve(db, tenant, estimate, languageBudget);
    if (!held) {
      const warning = "Today's budget for the language model is spent; this was made without it.";
      return { ok: false, reason: 'budget_spent', warning, error: null };
    }
    // If the actual use is unknown, the estimate counts.
    let usage = estimate;
    let failed = true;
    try {
      const answer = await language.object({ purpose, system: prompt.system, prompt: content, schema, maxOutputTokens, signal });
      ({ usage } = answer);
      failed = false;
      this.pause.answered();
      return { ok: true, value: answer.value, usage, model: language.id, prompt: prompt.id };
    } catch (error) {
      usage = usageOf(error) ?? usage;
      if (!(error instanceof AppError) || signal?.aborted) throw error;
      log.warn({ tenant, purpose, model: language.id, code: error.code, reason: error.details?.['reason'] }, 'language model failed');
      this.pause.failed(error, Date.now());
      return failedReply(error);
    } finally {
      const counted = this.meter.getStore();
      if (counted) counted.tokens += usage.inputTokens + usage.outputTokens;
      await settle(db, tenant, held, { purpose, model: language.id, agentId, failed, usage }).catch((error: unknown) => {
        // The reservation stays, so the budget is not exceeded.
        log.warn({ err: error, tenant, purpose }, 'usage of the language model could not be settled');
      });
    }
  }

  /** Runs `work` and reports the tokens it used, for the call's ledger entry. */
  async metered<T>(work: () => Promise<T>, tell: (tokens: number) => void): Promise<T> {
    const counted = { tokens: 0 };
    try {
      return await this.meter.run(counted, work);
    } finally {
      if (counted.tokens > 0) tell(counted.tokens);
    }
  }

  /** Today's use beside the budget. */
  today(tenant: string): Promise<DayUse> {
    return useOf(this.db, tenant, this.deps.languageBudget);
  }

  usage(tenant: string, days: number): Promise<UsageRow[]> {
    return usageSince(this.db, tenant, days);
  }

  /**
   * Sets a tenant's budget; null: the configured one applies again.
   * @throws AppError VALIDATION_ERROR when USD cannot be counted
   */
  async setBudget(tenant: string, budget: Budget | null, by: string): Promise<DayUse> {
    const { db, language } = this.deps;
    if (budget !== null && budget.usdPerDay !== null && language && language.price === null) {
      throw new AppError('VALIDATION_ERROR', 'A budget in USD cannot be kept: the price of the model is not configured.', {
        hint: 'Set a budget in tokens, or have LLM_INPUT_USD_PER_MTOK and LLM_OUTPUT_USD_PER_MTOK set.',
      });
    }
    await saveBudget(db, tenant, budget, by);
    return this.today(tenant);
  }
}

const failedReply = (error: AppError): Reply<never> => ({
  ok: false,
  reason: 'failed',
  warning: `${error.message} This was made without it.`,
  error,
});

/** Maximum use of a successful call: its question, and a full answer. */
function estimateOf({ price }: LanguageModel, question: string, maxOutputTokens: number): ModelUsage {
  const inputTokens = estimatedTokens(question);
  return { inputTokens, outputTokens: maxOutputTokens, costUsd: costOf(inputTokens, maxOutputTokens, price) };
}
