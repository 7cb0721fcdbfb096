import { wantedTypes } from '../../contracts/outbound/events.ts';

const example = `id: evt_000000000bp0123456789ab
event: issue.flagged
data: {"id":"evt_000000000bp0123456789ab","type":"issue.flagged","occurred_at":"2026-11-22T09:14:03.000Z","tenant_id":"acme","subject":"ent_5m2k8q","data":{"name":"Export fails on large boards","severity":"high","reason":"Three customers in one day"},"refs":[{"type":"entity","id":"ent_5m2k8q"}]}
`;

/** The OpenAPI description of the event stream, which is not a tool call; event-route.ts serves it. */
export const streamOperation = (refusals: Record<string, unknown>): Record<string, unknown> => ({
  operationId: 'streamEvents',
  summary: 'Follow what happens',
  description: `Server-sent events as they happen, each at least once, those of one subject in their order. Without \`Last-Event-ID\` it begins now. Comments, and ids without an event, keep the connection open; when it breaks, connect again with the last id. \`event: refused\` says why the server ends it: the key was revoked, its session was closed or a policy forbids it now. The same events by long poll: \`event.stream.subscribe\`; to a webhook: \`event.subscription.save\`.`,
  tags: ['Events'],
  parameters: [
    {
      name: 'types',
      in: 'query',
      required: false,
      description:
        'Only these types or names, comma separated; left out: all. An event with a name keeps its type: `work.task_claimed` comes as `event: work.task_changed` with `name` in its data.',
      style: 'form',
      explode: false,
      schema: { type: 'array', items: { type: 'string', enum: [...wantedTypes] } },
      example: ['issue.flagged', 'opportunity.created'],
    },
    {
      name: 'subject',
      in: 'query',
      required: false,
      description: 'Only what is about this, e.g. an entity id.',
      schema: { type: 'string' },
    },
    {
      name: 'last_event_id',
      in: 'query',
      required: false,
      description: 'The same as the header, for clients that cannot set one.',
      schema: { type: 'string' },
    },
    {
      name: 'Last-Event-ID',
      in: 'header',
      required: false,
      description: 'The id of the last event that was read; the stream goes on after it.',
      schema: { type: 'string' },
    },
  ],
  responses: {
    200: {
      description: 'A stream that stays open.',
      content: { 'text/event-stream': { schema: { type: 'string' }, example } },
    },
    ...refusals,
  },
});
