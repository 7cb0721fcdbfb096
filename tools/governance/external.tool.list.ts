import { z } from 'zod';
import { externalToolEntry, serverName, toolStates } from '../../contracts/governance/external.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'external.tool.list',
  title: 'List tools of external servers',
  description:
    'Tools of external servers with their state: approved ones can be called; the others wait for a person, with what looks suspicious about them and what has changed.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['external:use', 'external:admin'],
  latency: 'L1',
  input: z.object({
    server: serverName.optional(),
    state: z.enum(toolStates).optional(),
    limit: z.number().int().min(1).max(500).default(100),
    offset: z.number().int().min(0).default(0),
  }),
  output: z.object({ tools: z.array(externalToolEntry) }),
  intents: ['which external tools wait for approval', 'what has changed in a tool of another server'],
  aliases: [],
  async handler({ server, state, limit, offset }, { caller, services }) {
    const entries = await services.external.tools.entries(caller.tenant, { server, state });
    const tools = entries.slice(offset, offset + limit);
    return { data: { tools }, metadata: { result_count: tools.length, total_count: entries.length } };
  },
});
