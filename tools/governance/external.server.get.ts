import { z } from 'zod';
import { externalServer, serverName } from '../../contracts/governance/external.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'external.server.get',
  title: 'Look at an external MCP server',
  description: 'One server: where it is, its limits, whether it answers, and its last error. Credentials are never shown.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['external:use', 'external:admin'],
  latency: 'L1',
  input: z.object({ name: serverName }),
  output: z.object({ server: externalServer }),
  intents: ['why does an external server not answer', 'show a server'],
  aliases: [],
  async handler({ name }, { caller, services }) {
    const [server] = await services.external.servers.views(caller.tenant, name);
    return { data: { server: server! } };
  },
});
