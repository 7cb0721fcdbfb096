import type { FeedReader } from '../../adapters/feeds/types.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { SecretBox } from '../../adapters/secrets/box.ts';
import type { PageReader } from '../../adapters/web/page-reader.ts';
import type { WebClient } from '../../adapters/web/types.ts';
import { ApiFeeds } from './api.ts';
import { Articles } from './articles.ts';
import { RssFeeds } from './fetch.ts';
import { RunLogs } from './run-logs.ts';
import type { SeedFile } from './seed-file.ts';
import { seedSources, type SeedOutcome } from './seeds.ts';
import { Sources } from './sources.ts';
import { Webpages } from './webpages.ts';

export interface FeedDeps {
  db: Database;
  web: WebClient;
  secrets: SecretBox;
  feedReader: FeedReader;
  pageReader: PageReader;
}

/** Sources of articles, and the articles. */
export class Feeds {
  readonly sources: Sources;
  readonly rss: RssFeeds;
  readonly api: ApiFeeds;
  readonly webpages: Webpages;
  readonly articles: Articles;
  readonly logs: RunLogs;

  private readonly deps: FeedDeps;

  constructor(deps: FeedDeps) {
    this.deps = deps;
    this.sources = new Sources(deps);
    this.rss = new RssFeeds(deps, this.sources);
    this.api = new ApiFeeds(deps, this.sources);
    this.webpages = new Webpages(deps);
    this.articles = new Articles(deps);
    this.logs = new RunLogs(deps);
  }

  /**
   * Imports the sources of a seed file; sources changed by people stay.
   * @throws AppError
   */
  async seed(file: SeedFile): Promise<SeedOutcome> {
    return await seedSources(this.deps, this.sources, file);
  }
}
