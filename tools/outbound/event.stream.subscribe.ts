import { z } from 'zod';
import { event } from '../../contracts/outbound/events.ts';
import { eventFilter, eventPlace } from '../../contracts/outbound/subscriptions.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'event.stream.subscribe',
  title: 'Hear what happens',
  description:
    'Events of your tenant, in order: what was ingested, flagged, merged, generated or waits for somebody. Waits until there is one. Call again with after = next to miss none; GET /api/agents/v1/events streams the same, and event.subscription.save has them delivered.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['event:read'],
  latency: 'L3',
  input: z.object({
    ...eventFilter,
    after: eventPlace.optional(),
    wait_seconds: z.number().min(0).max(30).default(0).describe('How long to wait for the first one'),
    limit: z.number().int().min(1).max(500).default(100),
  }),
  output: z.object({
    events: z.array(event),
    next: z.string().describe('Where to go on: give it as after'),
  }),
  intents: [
    'what happened since',
    'wait for new events',
    'subscribe to the event stream',
    'tell me when something changes',
    'watch for flagged issues',
    'follow what is going on',
    'poll for changes',
  ],
  aliases: [],
  async handler({ types, subject, after, wait_seconds, limit }, { caller, services, signal }) {
    const page = await services.events.wait(
      caller.tenant,
      after ?? null,
      { types, subject: subject ?? null },
      { limit, ms: wait_seconds * 1_000, signal },
    );
    return { data: page, metadata: { result_count: page.events.length, next_cursor: page.next } };
  },
});
