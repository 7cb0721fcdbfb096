import { z } from 'zod';
import { feedId } from '../../contracts/feeds/feeds.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'feed.source.remove',
  title: 'Remove a feed source',
  description:
    'Removes a source with its credentials: it is fetched no more. Articles that were stored from it stay. To pause one, feed.source.save with {"enabled": false}.',
  effect: 'destructive',
  idempotent: false,
  external: false,
  approval: 'A1',
  scopes: ['feed:write'],
  latency: 'L1',
  input: z.object({ feed_id: feedId }),
  output: z.object({ removed: z.boolean() }),
  observes: ({ feed_id }) => ({ 'feed.id': feed_id }),
  intents: ['remove a feed', 'unsubscribe from a feed', 'delete a news source'],
  aliases: [],
  async handler({ feed_id }, { caller, services }) {
    await services.feeds.sources.remove(caller.tenant, feed_id);
    return { data: { removed: true } };
  },
});
