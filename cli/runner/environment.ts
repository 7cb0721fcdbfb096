/** What agents and commands get of the user's environment. Never Signalbox's own keys. */
import { marker } from './process.ts';

const usual = new Set(
  'PATH HOME USER LOGNAME SHELL LANG LANGUAGE TERM COLORTERM TMPDIR TZ SSH_AUTH_SOCK NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY NVM_DIR VOLTA_HOME JAVA_HOME GOPATH CARGO_HOME RUSTUP_HOME PNPM_HOME PYENV_ROOT VIRTUAL_ENV IS_SANDBOX'.split(
    ' ',
  ),
);
const usualKinds = /^(?:LC_|XDG_)/;

/** Variables with which an agent finds its model and its login. */
const own: Record<string, RegExp> = {
  claude: /^(?:ANTHROPIC_|CLAUDE_|AWS_|CLOUD_ML_REGION$|VERTEX_|GOOGLE_APPLICATION_CREDENTIALS$|ENABLE_TOOL_SEARCH$)/,
  codex: /^(?:OPENAI_|CODEX_|AZURE_OPENAI_)/,
  gemini: /^(?:GEMINI_|GOOGLE_)/,
  opencode: /^(?:OPENCODE_|ANTHROPIC_|OPENAI_|GEMINI_|GOOGLE_|OPENROUTER_|GROQ_|MISTRAL_|DEEPSEEK_|XAI_|AWS_|AZURE_)/,
  qwen: /^(?:QWEN_|OPENAI_|DASHSCOPE_)/,
  copilot: /^(?:COPILOT_|GITHUB_TOKEN$|GH_TOKEN$|GH_HOST$)/,
};

/** @param names further variables that the user lets through */
export function passed(from: NodeJS.ProcessEnv, agent: string | null, names: readonly string[]): Record<string, string> {
  const wanted = (name: string): boolean =>
    usual.has(name) ||
    usual.has(name.toUpperCase()) ||
    usualKinds.test(name) ||
    names.includes(name) ||
    (agent !== null && (own[agent]?.test(name) ?? false));
  return Object.fromEntries(Object.entries(from).filter((entry): entry is [string, string] => entry[1] !== undefined && wanted(entry[0])));
}

/** Commits of agents need a name where the user has none. */
const gitName = {
  GIT_AUTHOR_NAME: 'Signalbox',
  GIT_AUTHOR_EMAIL: 'signalbox@localhost',
  GIT_COMMITTER_NAME: 'Signalbox',
  GIT_COMMITTER_EMAIL: 'signalbox@localhost',
};

export const environmentFor = (base: Record<string, string>, run: string, nameless: boolean): Record<string, string> => ({
  ...base,
  NO_COLOR: '1',
  NPM_CONFIG_LOGLEVEL: 'error',
  GIT_TERMINAL_PROMPT: '0',
  ...(nameless ? gitName : {}),
  [marker]: run,
});

/** Values that must not stand in what is sent: keys and tokens of the environment. */
export const secretsOf = (env: Record<string, string>): string[] =>
  Object.entries(env).flatMap(([name, value]) => (/(?:KEY|TOKEN|SECRET|PASSWORD)$/.test(name) ? [value] : []));
