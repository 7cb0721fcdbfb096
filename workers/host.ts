import { OpenTelemetryPlugin } from '@temporalio/interceptors-opentelemetry';
import { Worker, type NativeConnection, type WorkflowBundle } from '@temporalio/worker';
import { ingestActivities } from '../activities/ingest.ts';
import { jobActivities } from '../activities/jobs.ts';
import { sweepActivities } from '../activities/sweep.ts';
import { workActivities } from '../activities/work.ts';
import { parse } from '../adapters/parsers/index.ts';
import { queues } from '../contracts/temporal.ts';
import { traceExport } from '../platform/telemetry.ts';
import type { Deps, Services } from '../services/index.ts';

export interface WorkerHostOptions {
  connection: NativeConnection;
  namespace: string;
  bundle: WorkflowBundle;
  deps: Deps;
  services: Services;
}

/** The workers of this process, one per queue it serves: which queue hosts what stands here. */
export async function createWorkers(options: WorkerHostOptions): Promise<Worker[]> {
  const { connection, namespace, bundle, deps, services } = options;
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
  return await Promise.all([
    Worker.create({
      ...shared,
      taskQueue: queues.interactive,
      activities: { ...work },
      maxCachedWorkflows: 1000,
      maxConcurrentActivityTaskExecutions: 50,
      maxConcurrentLocalActivityExecutions: 100,
    }),
    Worker.create({
      ...shared,
      taskQueue: queues.background,
      activities: { ...jobs, ...ingestActivities({ ...deps, parse }), ...sweepActivities(deps, services) },
      maxCachedWorkflows: 200,
      // Two cores: more parsing and embedding at once only makes each slower and claims too.
      maxConcurrentActivityTaskExecutions: 4,
      maxConcurrentLocalActivityExecutions: 20,
    }),
  ]);
}
