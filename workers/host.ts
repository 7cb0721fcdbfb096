import { Worker, type NativeConnection, type WorkerOptions, type WorkflowBundle } from '@temporalio/worker';
import { agentActivities } from '../activities/agents/agents.ts';
import { connectorActivities } from '../activities/outbound/connector.ts';
import { delegationActivities, outboundDelegationActivities } from '../activities/agents/delegation.ts';
import { outboundReceivedActivities, receivedActivities } from '../activities/agents/received.ts';
import { a2aActivities, a2aPushActivities } from '../activities/agents/a2a.ts';
import { exportActivities } from '../activities/governance/export.ts';
import { briefActivities, briefOutboundActivities } from '../activities/feeds/brief.ts';
import { draftActivities } from '../activities/authoring/draft.ts';
import { episodeActivities } from '../activities/graph/episodes.ts';
import { graphActivities } from '../activities/graph/graph.ts';
import { ingestActivities } from '../activities/knowledge/ingest.ts';
import { ingestRunActivities } from '../activities/knowledge/ingest-run.ts';
import { jobActivities } from '../activities/kernel/jobs.ts';
import { ledgerActivities } from '../activities/governance/ledger.ts';
import { notifyActivities } from '../activities/outbound/notify.ts';
import { opportunityActivities } from '../activities/signals/opportunities.ts';
import { rereadingActivities } from '../activities/signals/rereading.ts';
import { pipelineActivities } from '../activities/knowledge/pipeline.ts';
import { projectionActivities } from '../activities/kernel/projection.ts';
import { removalActivities } from '../activities/knowledge/removal.ts';
import { reportScheduleActivities } from '../activities/authoring/report-schedule.ts';
import { reviewActivities } from '../activities/kernel/review.ts';
import { sweepActivities } from '../activities/kernel/sweep.ts';
import { tableLinkActivities } from '../activities/graph/table-link.ts';
import { toolCallActivities } from '../activities/governance/tool-call.ts';
import type { Execute } from '../services/kernel/execution.ts';
import { watchingActivities } from '../activities/work/watching.ts';
import { webhookActivities } from '../activities/outbound/webhook.ts';
import { recurrenceActivities } from '../activities/work/recurrence.ts';
import { trackerActivities } from '../activities/work/tracker.ts';
import { shapeActivities } from '../activities/work/shape.ts';
import { workActivities } from '../activities/work/work.ts';
import type { Parser } from '../adapters/parsers/bounded.ts';
import { supportedFormats } from '../adapters/parsers/index.ts';
import { entriesOf } from '../adapters/parsers/unzip.ts';
import { crawl } from '../adapters/web/crawl.ts';
import { youtubeTranscript } from '../adapters/web/youtube.ts';
import type { Deployment } from '../adapters/temporal/deployment.ts';
import { queues } from '../contracts/temporal.ts';
import { tracePlugins } from '../platform/telemetry.ts';
import type { Services } from '../services/index.ts';
import { sealedOptions } from './sealed.ts';

/** An archive with more entries is refused by its directory, before it is unpacked. */
const maxArchiveEntries = 50_000;
const archiveTimeoutMs = 120_000;

/** Sources of a run's contents. */
const collectors = {
  crawl,
  youtubeTranscript,
  // Entry by entry, so that only one is in memory at a time.
  entriesOf: (bytes: Uint8Array) =>
    entriesOf(bytes, { maxUnpackedBytes: 2 * 1024 ** 3, maxEntries: maxArchiveEntries, timeoutMs: archiveTimeoutMs }),
  extensions: new Set(supportedFormats.flatMap(({ extensions }) => extensions)),
};

export interface WorkerHostOptions {
  connection: NativeConnection;
  namespace: string;
  bundle: WorkflowBundle;
  /** Names of the queues that this process serves; default: all. */
  queues?: string[];
  services: Services;
  /** The version that these workers are; null: not versioned. */
  deployment?: Deployment | null;
  /** Parses files within limits; the creator closes it after the workers have stopped. */
  parse: Parser['parse'];
  /** Tool calls of processes. */
  execute: Execute;
  /** Workflows of the interactive queue that are kept in memory between their tasks; a fifth of it for each other queue. */
  cachedWorkflows: number;
}

/** The workers of this process, one per queue it serves; defines the activities of each queue. */
export async function createWorkers(options: WorkerHostOptions): Promise<Worker[]> {
  const { connection, namespace, bundle, services, deployment, parse, execute, cachedWorkflows } = options;
  const { kernel } = services;
  const fewerCached = Math.max(10, Math.ceil(cachedWorkflows / 5));
  const shared = {
    connection,
    namespace,
    ...(await sealedOptions(kernel, bundle, Boolean(deployment))),
    ...(deployment
      ? {
          workerDeploymentOptions: {
            useWorkerVersioning: true as const,
            version: { deploymentName: deployment.name, buildId: deployment.buildId },
            // Those of workflows/index.ts that wait for people, agents or time move to the current version instead.
            defaultVersioningBehavior: 'PINNED' as const,
          },
        }
      : {}),
    // By default, tasks wait ten seconds for a killed worker's sticky queue.
    stickyQueueScheduleToStartTimeout: '1 second' as const,
    shutdownGraceTime: '5 seconds' as const,
    plugins: tracePlugins(),
  };
  const served = (worker: WorkerOptions): Promise<Worker>[] =>
    options.queues?.includes(worker.taskQueue ?? '') === false ? [] : [Worker.create(worker)];
  const jobs = jobActivities(services.jobs);
  const graph = graphActivities(services);
  const tasksReceived = receivedActivities(services, execute);
  // Names that only a deleted document told.
  const cleared = (tenant: string): Promise<void> => services.rereading.wakeSoon(tenant);
  // `light` has the same activities; only the size of the content differs.
  const background = {
    ...jobs,
    ...graph,
    ...recurrenceActivities(services),
    ...episodeActivities(services),
    ...ingestActivities({ ...kernel, parse, cleared }),
    ...ingestRunActivities({ ...kernel, parse, cleared, ...collectors, embedSoon: (tenant) => services.graph.embedSoon(tenant) }),
    ...pipelineActivities(services),
    ...opportunityActivities(services),
    ...rereadingActivities(services),
    ...removalActivities(services),
    ...tableLinkActivities({ ...kernel, parse }),
    ...draftActivities(services.authoring.stages),
    ...briefActivities(services.briefs),
    ...exportActivities(services),
    ...ledgerActivities(services.governance.chain),
    ...sweepActivities(services),
    ...projectionActivities(services.projections),
  };
  return await Promise.all([
    ...served({
      ...shared,
      taskQueue: queues.interactive,
      activities: {
        ...workActivities(services),
        ...shapeActivities(services),
        // For presences that a former version started in this queue.
        ...agentActivities(services),
        ...watchingActivities(services),
        ...toolCallActivities(services, execute),
        ...delegationActivities(services),
        ...tasksReceived,
        ...jobs,
        ...reviewActivities(services),
        ...a2aActivities(services, execute),
        startReviews: graph.startReviews,
      },
      maxCachedWorkflows: cachedWorkflows,
      maxConcurrentActivityTaskExecutions: 50,
      maxConcurrentLocalActivityExecutions: 100,
    }),
    ...served({
      ...shared,
      taskQueue: queues.presence,
      activities: agentActivities(services),
      maxCachedWorkflows: fewerCached,
      // What happens to a thousand agents at once is handled over some seconds, and claims keep the processors.
      maxConcurrentWorkflowTaskExecutions: 20,
      maxConcurrentActivityTaskExecutions: 8,
      // Most presences are not cached when they have something to do. The default polls one fifth for them.
      nonStickyToStickyPollRatio: 0.5,
      maxConcurrentLocalActivityExecutions: 4,
      // A task that waits this long for its turn is not lost, and another queue's tasks are not handed back and forth meanwhile.
      stickyQueueScheduleToStartTimeout: '10 seconds',
    }),
    ...served({
      ...shared,
      taskQueue: queues.light,
      activities: background,
      maxCachedWorkflows: fewerCached,
      // Most of it competes for the same two processors: more at once would not be faster.
      maxConcurrentActivityTaskExecutions: 4,
      maxConcurrentLocalActivityExecutions: 20,
    }),
    ...served({
      ...shared,
      taskQueue: queues.background,
      activities: background,
      maxCachedWorkflows: fewerCached,
      // On two cores, more parsing and embedding at once slows down everything, including claims.
      maxConcurrentActivityTaskExecutions: 4,
      maxConcurrentLocalActivityExecutions: 20,
    }),
    ...served({
      ...shared,
      taskQueue: queues.outbound,
      activities: {
        ...jobs,
        ...connectorActivities(services.connectors),
        ...briefOutboundActivities(services.briefs),
        ...trackerActivities(services),
        ...webhookActivities(services.events),
        ...notifyActivities(services.notifications),
        ...reportScheduleActivities(services.reportSchedules.fires),
        ...a2aPushActivities(services),
        ...outboundDelegationActivities(services),
        ...outboundReceivedActivities(services),
        ...tasksReceived,
      },
      maxCachedWorkflows: fewerCached,
      // These activities mostly wait for other hosts, some for long.
      maxConcurrentActivityTaskExecutions: 250,
    }),
  ]);
}
