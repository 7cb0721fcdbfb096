import { z } from 'zod';
import { feedId, feedSource } from '../../contracts/feeds/feeds.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'feed.source.get',
  title: 'Get a feed source',
  description: 'One source: its address, settings and categories, the names of its credentials, and how its last fetch went.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['feed:read'],
  latency: 'L1',
  input: z.object({ feed_id: feedId }),
  output: z.object({ source: feedSource }),
  observes: ({ feed_id }) => ({ 'feed.id': feed_id }),
  intents: ['show a feed source', 'why does a feed fail', 'when was a feed last fetched', 'settings of an API source'],
  aliases: [],
  async handler({ feed_id }, { caller, services }) {
    return { data: { source: await services.feeds.sources.get(caller.tenant, feed_id) }, refs: [{ type: 'feed', id: feed_id }] };
  },
});
