import { InvalidArgumentError } from 'commander';
import type { Answer } from '../client.ts';
import { argument, choice, either, limit, list, number, option, repeated, typed } from '../fields.ts';
import { aside, clean, facts, note, oneLine, paint, pick, say, sayJson, table } from '../output.ts';
import { call, type Given, plain, type Rows, verb } from '../table.ts';

const ingestion = {
  files: '<files...>',
  title: option('--title <title>', 'default: the name of the file'),
  tags: option('--tags <list>', 'words to filter by', list),
  agentId: option('--agent-id <id>', 'the worker in whose name it is done'),
} as const;
export type Ingestion = Given<typeof ingestion>;

const following = {
  types: option('--types <list>', 'only these, e.g. issue.flagged,ingestion.failed', list),
  subject: option('--subject <id>', 'only about this'),
  since: option('--since <event>', 'after the event with this id; oldest: all that are kept; now: what comes', typed<string>, 'oldest'),
  follow: option('--follow', 'go on until interrupted'),
  limit: limit(500, 100, 'at most, without --follow'),
};
export type Following = Given<typeof following>;

const feed = {
  url: '<url>',
  id: option('--id <id>', 'default: made of its address'),
  title: option('--title <title>', 'as people call it'),
  categories: option('--category <names>', 'comma separated', list),
  language: option('--language <tag>', 'BCP 47, e.g. en-GB'),
  header: option('--header <name: value>', 'sent with each request; ${name} in it stands for a secret', repeated),
  secret: option('--secret <name[=value]>', 'kept sealed; without a value: as it is in the environment', repeated),
} as const;
export type NewFeed = Given<typeof feed>;

const entity_type = option('--type <type>', 'customer, feature, issue, theme, stakeholder, or another type');

/** Our ids have a fixed form; anything else is a name. */
const which = (words: string[]): { entity_id: string } | { entity_name: string } => {
  const text = words.join(' ');
  return /^ent_[0-9a-z]{20}$/.test(text) ? { entity_id: text } : { entity_name: text };
};

function day(text: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) throw new InvalidArgumentError('A day like 2026-11-14.');
  return text;
}

type Topic = { name: string; keywords: string[]; weight?: number };

/** `name` or `name=word,other word`; `@2` at the end sets the weight. */
function topic(text: string, before: Topic[] = []): Topic[] {
  const [, name = '', words = '', weight] = /^([^=@]+)(?:=([^@]*))?(?:@(\d+(?:\.\d+)?))?$/.exec(text) ?? [];
  if (name.trim() === '') throw new InvalidArgumentError('A topic like "cloud security=breach,ransomware@2".');
  return [...before, { name: name.trim(), keywords: list(words), ...(weight === undefined ? {} : { weight: Number(weight) }) }];
}

// Not imported from contracts, so that `--help` does not load zod.
const channels = ['slack', 'email', 'webhook'] as const;
type Recipient = { channel: (typeof channels)[number]; recipient: string };

function recipient(text: string, before: Recipient[] = []): Recipient[] {
  const [, channel, address] = new RegExp(`^(${channels.join('|')}):(.+)$`).exec(text) ?? [];
  if (!channel || !address)
    throw new InvalidArgumentError(`One of ${channels.join(', ')}, a colon, and where to, e.g. email:pm@acme.test.`);
  return [...before, { channel: channel as Recipient['channel'], recipient: address }];
}

function showBrief({ data: { content, link, warnings } }: Answer<'authoring.brief.get'>): void {
  say(clean(content));
  say();
  for (const warning of warnings) note(`Note: ${clean(warning)}`);
  note(link);
}

const stories = { STORIES: ({ titles }: { titles: string[] }): string => titles.join(' · ') };

/** Commands for knowledge and its sources. */
export const knowledgeRows: Rows = {
  ingest: verb({
    help: 'make documents searchable\nTakes in files (transcripts, PDF, Office, HTML, e-mail, text), folders and zip archives, and web addresses. The same content twice is one document. Folders and archives are read where Signalbox runs, inside INGEST_ROOTS.',
    takes: ingestion,
    examples: [
      'signalbox ingest meeting.vtt --tags acme,renewal',
      'signalbox ingest handbook.pdf contracts/ https://example.com/faq # a file, a folder, a page',
      'signalbox ingest notes/*.md --json # what became of each',
    ],
    run: async (given) => (await import('../knowledge.ts')).ingest(given),
  }),
  search: plain({
    help: 'find passages, with their place in the source\nSearches what was ingested. Each hit is cited: source, time and speaker or lines.',
    takes: {
      text: '<text...>',
      mode: choice('--mode <mode>', ['hybrid', 'semantic'], 'hybrid (words and meaning) or semantic (meaning alone)'),
      limit: limit(50, 5),
      tags: option('--tags <list>', 'in sources that carry these', list),
    },
    examples: ['signalbox search why did they postpone the rollout', 'signalbox search "login fails" --mode semantic --limit 10 --json'],
    tool: 'index.chunk.search',
    input: ({ text, mode, limit, tags }) => ({ query: text.join(' '), mode, limit, filters: tags && { tags } }),
    show: async ({ data }) => (await import('../knowledge.ts')).showHits(data.hits),
  }),

  entities: {
    help: 'who and what the documents are about\nCustomers, features, issues, themes, people and other things that were found in what was ingested.',
  },
  'entities ls': plain({
    help: 'list them, most mentioned first\nLists entities, or finds them by a name or the beginning of one.',
    takes: { search: '[search...]', entity_type, limit: limit(100, 25) },
    examples: ['signalbox entities ls --type customer', 'signalbox entities ls pay'],
    tool: 'entity.record.list',
    input: ({ search, entity_type, limit }) => ({ search: search.join(' ') || undefined, entity_type, limit }),
    list: 'entities',
    columns: ['entity_id as id', 'type', 'signal_count as signals', 'name', 'aliases as also'],
    none: 'No entities.',
    more: 'a name or --type others',
  }),
  'entities get': plain({
    help: 'everything about one\nShows an entity by its id or by any of its names.',
    takes: { name: '<name...>', entity_type },
    examples: ['signalbox entities get Acme --type customer'],
    tool: 'entity.record.get',
    input: ({ name, entity_type }) => ({ ...which(name), entity_type }),
    show({ data: { entity } }) {
      facts({
        ...pick(entity, 'entity_id as entity', 'type', 'name', 'aliases as also', 'description', 'area'),
        state: entity.state && `${entity.state} (${entity.state_source})`,
        ...pick(entity, 'signal_count as signals', 'first_seen_at as first seen', 'last_seen_at as last seen'),
        links: entity.links.map((link) => link.url ?? `${link.external_system} ${link.external_id}`).join('\n'),
      });
      for (const { at, event, by } of entity.history) say(`${paint('dim', at)}  ${oneLine(event.replaceAll('_', ' '))} by ${oneLine(by)}`);
    },
  }),
  'entities related': plain({
    help: 'what hangs together with one\nShows what is connected with an entity, nearest first, and over what.',
    takes: {
      name: '<name...>',
      entity_type,
      max_hops: option('--hops <n>', 'steps away', number(1, 4), 2),
      related_types: option('--only <list>', 'only entities of these types', list),
      limit: limit(100, 25),
    },
    examples: ['signalbox entities related Acme --hops 3 --only issue,feature'],
    tool: 'graph.entity.find_related',
    input: ({ name, json: _, ...wanted }) => ({ ...which(name), ...wanted }),
    show({ data: { root, related } }) {
      if (related.length === 0) return say(`Nothing is connected with ${oneLine(root.name)}.`);
      table(related, ['hops', 'strength', 'signal_count as signals', 'type', { over: ({ path }) => path.slice(1).join(' › ') }]);
    },
  }),

  recount: plain({
    help: 'count all signals of your tenant again\nRebuilds the counts behind heatmaps, trends and profiles from the signals, and says how many were wrong. Needed only after a repair of the database by hand.',
    examples: ['signalbox recount'],
    tool: 'insight.count.rebuild',
    show: ({ data }) => facts(pick(data, 'signals', 'counts', 'corrected')),
  }),

  events: verb({
    help: 'what happens\nShows what happened in your tenant, in order, as far back as it is kept (seven days), and with --follow what happens next.',
    takes: following,
    examples: [
      'signalbox events --follow # all that happens',
      'signalbox events --types issue.flagged --follow --since now --json # one JSON document per line',
    ],
    run: async (given) => (await import('../events.ts')).showEvents(given),
  }),

  feeds: { help: 'where articles are fetched from\nFeed sources: RSS, Atom, RDF, CDF and JSON feeds, and news APIs.' },
  'feeds add': verb({
    help: 'add a feed\nAdds an RSS, Atom, RDF, CDF or JSON feed, or changes the one of that id. APIs have settings: import a JSON file with them.',
    takes: feed,
    examples: [
      'signalbox feeds add https://techcrunch.com/feed/ --id techcrunch_ai --category AI,Technology',
      "signalbox feeds add https://news.example.com/private.xml --header 'Authorization: Bearer ${token}' --secret token=…",
    ],
    run: async (given) => (await import('../feeds.ts')).addFeed(given),
  }),
  'feeds ls': verb({
    help: 'list them\nAll sources, and how the last fetch of each went.',
    takes: { kind: choice('--kind <kind>', ['rss', 'api'], 'rss or api') },
    run: async ({ kind, json }) => (await import('../feeds.ts')).listFeeds(kind, json),
  }),
  'feeds fetch': verb({
    help: 'fetch one now\nFetches the articles of a source and shows them. Nothing is stored.',
    takes: { feed_id: '<id>', max: option('--max <n>', 'articles at most (20)', number(1, 500)) },
    async run({ feed_id, max = 20, json }) {
      const { kind } = (await call('feed.source.get', { feed_id })).data.source;
      const answer =
        kind === 'api' ? await call('feed.api.fetch', { feed_id }) : await call('feed.rss.fetch', { feed_id, max_articles: max });
      if (json) return sayJson(answer.data);
      for (const { title, published_at, author, url } of answer.data.articles.slice(0, max)) {
        const from = [published_at?.slice(0, 16).replace('T', ' '), author].filter(Boolean).map((each) => oneLine(String(each)));
        say(`${paint('bold', oneLine(title))}\n  ${paint('dim', from.join(', '))}\n  ${clean(url)}`);
      }
      if (answer.data.articles.length === 0) say('No articles.');
      aside(answer);
    },
  }),
  'feeds import': verb({
    help: 'take over those of another reader\nAdds the feeds of an OPML file, or the sources of a JSON file as FEED_SOURCES_FILE takes it.',
    takes: { file: '<file>' },
    run: async ({ file, json }) => (await import('../feeds.ts')).importFeeds(file, json),
  }),
  'feeds rm': plain({
    help: 'remove one\nRemoves a source with its credentials. Articles that were stored from it stay.',
    takes: { feed_id: '<id>' },
    tool: 'feed.source.remove',
    show: (_, { feed_id }) => say(`${feed_id} is removed.`),
  }),

  brief: {
    help: 'the daily brief of the feeds\nWhat the feeds told on a day: each story once, judged by the configured topics, with what it rests on.',
  },
  'brief run': verb({
    help: 'make or refresh the brief of a day\nReads the feeds, judges and stores their articles, makes the brief and follows it to its end.',
    takes: {
      date: option('--date <date>', 'default: today, in the configured time zone', day),
      notify: either('notify', 'tell the recipients again', 'tell nobody'),
    },
    examples: ['signalbox brief run # today; readers are told once a day', 'signalbox brief run --date 2026-11-14 --json'],
    async run({ json, ...wanted }) {
      const asked = await call('authoring.brief.run', wanted);
      const job = await (await import('../jobs.ts')).completed(asked.data.job_id, json);
      const { brief } = job.result as { brief: { brief: string; version: number } };
      const made = await call('authoring.brief.get', { brief_id: brief.brief, version: brief.version });
      if (json) return sayJson({ job, brief: made.data });
      showBrief(made);
      for (const { feed_id, error } of made.data.sources)
        if (error) note(`Not read: ${clean(feed_id)} (${error.code}: ${clean(error.message)})`);
    },
  }),
  'brief show': plain({
    help: 'read one\nPrints a brief as Markdown.',
    takes: { date: argument('[date]', 'default: the newest', day) },
    examples: ['signalbox brief show # the newest', 'signalbox brief show 2026-11-14 --json # with its evidence'],
    tool: 'authoring.brief.get',
    show: showBrief,
    aside: false,
  }),
  'brief list': plain({
    help: 'which there are\nLists briefs, newest day first.',
    takes: { limit: limit(100, 20) },
    examples: ['signalbox brief list'],
    tool: 'authoring.brief.list',
    list: 'briefs',
    columns: ['date as DATE', 'version as VERSION', 'total_articles_analyzed as ARTICLES', 'brief_id as ID', stories],
  }),
  'brief configure': plain({
    help: 'topics, time, recipients\nChanges what is given and shows what holds then.',
    takes: {
      topics: option('--topic <topic>', 'name=word,word@weight; repeated: all topics', topic),
      time: option('--at <time>', 'e.g. 07:00'),
      time_zone: option('--time-zone <name>', 'e.g. Europe/Berlin'),
      recipients: option('--to <recipient>', 'slack:…, email:… or webhook:…; repeated: all recipients', recipient),
      sources: option('--sources <feeds>', 'ids of the feeds it is made from', list),
      max_highlights: option('--max-highlights <n>', 'stories in a brief', number(1, 20)),
      enabled: either('enabled', 'make it every day', 'only when asked'),
    },
    examples: [
      'signalbox brief configure # shows what holds',
      'signalbox brief configure --topic "AI=language model@2" --topic security',
      'signalbox brief configure --at 07:00 --time-zone Europe/Berlin --to email:pm@acme.test --enabled',
    ],
    tool: 'authoring.brief.configure',
    show: ({ data }) =>
      facts({
        enabled: String(data.enabled),
        at: `${data.time} ${data.time_zone}`,
        topics: data.topics.map(({ name, weight }) => `${name} (${weight})`).join(', ') || '-',
        recipients: data.recipients.map((each) => `${each.channel}:${each.recipient}`).join(', ') || '-',
        sources: data.sources.join(', ') || 'all that are enabled',
        ...pick(data, 'max_highlights as highlights', 'min_relevance as least relevance'),
        'articles of': `${data.lookback_hours} h`,
      }),
  }),
};
