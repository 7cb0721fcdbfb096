/** What `signalbox doctor` checks in Temporal. */
import { openTemporal, type Temporal } from '../adapters/temporal/client.ts';
import { temporalTarget } from '../adapters/temporal/connection.ts';
import { pollsAll, versionsOf } from '../adapters/temporal/deployment.ts';
import { connectionProblem } from '../adapters/temporal/refusals.ts';
import { missingAttributes } from '../adapters/temporal/setup.ts';
import type { AppError } from '../contracts/errors.ts';
import { queues, searchAttributes } from '../contracts/temporal.ts';
import type { Config } from '../platform/config.ts';
import { fail, ok, warn, type Check } from './doctor-check.ts';

/** Queues that workers of this version serve. */
const served = Object.values(queues);
const answerWithin = 5_000;

export async function temporalChecks(config: Config, address: string): Promise<Check[]> {
  let temporal: Temporal | undefined;
  try {
    const opened = (temporal = openTemporal({ ...temporalTarget(config, address), secrets: null, retry: false }));
    return await opened.client.withDeadline(Date.now() + answerWithin, async () => [
      ...(await inNamespace(opened)),
      ...(config.TEMPORAL_DEPLOYMENT_NAME ? [await versions(opened, config.TEMPORAL_DEPLOYMENT_NAME)] : []),
    ]);
  } catch (error) {
    const { message, hint } = temporal ? connectionProblem(error, temporal.target) : (error as AppError);
    const embedded = config.TEMPORAL_ADDRESS === undefined ? ' Its log: logs/temporal.log in the data folder.' : '';
    return [fail('temporal', message, `${hint ?? ''}${embedded}`)];
  } finally {
    await temporal?.close();
  }
}

async function inNamespace(temporal: Temporal): Promise<Check[]> {
  const { client, namespace } = temporal;
  const { workflowService } = client.connection;
  const [described, missing, ...polled] = await Promise.all([
    workflowService.describeNamespace({ namespace }),
    missingAttributes(temporal),
    ...served.map(async (queue) => {
      const { pollers } = await workflowService.describeTaskQueue({ namespace, taskQueue: { name: queue }, taskQueueType: 1 });
      return { queue, pollers: pollers?.length ?? 0 };
    }),
  ]);
  const idle = polled.filter(({ pollers }) => pollers === 0).map(({ queue }) => queue);
  return [
    ok('temporal', `namespace ${described.namespaceInfo?.name ?? namespace}`),
    missing.length === 0
      ? ok('search attributes', `${Object.values(searchAttributes).length} there`)
      : fail('search attributes', `missing: ${missing.join(', ')}`, '`signalbox temporal setup` creates them.'),
    idle.length === 0
      ? ok('workers', polled.map(({ queue, pollers }) => `${queue} ${pollers}`).join(', '))
      : fail('workers', `nobody polls ${idle.join(', ')}`, 'Is the worker running? Its log: logs/worker.log in the data folder.'),
  ];
}

async function versions(temporal: Temporal, name: string): Promise<Check> {
  const all = await versionsOf(temporal, name);
  const current = all.find(({ status }) => status === 'current');
  if (!current)
    return fail(
      'worker versions',
      `${name} has no current version: nothing is processed`,
      '`signalbox temporal promote` makes one current.',
    );
  if (!pollsAll(current)) {
    return fail(
      'worker versions',
      `no worker of the current version ${current.build_id} polls every queue`,
      'Start its workers, or make another version current: `signalbox temporal promote BUILD`.',
    );
  }
  const left = all.filter((version) => version.status === 'draining' && !pollsAll(version)).map(({ build_id }) => build_id);
  if (left.length > 0) {
    return warn(
      'worker versions',
      `processes of ${left.join(', ')} wait for workers that do not run`,
      'Start workers of that build until `signalbox temporal versions` calls it drained.',
    );
  }
  return ok('worker versions', all.map(({ build_id, status }) => `${build_id} ${status}`).join(', '));
}
