import { z } from 'zod';
import { serverName } from '../../contracts/governance/external.ts';
import { defineTool } from '../catalogue/define.ts';
import { outcome, outcomeOf, waitingWarning } from './external.shared.ts';

export default defineTool({
  name: 'external.server.test',
  title: 'Test an external MCP server',
  description: 'Asks a server now what it offers, and takes its definitions over. Says how long it took, or why it failed.',
  effect: 'write',
  idempotent: true,
  external: true,
  approval: 'A0',
  scopes: ['external:use', 'external:admin'],
  latency: 'L3',
  input: z.object({ name: serverName }),
  output: z.object({ ...outcome, latency_ms: z.number() }),
  intents: ['check whether a server answers', 'refresh the tools of a server'],
  aliases: [],
  async handler({ name }, { caller, services }) {
    const tested = await services.external.test(caller, name);
    return { data: { ...outcomeOf(tested), latency_ms: tested.latency_ms }, warnings: waitingWarning(tested) };
  },
});
