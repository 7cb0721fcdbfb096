import { AppError } from '../../contracts/errors.ts';
import type { ModelPrice, ModelProvider } from '../../contracts/language.ts';
import type { Config } from '../../platform/config.ts';

export type LanguageConfig = Pick<
  Config,
  | 'LLM_PROVIDER'
  | 'LLM_MODEL'
  | 'LLM_API_KEY'
  | 'LLM_BASE_URL'
  | 'LLM_TIMEOUT_SECONDS'
  | 'LLM_MAX_RETRIES'
  | 'LLM_CONCURRENCY'
  | 'LLM_STRUCTURED_OUTPUTS'
  | 'LLM_INPUT_USD_PER_MTOK'
  | 'LLM_OUTPUT_USD_PER_MTOK'
  | 'ANTHROPIC_API_KEY'
  | 'OPENAI_API_KEY'
  | 'GEMINI_API_KEY'
>;

export interface ModelSettings {
  provider: ModelProvider;
  model: string;
  apiKey: string | undefined;
  /** Without trailing slash. */
  baseUrl: string;
  /** Per question, including retries. */
  timeoutMs: number;
  maxRetries: number;
  /** Concurrent questions; the others wait. */
  concurrency: number;
  /** Whether an OpenAI-compatible server supports JSON schemas; otherwise the schema is in the prompt. */
  structured: boolean;
  price: ModelPrice | null;
  /** The first pause between attempts, in ms. Default 1,000; doubles. */
  pauseMs?: number;
}

const homes: Record<ModelProvider, string | undefined> = {
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  'openai-compatible': undefined,
};

/**
 * The configured language model; null: none.
 * @throws {AppError} VALIDATION_ERROR naming the missing setting
 */
export function modelSettings(config: LanguageConfig): ModelSettings | null {
  const provider = config.LLM_PROVIDER;
  if (provider === 'none') return null;
  const missing = (name: string, hint: string): AppError =>
    new AppError('VALIDATION_ERROR', `LLM_PROVIDER is ${provider}, but ${name} is not set.`, { hint });
  if (!config.LLM_MODEL) throw missing('LLM_MODEL', "Set it to the provider's name of the model.");
  const baseUrl = config.LLM_BASE_URL ?? homes[provider];
  if (!baseUrl) throw missing('LLM_BASE_URL', 'Set it to the address before /chat/completions, e.g. http://localhost:11434/v1.');
  const own = {
    anthropic: config.ANTHROPIC_API_KEY,
    google: config.GEMINI_API_KEY,
    'openai-compatible': config.OPENAI_API_KEY,
  } as const;
  // A provider's usual key is used only for that provider's address.
  const home = provider === 'openai-compatible' ? new URL(baseUrl).host === 'api.openai.com' : config.LLM_BASE_URL === undefined;
  const apiKey = config.LLM_API_KEY ?? (home ? own[provider] : undefined);
  if (!apiKey && provider !== 'openai-compatible') throw missing('LLM_API_KEY', 'Set it in the environment; it is never logged.');
  const [input, output] = [config.LLM_INPUT_USD_PER_MTOK, config.LLM_OUTPUT_USD_PER_MTOK];
  return {
    provider,
    model: config.LLM_MODEL,
    apiKey,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    timeoutMs: config.LLM_TIMEOUT_SECONDS * 1_000,
    maxRetries: config.LLM_MAX_RETRIES,
    concurrency: config.LLM_CONCURRENCY,
    structured: config.LLM_STRUCTURED_OUTPUTS,
    price: input === undefined || output === undefined ? null : { input, output },
  };
}
