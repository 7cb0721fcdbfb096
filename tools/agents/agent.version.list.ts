import { z } from 'zod';
import { agentVersion } from '../../contracts/agents/past.ts';
import { defineTool } from '../catalogue/define.ts';
import { paged } from '../catalogue/pages.ts';
import { agentRef } from './agent.shared.ts';

export default defineTool({
  name: 'agent.version.list',
  title: "List an agent's versions",
  description:
    "Versions of an agent's definition, the latest first, each in full, with who made it and which one is in use. agent.version.rollback returns to one.",
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['agent:read'],
  latency: 'L1',
  input: z.object({
    agent_id: agentRef,
    limit: z.number().int().min(1).max(50).default(20),
    cursor: z.string().max(512).optional().describe('metadata.next_cursor of the page before'),
  }),
  output: z.object({ versions: z.array(agentVersion) }),
  intents: ['versions of an agent', 'what changed between two versions of an agent', 'which definition does the agent run'],
  aliases: [],
  async handler({ agent_id, ...paging }, { caller, services }) {
    return paged('versions', await services.agents.past.versions(caller.tenant, agent_id, paging));
  },
});
