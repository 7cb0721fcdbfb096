import { z } from 'zod';
import { feedKinds, feedSource } from '../../contracts/feeds/feeds.ts';
import { defineTool } from '../catalogue/define.ts';
import { paged } from '../catalogue/pages.ts';

export default defineTool({
  name: 'feed.source.list',
  title: 'List feed sources',
  description: 'The places that articles are fetched from, by id: their addresses, and how the last fetch of each went.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['feed:read'],
  latency: 'L1',
  input: z.object({
    kind: z.enum(feedKinds).optional(),
    enabled: z.boolean().optional(),
    category: z.string().max(100).optional(),
    limit: z.number().int().min(1).max(500).default(50),
    cursor: z.string().max(1_000).optional().describe('next_cursor of the page before'),
  }),
  output: z.object({ sources: z.array(feedSource), total: z.number().int() }),
  intents: ['which feeds are there', 'list RSS sources', 'which feeds fail', 'what sources are harvested', 'show the news APIs we use'],
  aliases: [],
  async handler(filter, { caller, services }) {
    const page = await services.feeds.sources.page(caller.tenant, filter);
    return { ...paged('sources', page), data: { sources: page.items, total: page.total } };
  },
});
