import { z } from 'zod';
import { inboxCounts, inboxItem, inboxKindNames } from '../../contracts/inbox.ts';
import { defineTool } from '../catalogue/define.ts';
import { paged } from '../catalogue/pages.ts';
import { kindsFor } from './system.inbox.shared.ts';

export default defineTool({
  name: 'system.inbox.list',
  title: 'List everything that waits for a person',
  description:
    'One list: calls to approve, calls of unknown outcome, entity reviews, outputs to judge, dead letters, changed tools of other servers, undelivered events, failed notices. Items that expire first come first. Decide each with its own tool.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  ungoverned: true,
  scopes: [],
  latency: 'L1',
  input: z.object({
    kinds: z
      .array(z.enum(inboxKindNames))
      .min(1)
      .max(inboxKindNames.length)
      .optional()
      .describe('Only items of these kinds; all kinds are counted'),
    mine: z.boolean().default(false).describe('Only calls that you requested'),
    limit: z.number().int().min(1).max(100).default(50),
    cursor: z.string().max(512).optional(),
  }),
  output: z.object({ items: z.array(inboxItem), counts: inboxCounts }),
  intents: ['what waits for a decision', 'my inbox', 'what do people have to decide', 'everything that is stuck and needs somebody'],
  aliases: [],
  async handler({ kinds, ...wanted }, context) {
    const { counts, ...page } = await context.services.inbox.list(context.caller, { ...wanted, kinds: kindsFor(context), only: kinds });
    const { data, metadata } = paged('items', page);
    return { data: { ...data, counts }, ...(metadata ? { metadata } : {}) };
  },
});
