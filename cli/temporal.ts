import { setTimeout as sleep } from 'node:timers/promises';
import { secretBox } from '../adapters/secrets/box.ts';
import { openTemporal, type Temporal } from '../adapters/temporal/client.ts';
import { temporalTarget } from '../adapters/temporal/connection.ts';
import { promote, versionsOf } from '../adapters/temporal/deployment.ts';
import { connectionProblem } from '../adapters/temporal/refusals.ts';
import { setUpNamespace, type SetupStep } from '../adapters/temporal/setup.ts';
import { AppError } from '../contracts/errors.ts';
import { type Config, readRuntime } from '../platform/config.ts';
import { ensureSchedules } from '../workers/schedules.ts';
import type { Promotion, Setup, Versions } from './commands/temporal.ts';
import { exits, unreachable, usage } from './exit.ts';
import { paint, say, sayJson, table } from './output.ts';
import { cliConfig } from './target.ts';

/** How long one question may take, in ms. */
const answerWithin = 10_000;

export async function setupCommand({ retention, wait, json }: Setup): Promise<void> {
  const steps = await withTemporal(async (temporal) => {
    const until = Date.now() + wait * 1_000;
    const found = await patiently(temporal, until, () => setUpNamespace(temporal, retention));
    if (found.some(({ state }) => state === 'by hand')) return found;
    // A new namespace is known everywhere only after some seconds.
    const made = await patiently(temporal, Math.max(until, Date.now() + 60_000), () => ensureSchedules(temporal));
    const schedule: SetupStep = { name: 'schedule', state: made ? 'created' : 'there', what: 'sweep, every 15 minutes' };
    return [...found, schedule];
  });
  const left = steps.filter(({ state }) => state === 'by hand');
  if (left.length > 0) process.exitCode = exits.failed;
  if (json) return sayJson({ ok: left.length === 0, steps });
  for (const { name, state, what } of steps) {
    say(
      `${paint(state === 'by hand' ? 'yellow' : 'green', state.padEnd(7))}  ${name.padEnd(17)}  ${state === 'by hand' ? `this server does not permit it; run:\n  ${what}` : what}`,
    );
  }
  say(left.length === 0 ? 'The namespace is ready.' : 'Then run `signalbox temporal setup` again.');
}

export async function versionsCommand({ build, json }: Versions): Promise<void> {
  const { name, versions } = await withDeployment(async (temporal, deployment) => ({
    name: deployment,
    versions: await temporal.client.withDeadline(Date.now() + answerWithin, () => versionsOf(temporal, deployment)),
  }));
  if (build !== undefined) {
    const asked = versions.find(({ build_id }) => build_id === build);
    if (!asked)
      throw new AppError('NOT_FOUND', `The deployment ${name} has no version ${build}.`, {
        hint: '`signalbox temporal versions` lists them.',
      });
    if (asked.status !== 'drained') process.exitCode = exits.failed;
  }
  if (json) return sayJson({ deployment: name, versions });
  if (versions.length === 0) return say(`The deployment ${name} has no version: its workers have not started yet.`);
  table(versions, [
    'build_id as build',
    'status',
    {
      workers: ({ pollers }) => Math.min(...Object.values(pollers)),
      created: ({ created_at }) => created_at?.slice(0, 16).replace('T', ' '),
    },
    { 'may be stopped': ({ status }) => (status === 'drained' ? 'yes' : 'no') },
  ]);
}

export async function promoteCommand({ build, wait, json }: Promotion): Promise<void> {
  const { version, changed } = await withDeployment((temporal, name) => promote(temporal, name, build, { waitMs: wait * 1_000 }));
  if (json) return sayJson({ version, changed });
  say(changed ? `${version.build_id} is current now.` : `${version.build_id} was current already.`);
}

const withDeployment = <T>(work: (temporal: Temporal, name: string) => Promise<T>): Promise<T> => {
  const { TEMPORAL_DEPLOYMENT_NAME: name } = cliConfig();
  if (name === undefined)
    throw usage('TEMPORAL_DEPLOYMENT_NAME is not set: the workers have no versions.', 'docs/operations.md says what versions are for.');
  return withTemporal((temporal) => work(temporal, name));
};

/** The Temporal of these settings, or of the stack that runs here. */
export function temporalHere(config: Config): Temporal | null {
  const address = config.TEMPORAL_ADDRESS ?? readRuntime(config)?.temporal;
  if (address === undefined) return null;
  const secrets = secretBox(config.SIGNALBOX_SECRET_KEY, config.SIGNALBOX_DATA_DIR, config.SIGNALBOX_SECRET_KEY_PREVIOUS);
  return openTemporal({ ...temporalTarget(config, address), secrets, encrypt: config.TEMPORAL_ENCRYPT_PAYLOADS, retry: false });
}

async function withTemporal<T>(work: (temporal: Temporal) => Promise<T>): Promise<T> {
  const temporal = temporalHere(cliConfig());
  if (!temporal) throw unreachable('No Temporal: nothing runs here, and TEMPORAL_ADDRESS is not set.');
  try {
    return await work(temporal);
  } catch (error) {
    throw connectionProblem(error, temporal.target);
  } finally {
    await temporal.close();
  }
}

/** Repeats a question to a server that is still starting, or does not know the new namespace yet. */
async function patiently<T>(temporal: Temporal, until: number, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await temporal.client.withDeadline(Date.now() + answerWithin, ask);
    } catch (error) {
      const left = until - Date.now();
      if (left <= 0 || (error instanceof AppError && !error.retryable)) throw error;
      await sleep(Math.min(500, left));
    }
  }
}
