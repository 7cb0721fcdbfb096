import type { LanguageModel as SdkModel } from 'ai';
import type { ModelSettings } from './settings.ts';

/** The SDK's model for the settings. Only the configured provider is loaded. */
export async function providerModel(settings: ModelSettings, fetch: typeof globalThis.fetch): Promise<SdkModel> {
  const { provider, model, apiKey, baseUrl: baseURL, structured } = settings;
  // Never left out, because the SDK would read the environment itself.
  const key = apiKey ?? '';
  if (provider === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({ baseURL, apiKey: key, fetch })(model);
  }
  if (provider === 'google') {
    const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
    return createGoogleGenerativeAI({ baseURL, apiKey: key, fetch })(model);
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return createOpenAICompatible({
    name: 'openai-compatible',
    baseURL,
    ...(apiKey ? { apiKey } : {}),
    fetch,
    supportsStructuredOutputs: structured,
    // OpenAI's newer models refuse the older name, which other servers need.
    ...(new URL(baseURL).host === 'api.openai.com' ? { transformRequestBody: withNewName } : {}),
  })(model);
}

const withNewName = ({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> => ({
  ...body,
  max_completion_tokens: max_tokens,
});
