import { z } from 'zod';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { agentId } from './agent.shared.ts';

const input = z.object({
  agent_id: agentId.describe('To whom: a registered agent, or any name that works here or will'),
  message: z.string().min(1).max(32_768),
  data: z.record(z.string(), z.unknown()).optional().describe('The same for machines'),
  reply_to: z.string().max(64).optional().describe('Message that this answers'),
});
const output = z.object({ status: z.literal('delivered'), delivered_at: z.string(), message_id: z.string() });

const sendMessageToAgent: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'send_message_to_agent',
  system: 'devflow',
  description: 'Send a message to another agent. It waits in its inbox until it is read.',
  input: input.pick({ agent_id: true, message: true }),
  toInput: (args) => args as z.input<typeof input>,
  toAnswer: ({ status, delivered_at }) => ({ status, delivered_at }),
};

export default defineTool({
  name: 'agent.message.send',
  title: 'Send a message to an agent',
  description:
    'Puts a message into the inbox of an agent of your tenant, where it stays until it is acknowledged, also when the agent is away. It reads it with agent.message.list.',
  effect: 'write',
  idempotent: false,
  external: false,
  approval: 'A0',
  scopes: ['agent:write'],
  latency: 'L1',
  input,
  output,
  intents: ['tell another agent something', 'message an agent', 'coordinate with another worker', 'ask another agent'],
  aliases: [sendMessageToAgent],
  async handler({ agent_id, message, data, reply_to }, { caller, services, callKey }) {
    const sent = await services.agents.messages.send(caller, { recipient: agent_id, body: message, data, replyTo: reply_to }, callKey);
    return { data: { status: 'delivered' as const, ...sent } };
  },
});
