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
  /** What usage is counted by. */
  purpose: string;
  prompt: Prompt;
  /** The task, with data of strangers fenced. */
  content: string;
  schema: z.ZodType<T>;
  maxOutputTokens: number;
  /** The agent on whose behalf it is asked, if one is. */
  agentId?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** What was answered, or why nothing was: then the caller goes on offline and says `warning`. */
export type Reply<T> =
  | { ok: true; value: T; usage: ModelUsage; model: string; prompt: string }
  /** `error`: what the model or its provider did; retryable where a later attempt may go better. */
  | { ok: false; reason: 'not_configured' | 'budget_spent' | 'failed'; warning: string; error: AppError | null };

export interface LanguageDeps {
  /** Null: none is configured. */
  language: LanguageModel | null;
  /** Of tenants without a budget of their own. */
  languageBudget: Budget;
}

/** The language model under each tenant's budget. Whoever uses it does as well without. */
export class LanguageService extends Service<'log', LanguageDeps> {
  private readonly pause = new Pause();
  private readonly meter = new AsyncLocalStorage<{ tokens: number }>();

  /** Id of the configured model; null: none. */
  get model(): string | null {
    return this.deps.language?.id ?? null;
  }

  /**
   * Asks once. Never throws for what models and budgets do; @throws the signal's reason when aborted, and
   * SERVICE_UNAVAILABLE when Postgres is away.
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
    // When nobody knows what a call has used, it has used what it might.
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
        // The reservation stands, so nothing is spent twice.
        log.warn({ err: error, tenant, purpose }, 'usage of the language model could not be settled');
      });
    }
  }

  /** Runs `work` and tells how many tokens it has used: what the ledger says of a call. */
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

  /** Gives a tenant a budget of its own; null: the configured one holds again. @throws AppError VALIDATION_ERROR when USD cannot be counted */
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

/** The most a call uses when it goes well: its question, and a full answer. */
function estimateOf({ price }: LanguageModel, question: string, maxOutputTokens: number): ModelUsage {
  const inputTokens = estimatedTokens(question);
  return { inputTokens, outputTokens: maxOutputTokens, costUsd: costOf(inputTokens, maxOutputTokens, price) };
}
