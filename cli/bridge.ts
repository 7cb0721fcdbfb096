import { CliError, exits } from './exit.ts';
import { authorization } from './client.ts';
import { runStdioBridge } from './mcp.ts';
import { cliConfig, target } from './target.ts';

/** Stdout carries the protocol and nothing else. */
export async function mcpCommand(options: { profile?: string; agentId?: string }): Promise<void> {
  const config = cliConfig();
  if (!config.MCP_STDIO_ENABLED)
    throw new CliError(exits.failed, 'FORBIDDEN', 'The stdio bridge is switched off.', { hint: 'MCP_STDIO_ENABLED=true allows it.' });
  const to = target(config);
  await runStdioBridge({ url: to.url, authorization: () => authorization(to), profile: options.profile, agentId: options.agentId });
}
