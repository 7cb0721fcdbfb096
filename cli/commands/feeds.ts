import type { Command } from 'commander';
import { examples, isJson, list, number, oneOf } from './help.ts';

export interface AddFeedOptions {
  id?: string;
  title?: string;
  category?: string[];
  language?: string;
  header?: string[];
  secret?: string[];
}

export interface FetchFeedOptions {
  max?: number;
}

const repeated = (text: string, before: string[] = []): string[] => [...before, text];

export function addFeedCommands(program: Command): void {
  const feeds = program
    .command('feeds')
    .summary('where articles are fetched from')
    .description('Feed sources: RSS, Atom, RDF, CDF and JSON feeds, and news APIs.');
  const load = () => import('../feeds.ts');

  feeds
    .command('add <url>')
    .summary('add a feed')
    .description(
      'Adds an RSS, Atom, RDF, CDF or JSON feed, or changes the one of that id. APIs have settings: import a JSON file with them.',
    )
    .option('--id <id>', 'default: made of its address')
    .option('--title <title>', 'as people call it')
    .option('--category <names>', 'comma separated', list)
    .option('--language <tag>', 'BCP 47, e.g. en-GB')
    .option('--header <name: value>', 'sent with each request; ${name} in it stands for a secret', repeated)
    .option('--secret <name[=value]>', 'kept sealed; without a value: as it is in the environment', repeated)
    .addHelpText(
      'after',
      examples(
        ['signalbox feeds add https://techcrunch.com/feed/ --id techcrunch_ai --category AI,Technology', ''],
        ["signalbox feeds add https://news.example.com/private.xml --header 'Authorization: Bearer ${token}' --secret token=…", ''],
      ),
    )
    .action(async (url: string, options: AddFeedOptions, command: Command) => (await load()).addFeed(url, options, isJson(command)));

  feeds
    .command('ls')
    .summary('list them')
    .description('All sources, and how the last fetch of each went.')
    .option('--kind <kind>', 'rss or api', oneOf('rss', 'api'))
    .action(async ({ kind }: { kind?: 'rss' | 'api' }, command: Command) => (await load()).listFeeds(kind, isJson(command)));

  feeds
    .command('fetch <id>')
    .summary('fetch one now')
    .description('Fetches the articles of a source and shows them. Nothing is stored.')
    .option('--max <n>', 'articles at most (20)', number(1, 500))
    .action(async (id: string, options: FetchFeedOptions, command: Command) => (await load()).fetchFeed(id, options, isJson(command)));

  feeds
    .command('import <file>')
    .summary('take over those of another reader')
    .description('Adds the feeds of an OPML file, or the sources of a JSON file as FEED_SOURCES_FILE takes it.')
    .action(async (file: string, _options: object, command: Command) => (await load()).importFeeds(file, isJson(command)));

  feeds
    .command('rm <id>')
    .summary('remove one')
    .description('Removes a source with its credentials. Articles that were stored from it stay.')
    .action(async (id: string, _options: object, command: Command) => (await load()).removeFeed(id, isJson(command)));
}
