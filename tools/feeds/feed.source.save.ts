import { z } from 'zod';
import { feedId, feedKinds, feedSource } from '../../contracts/feeds/feeds.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'feed.source.save',
  title: 'Add or change a feed source',
  description:
    'Adds a place that articles are fetched from, or changes one: what is not given stays. An RSS, Atom, RDF, CDF or JSON feed needs its address only; an API (kind api) needs settings that say how to ask it and where in its answer articles stand. Fetch it with feed.rss.fetch or feed.api.fetch.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['feed:write'],
  latency: 'L1',
  input: z.object({
    feed_id: feedId,
    kind: z.enum(feedKinds).optional().describe('rss (the default) for every kind of feed, api for JSON APIs'),
    url: z.string().max(2_000).optional().describe('Address of the feed or the API; a new source needs it'),
    title: z.string().max(300).optional(),
    enabled: z.boolean().optional().describe('false: it stays and is not fetched'),
    categories: z.array(z.string().min(1).max(100)).max(30).optional(),
    language: z.string().max(35).nullable().optional().describe('BCP 47, e.g. en-GB'),
    settings: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        'rss: {headers, query}. api: {method, headers, query, body, params, items, fields, paging} with JSONPaths. ${name} in headers and query stands for a credential. Replaces the former settings',
      ),
    credentials: z
      .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/), z.string().min(1).max(4_000))
      .optional()
      .describe('What ${names} in the settings stand for: stored sealed, never shown again. Replaces all of them; {} removes them'),
  }),
  output: z.object({ source: feedSource, created: z.boolean() }),
  observes: ({ feed_id }) => ({ 'feed.id': feed_id }),
  intents: [
    'add an RSS feed',
    'subscribe to a blog or a news site',
    'add a news API as a source',
    'change the address of a feed',
    'switch a feed off',
    'give a feed its API key',
  ],
  aliases: [],
  async handler(given, { caller, services }) {
    const saved = await services.feeds.sources.save(caller.tenant, given, caller.principal);
    return { data: saved, refs: [{ type: 'feed', id: given.feed_id }] };
  },
});
