import { ApiFeeds } from './api.ts';
import { Articles } from './articles.ts';
import { RssFeeds } from './fetch.ts';
import { RunLogs } from './run-logs.ts';
import type { SeedFile } from './seed-file.ts';
import { seedSources, type SeedOutcome } from './seeds.ts';
import { Sources } from './sources.ts';
import { Webpages } from './webpages.ts';
import { Service } from '../kernel/service.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Notifications } from '../outbound/index.ts';
import { BriefService } from './briefs/index.ts';

/** Sources of articles, and the articles. */
export class Feeds extends Service<'web' | 'secrets' | 'feedReader' | 'pageReader'> {
  readonly sources = new Sources(this.deps);
  readonly rss = new RssFeeds({ ...this.deps, sources: this.sources });
  readonly api = new ApiFeeds({ ...this.deps, sources: this.sources });
  readonly webpages = new Webpages(this.deps);
  readonly articles = new Articles(this.deps);
  readonly logs = new RunLogs(this.deps);

  /**
   * Imports the sources of a seed file; sources changed by people stay.
   * @throws AppError
   */
  async seed(file: SeedFile): Promise<SeedOutcome> {
    return await seedSources(this.deps, this.sources, file);
  }
}

export function createFeeds(kernel: Kernel, { notifications }: { notifications: Notifications }) {
  const feeds = new Feeds(kernel);
  // Thresholds of briefs are those of a model on this machine.
  return { feeds, briefs: new BriefService({ ...kernel, embedder: kernel.localEmbedder, feeds, notifications }) };
}
