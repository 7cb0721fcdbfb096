import { z } from 'zod';
import { serverCredentials, serverLimits, serverName, serverTarget } from '../../contracts/governance/external.ts';
import { defineTool } from '../catalogue/define.ts';
import { outcome, outcomeOf, waitingWarning } from './external.shared.ts';

export default defineTool({
  name: 'external.server.update',
  title: 'Change an external MCP server',
  description:
    'Changes where a server is, its credentials or limits, or switches it on or off; what is not given stays. At another address it is sent only the credentials given with the move. Its connection is made anew.',
  effect: 'write',
  idempotent: true,
  external: true,
  approval: { people: 'A0', agents: 'A2' },
  scopes: ['external:admin'],
  latency: 'L3',
  input: z.object({
    name: serverName,
    ...serverTarget,
    credentials: serverCredentials.optional(),
    ...serverLimits,
    enabled: z.boolean().optional(),
  }),
  output: z.object(outcome),
  intents: ['switch an external server off', 'give a server new credentials', 'change the timeout of a server'],
  aliases: [],
  async handler({ name, timeout_ms, ...given }, { caller, services }) {
    const updated = await services.external.update(caller, name, { ...given, timeoutMs: timeout_ms });
    return { data: outcomeOf(updated), warnings: waitingWarning(updated) };
  },
});
