/** How each command line is told to ask the scripted model. Its home folder is a new one, so nothing of this user is read or changed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** An agent may hide its key wherever it prints it: a short one would hide other words. */
const apiKey = 'scripted-key-of-no-provider-0000';

/** The user's settings forbid this command, so that a refusal can be tried. */
export const forbidden = 'touch';
/** Copilot takes such a rule only as an argument. */
export const forbiddingArguments = (agent: string): string[] => (agent === 'copilot' ? [`--deny-tool=shell(${forbidden})`] : []);

/** Writes the settings into the home folder. @returns what the environment needs besides */
export function useModel(agent: string, home: string, url: string): Record<string, string> {
  const write = (path: string, content: string | object): void => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), typeof content === 'string' ? content : JSON.stringify(content));
  };
  switch (agent) {
    case 'claude':
      write('.claude/settings.json', { permissions: { deny: [`Bash(${forbidden}:*)`] } });
      return { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: apiKey, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' };
    case 'codex':
      write('.codex/rules/default.rules', `prefix_rule(pattern = ["${forbidden}"], decision = "forbidden")\n`);
      write(
        '.codex/config.toml',
        `model = "scripted"
model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_API_KEY"
`,
      );
      return { SCRIPTED_API_KEY: apiKey };
    case 'gemini':
      write(
        '.gemini/policies/forbidden.toml',
        `[[rule]]
toolName = "run_shell_command"
commandPrefix = "${forbidden}"
decision = "deny"
priority = 999
`,
      );
      write('.gemini/settings.json', {
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
      });
      return { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: apiKey, GEMINI_MODEL: 'scripted' };
    case 'opencode': {
      const provider = { npm: '@ai-sdk/openai-compatible', options: { baseURL: `${url}/v1`, apiKey }, models: { scripted: {} } };
      write('.config/opencode/opencode.json', {
        model: 'scripted/scripted',
        small_model: 'scripted/scripted',
        provider: { scripted: provider },
        permission: { bash: { '*': 'allow', [`${forbidden} *`]: 'deny' } },
      });
      return { OPENCODE_DISABLE_MODELS_FETCH: '1' };
    }
    case 'qwen':
      write('.qwen/settings.json', {
        security: { auth: { selectedType: 'openai' } },
        privacy: { usageStatisticsEnabled: false },
        permissions: { deny: [`Bash(${forbidden} *)`] },
      });
      return { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: apiKey, OPENAI_MODEL: 'scripted' };
    case 'copilot':
      return {
        COPILOT_OFFLINE: 'true',
        COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
        COPILOT_PROVIDER_API_KEY: apiKey,
        COPILOT_MODEL: 'scripted',
      };
    default:
      throw new Error(`No settings for ${agent}`);
  }
}
