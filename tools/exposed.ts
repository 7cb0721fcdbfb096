import { graphitiTools } from '../contracts/episodes.ts';
import type { Config } from '../platform/config.ts';
import type { AnyTool } from './define.ts';

/** The tools under the names that are to be answered: Graphiti's can be left out, wholly or in part; their own names stay. */
export function exposedTools(
  tools: readonly AnyTool[],
  { MCP_WRAP_GRAPHITI, MCP_GRAPHITI_TOOLS }: Pick<Config, 'MCP_WRAP_GRAPHITI' | 'MCP_GRAPHITI_TOOLS'>,
): AnyTool[] {
  const hidden = new Set(graphitiTools.filter((name) => !MCP_WRAP_GRAPHITI || !MCP_GRAPHITI_TOOLS.includes(name)));
  return tools.map((tool) =>
    tool.aliases.some((alias) => hidden.has(alias.name))
      ? { ...tool, aliases: tool.aliases.filter((alias) => !hidden.has(alias.name)) }
      : tool,
  );
}
