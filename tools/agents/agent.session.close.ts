import { z } from 'zod';
import { session } from '../../contracts/agents/delegations.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'agent.session.close',
  title: 'Close a session of agents',
  description: 'Ends a conversation of agents. Its tasks go on.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['agent:write'],
  latency: 'L1',
  input: z.object({ session_id: z.string().min(1).max(128) }),
  output: session,
  intents: ['end the conversation with another agent', 'close an A2A session'],
  aliases: [],
  async handler({ session_id }, { caller, services }) {
    return { data: await services.agents.sessions.close(caller, session_id) };
  },
});
