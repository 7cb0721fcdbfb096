/** The command lines that are tried, at exact versions. Newer ones may print other events: `npm run agents -- --only NAME` shows it. */
export interface Package {
  name: string;
  version: string;
  /** A script that npm would run after the install; it is run by hand, because npm may be told to run none. */
  after?: string;
}

export const packages: Record<string, Package> = {
  claude: { name: '@anthropic-ai/claude-code', version: '2.1.332', after: 'install.cjs' },
  codex: { name: '@openai/codex', version: '0.171.0' },
  gemini: { name: '@google/gemini-cli', version: '0.61.0' },
  opencode: { name: 'opencode-ai', version: '1.18.33', after: 'postinstall.mjs' },
  qwen: { name: '@qwen-code/qwen-code', version: '0.24.4' },
  copilot: { name: '@github/copilot', version: '1.0.102' },
};
