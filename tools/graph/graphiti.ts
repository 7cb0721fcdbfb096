import { z } from 'zod';
import { graphitiTools } from '../../contracts/graph/episodes.ts';
import { AppError } from '../../contracts/errors.ts';
import type { Alias, AnyTool, ToolContext } from '../catalogue/define.ts';

/** A tool of Graphiti's server in our pipeline: name, arguments, rights and approval are those of the alias. */
const passed = (tool: AnyTool, alias: Alias): AnyTool => ({
  ...tool,
  name: `graph.graphiti.${alias.name}`,
  title: `${tool.title} (Graphiti)`,
  description: alias.description ?? tool.description,
  external: true,
  latency: 'L3',
  idempotent: tool.effect === 'read',
  input: alias.input,
  output: z.looseObject({}),
  aliases: [
    {
      name: alias.name,
      system: alias.system,
      ...(alias.description === undefined ? {} : { description: alias.description }),
      input: alias.input,
      toInput: (args) => args,
      toText: (data) => textOf(data as Record<string, unknown>),
    },
  ],
  async handler(args, { caller, services, signal }: ToolContext<'graph'>) {
    const { graphiti } = services.external;
    if (!graphiti)
      throw new AppError('SERVICE_UNAVAILABLE', 'Graphiti is not configured.', { hint: 'GRAPHITI_MCP_URL names its MCP server.' });
    const { dry_run, ...others } = args as Record<string, unknown>;
    if (dry_run === true) {
      throw new AppError('VALIDATION_ERROR', 'Graphiti cannot count before it clears.', {
        hint: 'Leave dry_run out to clear your group; a person decides first.',
      });
    }
    return await graphiti.call(caller, alias.name, others, signal);
  },
});

/** The Graphiti names of this tool, as tools that forward the call. */
export const passedOn = (tool: AnyTool): AnyTool[] =>
  tool.aliases.filter((alias) => graphitiTools.includes(alias.name)).map((alias) => passed(tool, alias));

/** The server's own text, for systems that answer with text. */
function textOf(data: Record<string, unknown>): string {
  const blocks = (data['content'] ?? []) as { type: string; text?: string }[];
  const said = blocks.flatMap((block) => (block.type === 'text' && block.text ? [block.text] : []));
  return said.length > 0 ? said.join('\n') : JSON.stringify(data);
}
