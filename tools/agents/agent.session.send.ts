import { z } from 'zod';
import { agentId, jsonSchema, sessionMessageTypes } from '../../contracts/agents/agents.ts';
import { delegatedTaskId, sessionMessage } from '../../contracts/agents/delegations.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'agent.session.send',
  title: 'Say something in a session',
  description:
    'Adds a typed message to a session of agents. A capability_query is answered at once, a heartbeat counts as a sign of life, task messages link their task.',
  effect: 'write',
  idempotent: false,
  external: false,
  approval: 'A0',
  scopes: ['agent:write'],
  latency: 'L1',
  input: z.object({
    session_id: z.string().min(1).max(128),
    type: z.enum(sessionMessageTypes),
    body: jsonSchema.default({}).describe('By its type, e.g. {"task_id": …, "status": "completed", "result": …} of a task_result'),
    id: delegatedTaskId.optional().describe('Your id of the message: sent again under it, it is the same one'),
    sender: agentId.optional(),
    recipient: agentId.optional(),
  }),
  output: z.object({ message: sessionMessage, replies: z.array(sessionMessage) }),
  intents: ['send a message in an A2A session', 'ask in a session what agents can do'],
  aliases: [],
  async handler({ session_id, type, body, id, sender, recipient }, { caller, services, callKey }) {
    return { data: await services.agents.sessions.send(caller, session_id, { type, body, id, sender, recipient }, callKey) };
  },
});
