import { z } from 'zod';
import { externalServer } from '../../contracts/governance/external.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'external.server.list',
  title: 'List external MCP servers',
  description: 'The servers whose tools can be called here: where they are, whether they answer, and how many of their tools are approved.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['external:use', 'external:admin'],
  latency: 'L1',
  input: z.object({}),
  output: z.object({ servers: z.array(externalServer) }),
  intents: ['which external servers are connected', 'is a server down', 'list tool providers'],
  aliases: [],
  async handler(_input, { caller, services }) {
    const servers = await services.external.servers.views(caller.tenant);
    return { data: { servers }, metadata: { result_count: servers.length } };
  },
});
