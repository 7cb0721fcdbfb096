import type { ActivityInterceptorsFactory, WorkerOptions, WorkflowBundle } from '@temporalio/worker';
import { ApplicationFailure } from '@temporalio/common';
import { dataConverterOf } from '../adapters/temporal/encryption.ts';
import type { Outside } from '../adapters/open.ts';
import { encryptMark, failureType, sealedSinceMark, stampFor, stampOf, versionedMark } from '../contracts/temporal.ts';
import { sealedSince } from '../services/governance/process-seals.ts';

/** Options that make a worker accept only payloads sealed by this installation; see docs/decisions/0031. */
export async function sealedOptions(
  { db, secrets, log, temporal }: Pick<Outside, 'db' | 'secrets' | 'log' | 'temporal'>,
  bundle: WorkflowBundle,
  versioned = false,
): Promise<Pick<WorkerOptions, 'dataConverter' | 'interceptors' | 'workflowBundle'>> {
  const { since, changed } = await sealedSince(db, secrets);
  if (changed)
    log.warn('SIGNALBOX_SECRET_KEY has changed: processes sealed with the former key continue, but it is no longer valid for new requests');
  const marked = bundle.code.replaceAll(sealedSinceMark, String(since));
  if (marked === bundle.code) throw new Error('the workflow bundle checks no seals');
  const code = [
    [encryptMark, temporal.encrypts],
    [versionedMark, versioned],
  ] as const;
  return {
    workflowBundle: { code: code.reduce((text, [mark, on]) => (on ? text.replaceAll(mark, 'true') : text), marked) },
    dataConverter: dataConverterOf(secrets, temporal.encrypts),
    interceptors: { activity: [checking(since, log)] },
  };
}

/** Foreign workflows can schedule our activities, but only our workers can stamp the arguments. */
const checking =
  (since: number, log: Outside['log']): ActivityInterceptorsFactory =>
  ({ info }) => ({
    inbound: {
      async execute(input, next) {
        const stamp = stampOf(input.args);
        const args = stamp ? input.args.slice(0, -1) : input.args;
        const ours = stamp?.sealed === true && stamp.signalboxStamp === stampFor.activity(info.activityType);
        // Scheduled before seals existed, or before the key was changed.
        if (ours || info.scheduledTimestampMs < since) return await next({ ...input, args });
        if (info.attempt === 1) {
          log.warn(
            { activity: info.activityType, workflow: info.workflowExecution?.workflowId },
            'refused: not sealed by this installation',
          );
        }
        // Retryable: a worker of the former version scheduled it, and a new one may run it.
        throw ApplicationFailure.create({
          type: failureType('FORBIDDEN'),
          message: 'Not sealed by this installation: its own workers schedule its activities.',
        });
      },
    },
  });
