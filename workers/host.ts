import { OpenTelemetryPlugin } from '@temporalio/interceptors-opentelemetry';
import { Worker, type NativeConnection, type WorkflowBundle } from '@temporalio/worker';
import { episodeActivities } from '../activities/episodes.ts';
import { graphActivities } from '../activities/graph.ts';
import { ingestActivities } from '../activities/ingest.ts';
import { ingestRunActivities } from '../activities/ingest-run.ts';
import { jobActivities } from '../activities/jobs.ts';
import { pipelineActivities } from '../activities/pipeline.ts';
import { projectionActivities } from '../activities/projection.ts';
import { removalActivities } from '../activities/removal.ts';
import { reviewActivities } from '../activities/review.ts';
import { sweepActivities } from '../activities/sweep.ts';
import { tableLinkActivities } from '../activities/table-link.ts';
import { workActivities } from '../activities/work.ts';
import type { Parser } from '../adapters/parsers/bounded.ts';
import { supportedFormats } from '../adapters/parsers/index.ts';
import { entriesOf } from '../adapters/parsers/unzip.ts';
import { crawl } from '../adapters/web/crawl.ts';
import { youtubeTranscript } from '../adapters/web/youtube.ts';
import { queues } from '../contracts/temporal.ts';
import { traceExport } from '../platform/telemetry.ts';
import type { Deps, Services } from '../services/index.ts';

/** Where the contents of a run come from. */
const collectors = {
  crawl,
  youtubeTranscript,
  // Entry by entry: what is in memory at a time is one of them.
  entriesOf: (bytes: Uint8Array) => entriesOf(bytes, { maxUnpackedBytes: 2 * 1024 ** 3, maxEntries: 200_000 }),
  extensions: new Set(supportedFormats.flatMap(({ extensions }) => extensions)),
};

export interface WorkerHostOptions {
  connection: NativeConnection;
  namespace: string;
  bundle: WorkflowBundle;
  deps: Deps;
  services: Services;
  /** Reads files within bounds; the one who made it closes it, after the workers have stopped. */
  parse: Parser['parse'];
}

/** The workers of this process, one per queue it serves: which queue hosts what stands here. */
export async function createWorkers(options: WorkerHostOptions): Promise<Worker[]> {
  const { connection, namespace, bundle, deps, services, parse } = options;
  const exporting = traceExport();
  const shared = {
    connection,
    namespace,
    workflowBundle: bundle,
    // A killed worker's sticky queue must not hold its workflows' tasks back for the default ten seconds.
    stickyQueueScheduleToStartTimeout: '1 second' as const,
    shutdownGraceTime: '5 seconds' as const,
    ...(exporting ? { plugins: [new OpenTelemetryPlugin(exporting)] } : {}),
  };
  const work = workActivities(deps.db, services.work.processes, services.work.queries);
  const jobs = jobActivities(services.jobs);
  const graph = graphActivities(deps, services.graph, () => services.projections.wake());
  const reviews = reviewActivities(deps, { jobs: services.jobs, copied: (tenant) => services.projections.graphCaughtUp(tenant, 3_000) });
  return await Promise.all([
    Worker.create({
      ...shared,
      taskQueue: queues.interactive,
      activities: { ...work, ...jobs, ...reviews, startReviews: graph.startReviews },
      maxCachedWorkflows: 1000,
      maxConcurrentActivityTaskExecutions: 50,
      maxConcurrentLocalActivityExecutions: 100,
    }),
    Worker.create({
      ...shared,
      taskQueue: queues.background,
      activities: {
        ...jobs,
        ...graph,
        ...episodeActivities(deps, services.graph),
        ...ingestActivities({ ...deps, parse }),
        ...ingestRunActivities({ ...deps, parse, ...collectors, embedSoon: (tenant) => services.graph.embedSoon(tenant) }),
        ...pipelineActivities(deps),
        ...removalActivities(deps, services.knowledge.removals),
        ...tableLinkActivities({ ...deps, parse }),
        ...sweepActivities(deps, services),
        ...projectionActivities(services.projections),
      },
      maxCachedWorkflows: 200,
      // Two cores: more parsing and embedding at once only makes each slower and claims too.
      maxConcurrentActivityTaskExecutions: 4,
      maxConcurrentLocalActivityExecutions: 20,
    }),
  ]);
}
