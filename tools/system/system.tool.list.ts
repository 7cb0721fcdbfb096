import { z } from 'zod';
import { approvalText, defineTool } from '../catalogue/define.ts';
import { externalTools } from '../catalogue/external.ts';

export default defineTool({
  name: 'system.tool.list',
  title: 'List all tools',
  description: 'Names and titles of every tool you may call, by domain, or only those of one domain.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  ungoverned: true,
  scopes: [],
  latency: 'L1',
  input: z.object({ domain: z.string().max(64).optional().describe('e.g. work, index, system') }),
  output: z.object({
    domains: z.array(
      z.object({
        domain: z.string(),
        tools: z.array(
          z.object({ name: z.string(), title: z.string(), effect: z.string(), approval: z.string(), aliases: z.array(z.string()) }),
        ),
      }),
    ),
  }),
  intents: ['list every tool', 'what domains are there', 'show all capabilities'],
  aliases: [],
  async handler({ domain }, { caller, front, services, tools, audience }) {
    const { catalogue } = tools;
    const visible = [...catalogue.tools, ...(await externalTools(services, caller))].filter(
      (tool) => catalogue.allows(caller, tool, front) && (domain === undefined || tool.name.startsWith(`${domain}.`)),
    );
    const domains = Map.groupBy(visible, (tool) => tool.name.split('.')[0] ?? '');
    return {
      data: {
        domains: [...domains]
          .sort(([a], [b]) => a.localeCompare(b))
          .map(([name, members]) => ({
            domain: name,
            tools: members.map((tool) => ({
              name: catalogue.nameFor({ tool, name: tool.name }, audience?.style),
              title: tool.title,
              effect: tool.effect,
              approval: approvalText(tool),
              aliases: tool.aliases.map((alias) => alias.name),
            })),
          })),
      },
      metadata: { result_count: visible.length },
    };
  },
});
