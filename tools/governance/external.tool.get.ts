import { z } from 'zod';
import { externalToolDefinition } from '../../contracts/governance/external.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'external.tool.get',
  title: 'Get the definition of an external tool',
  description:
    "A tool of an external server in full: its definition as approved and as its server gives it now, the places in it that look suspicious, and who approved which definition when. Approve it with external.tool.approve and this answer's hash.",
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['external:use', 'external:admin'],
  latency: 'L1',
  input: z.object({
    tool: z
      .string()
      .min(1)
      .max(160)
      .describe('Name from external.tool.list')
      .meta({ examples: ['external.github.create_issue'] }),
  }),
  output: z.object({ tool: externalToolDefinition }),
  intents: [
    'what has changed in a tool of another server',
    'look at a tool definition before approving it',
    'who approved this external tool',
  ],
  aliases: [],
  async handler({ tool }, { caller, services }) {
    return { data: { tool: await services.external.tools.definition(caller.tenant, tool) } };
  },
});
