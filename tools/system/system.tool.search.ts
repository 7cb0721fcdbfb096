import { z } from 'zod';
import { wayTo } from '../catalogue/audience.ts';
import { defineTool, type AnyTool } from '../catalogue/define.ts';
import { externalTools } from '../catalogue/external.ts';

export default defineTool({
  name: 'system.tool.search',
  title: 'Find tools',
  description:
    'Finds tools by what you want to do, beyond those listed. system.tool.describe shows the arguments of what is found, system.tool.call calls it.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  ungoverned: true,
  scopes: [],
  latency: 'L1',
  input: z.object({
    query: z.string().trim().min(1).max(4_000).describe('What you want to do, in a few words; a text with several steps is split'),
    limit: z.number().int().min(1).max(20).default(5),
    with_schema: z.boolean().default(false).describe('Include the arguments of each'),
  }),
  output: z.object({
    tools: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        description: z.string(),
        effect: z.string(),
        score: z.number(),
        input_schema: z.record(z.string(), z.unknown()).optional(),
      }),
    ),
    steps: z
      .array(z.object({ step: z.string(), tools: z.array(z.string()) }))
      .optional()
      .describe('The parts of a query that asks for several things, each with its tools, best first'),
    how_to_call: z.string().optional(),
  }),
  intents: ['which tool does this', 'what can I do here', 'is there a tool for'],
  core: true,
  worker: true,
  aliases: [],
  async handler({ query, limit, with_schema }, { caller, services, tools, audience }) {
    const { catalogue } = tools;
    const { found, steps } = await tools.search(caller, query, limit, await externalTools(services, caller));
    const nameOf = (tool: AnyTool): string => catalogue.describe({ tool, name: tool.name }, audience).name;
    const way =
      audience &&
      wayTo(
        found.map(({ tool }) => ({ tool, name: tool.name })),
        { catalogue, caller, audience },
      );
    return {
      data: {
        tools: found.map(({ tool, score }) => {
          const { name, title, description, inputSchema } = catalogue.describe({ tool, name: tool.name }, audience);
          return {
            name,
            title,
            description,
            effect: tool.effect,
            score: Math.round(score * 1000) / 1000,
            ...(with_schema ? { input_schema: inputSchema } : {}),
          };
        }),
        ...(steps.length === 0
          ? {}
          : { steps: steps.map(({ text, found: own }) => ({ step: text, tools: own.map(({ tool }) => nameOf(tool)) })) }),
        ...(way === undefined ? {} : { how_to_call: way }),
      },
      metadata: { result_count: found.length },
      ...(found.length === 0 ? { warnings: ['Nothing fits. system.tool.list shows all tools by domain.'] } : {}),
    };
  },
});
