import { z } from 'zod';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'agent.message.acknowledge',
  title: 'Mark messages as read',
  description: 'Marks messages of your inbox as read, so that agent.message.list shows them no more. Again it changes nothing.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['agent:write'],
  latency: 'L1',
  input: z.object({ message_ids: z.array(z.string().min(1).max(64)).min(1).max(100) }),
  output: z.object({ acknowledged: z.array(z.string()) }),
  intents: ['mark a message as read', 'acknowledge messages', 'I have read my messages'],
  aliases: [],
  async handler({ message_ids }, { caller, services }) {
    const { acknowledged, unknown } = await services.agents.messages.acknowledge(caller, message_ids);
    return {
      data: { acknowledged },
      ...(unknown.length > 0 ? { warnings: [`Not in your inbox: ${unknown.join(', ')}.`] } : {}),
    };
  },
});
