/**
 * Versions of workers. Each build of the workers is a version of one deployment; Temporal sends new processes to the
 * current version, and pinned ones to the version that started them. See docs/decisions/0047.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../contracts/errors.ts';
import { queues } from '../../contracts/temporal.ts';
import type { Temporal } from './client.ts';
import { grpcCode } from './errors.ts';

export interface Deployment {
  name: string;
  buildId: string;
}

/** As the enum of Temporal's API counts them. */
const states = ['unknown', 'inactive', 'current', 'ramping', 'draining', 'drained', 'created'] as const;

export interface DeploymentVersion {
  build_id: string;
  /**
   * `inactive`, `created`: never was current. `draining`: its pinned processes run to their end. `drained`: its workers
   * may be stopped.
   */
  status: (typeof states)[number];
  /** Polls of its workers, by queue. */
  pollers: Record<string, number>;
  created_at: string | null;
}

/** The versions of a deployment, newest first; none: no worker has polled with its name yet. */
export async function versionsOf({ client, namespace }: Temporal, name: string): Promise<DeploymentVersion[]> {
  const { workflowService } = client.connection;
  const found = await workflowService.describeWorkerDeployment({ namespace, deploymentName: name }).catch((error: unknown) => {
    if (grpcCode(error) === 5) return null;
    throw error;
  });
  const summaries = found?.workerDeploymentInfo?.versionSummaries ?? [];
  const polls = await Promise.all(
    Object.values(queues).map(async (queue) => {
      const { pollers } = await workflowService.describeTaskQueue({ namespace, taskQueue: { name: queue }, taskQueueType: 1 });
      return (pollers ?? []).flatMap(({ deploymentOptions: of }) => (of?.deploymentName === name ? [{ queue, build: of.buildId }] : []));
    }),
  );
  return summaries
    .map((summary) => {
      const build_id = summary.deploymentVersion?.buildId ?? summary.version?.split('.').slice(1).join('.') ?? '';
      const seconds = Number(summary.createTime?.seconds ?? 0);
      const mine = polls.flat().filter(({ build }) => build === build_id);
      return {
        build_id,
        status: states[summary.status ?? 0] ?? 'unknown',
        pollers: Object.fromEntries(Object.values(queues).map((queue) => [queue, mine.filter((poll) => poll.queue === queue).length])),
        created_at: seconds > 0 ? new Date(seconds * 1_000).toISOString() : null,
      };
    })
    .sort((one, other) => (other.created_at ?? '').localeCompare(one.created_at ?? ''));
}

/** How long one question may take, in ms. */
const answerWithin = 10_000;

/** Whether its workers take tasks from every queue. */
export const pollsAll = ({ pollers }: DeploymentVersion): boolean => Object.values(pollers).every((count) => count > 0);

/**
 * Makes a version the current one, as soon as its workers poll every queue: new processes, and those that may move, go
 * to it.
 * @param build default: the newest
 * @param options.onlyNew leave one alone that was current before: a restarted worker of a former version is no upgrade
 * @returns the version, and whether this call changed anything
 * @throws AppError NOT_FOUND, or CONFLICT when its workers do not poll in time
 */
export async function promote(
  temporal: Temporal,
  name: string,
  build: string | undefined,
  { waitMs, onlyNew = false }: { waitMs: number; onlyNew?: boolean },
): Promise<{ version: DeploymentVersion; changed: boolean }> {
  /** Why Temporal does not make it current yet: it notes the queues of a version some time after its workers have polled them. */
  let refused: Error | null = null;
  for (const until = Date.now() + waitMs; ; await sleep(200)) {
    const versions = await temporal.client.withDeadline(Date.now() + answerWithin, () => versionsOf(temporal, name));
    const version = build === undefined ? versions[0] : versions.find(({ build_id }) => build_id === build);
    if (version?.status === 'current') return { version, changed: false };
    if (version && onlyNew && version.status !== 'inactive' && version.status !== 'created') return { version, changed: false };
    if (version && pollsAll(version)) {
      refused = await makeCurrent(temporal, name, version.build_id);
      if (!refused) return { version: { ...version, status: 'current' }, changed: true };
    }
    if (Date.now() < until) continue;
    if (!version) {
      throw new AppError('NOT_FOUND', `The deployment ${name} has ${build === undefined ? 'no version' : `no version ${build}`}.`, {
        hint: 'Start its workers with this TEMPORAL_DEPLOYMENT_NAME first; `signalbox temporal versions` lists what there is.',
      });
    }
    if (refused) {
      throw new AppError('CONFLICT', `Temporal does not make version ${version.build_id} the current one: ${refused.message}.`, {
        hint: 'Repeat the command when its workers have polled for a minute. The current version stays.',
        cause: refused,
      });
    }
    const idle = Object.keys(version.pollers).filter((queue) => version.pollers[queue] === 0);
    throw new AppError('CONFLICT', `No worker of version ${version.build_id} polls ${idle.join(', ')}.`, {
      hint: 'Start its workers and repeat the command. The current version stays.',
    });
  }
}

/** @returns Temporal's refusal, which may pass; null: it is current */
async function makeCurrent({ client, namespace }: Temporal, deploymentName: string, buildId: string): Promise<Error | null> {
  try {
    await client.connection.workflowService.setWorkerDeploymentCurrentVersion({
      namespace,
      deploymentName,
      buildId,
      identity: 'signalbox',
    });
    return null;
  } catch (error) {
    if (grpcCode(error) === 9) return error as Error;
    throw error;
  }
}
