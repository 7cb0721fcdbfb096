import { graphitiTools } from '../../contracts/graph/episodes.ts';
import type { Config } from '../../platform/config.ts';
import type { AnyTool } from './define.ts';
import { passedOn } from '../graph/graphiti.ts';

/**
 * The tools with the aliases that settings expose. Graphiti's aliases can be left out, wholly or in part, or be forwarded
 * to Graphiti's own server; canonical names stay.
 */
export function exposedTools(
  tools: readonly AnyTool[],
  {
    MCP_WRAP_GRAPHITI,
    MCP_GRAPHITI_TOOLS,
    GRAPHITI_MCP_URL,
  }: Pick<Config, 'MCP_WRAP_GRAPHITI' | 'MCP_GRAPHITI_TOOLS' | 'GRAPHITI_MCP_URL'>,
): AnyTool[] {
  const hidden = new Set(graphitiTools.filter((name) => !MCP_WRAP_GRAPHITI || !MCP_GRAPHITI_TOOLS.includes(name)));
  const shown = tools.map((tool) => without(tool, hidden));
  if (GRAPHITI_MCP_URL === undefined) return shown;
  return [...shown.map((tool) => without(tool, new Set(graphitiTools))), ...shown.flatMap(passedOn)];
}

const without = (tool: AnyTool, hidden: ReadonlySet<string>): AnyTool =>
  tool.aliases.some((alias) => hidden.has(alias.name))
    ? { ...tool, aliases: tool.aliases.filter((alias) => !hidden.has(alias.name)) }
    : tool;
