import { describe, expect, it } from 'vitest';
import { readConfig } from '../../platform/config.ts';
import { modelSettings } from './settings.ts';

const settings = (env: Record<string, string>) => modelSettings(readConfig(env));

describe('settings of the language model', () => {
  it('is none unless a provider is named, whatever keys lie about', () => {
    expect(settings({ ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'b' })).toBeNull();
  });

  it('names what is missing', () => {
    expect(() => settings({ LLM_PROVIDER: 'anthropic' })).toThrow('LLM_MODEL');
    expect(() => settings({ LLM_PROVIDER: 'anthropic', LLM_MODEL: 'm' })).toThrow('LLM_API_KEY');
    expect(() => settings({ LLM_PROVIDER: 'openai-compatible', LLM_MODEL: 'm' })).toThrow('LLM_BASE_URL');
    expect(() => settings({ LLM_PROVIDER: 'mistaken' })).toThrow('LLM_PROVIDER');
  });

  it("takes a provider's usual key for its own address alone", () => {
    const env = { LLM_PROVIDER: 'anthropic', LLM_MODEL: 'm', ANTHROPIC_API_KEY: 'usual' };
    expect(settings(env)).toMatchObject({ apiKey: 'usual', baseUrl: 'https://api.anthropic.com/v1' });
    expect(() => settings({ ...env, LLM_BASE_URL: 'https://proxy.example/v1' })).toThrow('LLM_API_KEY');
    const other = { LLM_PROVIDER: 'openai-compatible', LLM_MODEL: 'm', OPENAI_API_KEY: 'usual' };
    expect(settings({ ...other, LLM_BASE_URL: 'http://localhost:11434/v1/' })).toMatchObject({
      apiKey: undefined,
      baseUrl: 'http://localhost:11434/v1',
    });
    expect(settings({ ...other, LLM_BASE_URL: 'https://api.openai.com/v1' })).toMatchObject({ apiKey: 'usual' });
  });

  it('counts costs when both prices are known', () => {
    const env = { LLM_PROVIDER: 'google', LLM_MODEL: 'm', LLM_API_KEY: 'k', LLM_INPUT_USD_PER_MTOK: '0.3' };
    expect(settings(env)).toMatchObject({ price: null });
    expect(settings({ ...env, LLM_OUTPUT_USD_PER_MTOK: '2.5' })).toMatchObject({ price: { input: 0.3, output: 2.5 } });
  });
});
