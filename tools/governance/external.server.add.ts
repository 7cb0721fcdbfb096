import { z } from 'zod';
import { serverCredentials, serverLimits, serverName, serverTarget } from '../../contracts/governance/external.ts';
import { defineTool } from '../catalogue/define.ts';
import { outcome, outcomeOf, waitingWarning } from './external.shared.ts';

export default defineTool({
  name: 'external.server.add',
  title: 'Add an external MCP server',
  description:
    'Makes another MCP server known: a command (stdio) or a url (http, sse). Its tools are then called external.{name}.{tool}, each once a person has approved it. Only administrators in person may add a command.',
  effect: 'write',
  idempotent: false,
  external: true,
  approval: { people: 'A0', agents: 'A2' },
  scopes: ['external:admin'],
  latency: 'L3',
  input: z.object({
    name: serverName,
    ...serverTarget,
    credentials: serverCredentials.optional(),
    ...serverLimits,
    enabled: z.boolean().default(true),
    approve_all: z.boolean().default(false).describe('Approve its tools as they are now, but for those that look suspicious; people only'),
  }),
  output: z.object({
    ...outcome,
    approved: z.array(z.string()),
    flagged: z.array(z.string()).describe('Not approved, because somebody should look'),
  }),
  intents: ['connect another MCP server', 'add a tool provider', 'use tools of another server'],
  aliases: [],
  async handler({ timeout_ms, approve_all, ...given }, { caller, services }) {
    const added = await services.external.add(caller, { ...given, timeoutMs: timeout_ms, approveAll: approve_all });
    return { data: { ...outcomeOf(added), approved: added.approved, flagged: added.flagged }, warnings: waitingWarning(added) };
  },
});
