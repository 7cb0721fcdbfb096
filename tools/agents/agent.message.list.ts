import { z } from 'zod';
import { defineTool } from '../catalogue/define.ts';
import { paged } from '../catalogue/pages.ts';
import { agentId, message } from './agent.shared.ts';

export default defineTool({
  name: 'agent.message.list',
  title: 'Read the inbox',
  description:
    'Your messages, oldest unread first. With wait_seconds it waits for one when there is none. Acknowledge what you have read with agent.message.acknowledge, else it comes again.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['agent:read'],
  latency: 'L1',
  input: z.object({
    agent_id: agentId.optional().describe('Whose; default: your own. People may read any'),
    include_read: z.boolean().default(false),
    limit: z.number().int().min(1).max(100).default(20),
    cursor: z.string().max(64).optional(),
    wait_seconds: z.number().min(0).max(30).default(0).describe('How long to wait for a message when there is none'),
  }),
  output: z.object({ messages: z.array(message), unread: z.number() }),
  intents: ['read my messages', 'is there a message for me', 'wait for an answer of another agent', 'check the inbox'],
  aliases: [],
  async handler({ agent_id, include_read, wait_seconds, ...paging }, { caller, services, signal }) {
    const wanted = { recipient: agent_id, includeRead: include_read, waitSeconds: wait_seconds, ...paging };
    const page = await services.agents.messages.list(caller, wanted, signal);
    return { ...paged('messages', page), data: { messages: page.items, unread: page.unread } };
  },
});
