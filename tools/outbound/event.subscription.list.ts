import { z } from 'zod';
import { subscription } from '../../contracts/outbound/subscriptions.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'event.subscription.list',
  title: 'List subscriptions to events',
  description: 'Who is told of events, where, and whether it arrives.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['event:read'],
  latency: 'L1',
  input: z.object({}),
  output: z.object({ subscriptions: z.array(subscription) }),
  intents: ['which webhooks are set up', 'list alerts', 'which subscriptions fail'],
  aliases: [],
  async handler(_input, { caller, services }) {
    const subscriptions = await services.events.subscriptions.list(caller.tenant);
    return { data: { subscriptions }, metadata: { result_count: subscriptions.length } };
  },
});
