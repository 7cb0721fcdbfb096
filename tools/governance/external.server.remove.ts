import { z } from 'zod';
import { serverName } from '../../contracts/governance/external.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'external.server.remove',
  title: 'Remove an external MCP server',
  description: 'Forgets a server, its credentials, and what was approved of its tools. Its process, if it has one, is ended.',
  effect: 'destructive',
  idempotent: true,
  external: false,
  approval: { people: 'A0', agents: 'A2' },
  scopes: ['external:admin'],
  latency: 'L1',
  input: z.object({ name: serverName }),
  output: z.object({ name: z.string(), removed: z.boolean() }),
  intents: ['disconnect an external server', 'remove a tool provider'],
  aliases: [],
  async handler({ name }, { caller, services }) {
    await services.external.remove(caller, name);
    return { data: { name, removed: true } };
  },
});
