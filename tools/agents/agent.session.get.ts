import { z } from 'zod';
import { session, sessionMessage } from '../../contracts/agents/delegations.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'agent.session.get',
  title: 'Read a session of agents',
  description: 'A conversation of agents: who takes part, its messages in order, the tasks they are about.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['agent:read'],
  latency: 'L1',
  input: z.object({
    session_id: z.string().min(1).max(128),
    after: z.number().int().min(0).default(0).describe('seq of the last message seen'),
    limit: z.number().int().min(1).max(500).default(100),
  }),
  output: session.extend({ messages: z.array(sessionMessage), next_after: z.number().nullable() }),
  intents: ['what was said in the session', 'read messages of an A2A session'],
  aliases: [],
  async handler({ session_id, after, limit }, { caller, services }) {
    return { data: await services.agents.sessions.get(caller, session_id, after, limit) };
  },
});
