import type { ConnectorPorts, ProviderCall } from '../../../adapters/connectors/types.ts';
import type { Database } from '../../../adapters/postgres/database.ts';
import type { SecretBox } from '../../../adapters/secrets/box.ts';
import type { ConnectorAttempt, ConnectorError, ConnectorRef } from '../../../contracts/activities/connector.ts';
import type { Outcome, Provider } from '../../../contracts/outbound/connectors.ts';
import { AppError } from '../../../contracts/errors.ts';
import type { ConnectorMounts } from './mounts.ts';
import { callOf, takeAttempt } from './records.ts';
import { repeats } from './repeats.ts';

export interface SendingParts {
  db: Database;
  secrets: SecretBox;
  connectors: ConnectorPorts;
  mounts: ConnectorMounts;
}

/** One attempt of a call, as its process makes it. Runs as the tenant. */
export async function attemptCall(
  parts: SendingParts,
  ref: ConnectorRef,
  attempt: number,
  check: boolean,
  signal?: AbortSignal,
): Promise<ConnectorAttempt> {
  const provider = ref.provider as Provider;
  const prepared = await prepare(parts, ref, check, signal).catch(unsent(attempt));
  if ('kind' in prepared) return prepared;
  const port = parts.connectors[provider];
  try {
    if (check) {
      const found = await port.find(prepared);
      if (found === 'unknown') return { kind: 'ambiguous', error: ambiguous(provider) };
      if (found !== 'absent') return { kind: 'completed', response: found };
    }
    const free = await takeAttempt(parts.db.query, ref, attempt).catch(unsent(attempt));
    if (typeof free === 'object') return free;
    // Somebody sends or has sent it under this number.
    if (!free) return { kind: 'unknown', error: ambiguous(provider) };
    return { kind: 'completed', response: await port.send(prepared) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return outcomeOf(error, attempt);
  }
}

/** What is to be sent; or how it ended before. */
async function prepare(
  parts: SendingParts,
  ref: ConnectorRef,
  check: boolean,
  signal: AbortSignal | undefined,
): Promise<ProviderCall | ConnectorAttempt> {
  const { tenant, callKey } = ref;
  const provider = ref.provider as Provider;
  const row = await callOf(parts.db.query, tenant, provider, callKey);
  if (!row) return failed(new AppError('NOT_FOUND', 'This call stands nowhere.'));
  if (row.status === 'completed') return { kind: 'completed', response: row.response as Record<string, string | null> };
  if (row.status !== 'started') return { kind: row.status, error: row.error! };
  try {
    const { dryRun, token } = await parts.mounts.open(tenant, provider);
    if (dryRun || token === null) {
      throw new AppError('CONFLICT', `${provider} has been put into dry run meanwhile: nothing was sent.`, {
        hint: 'connector.mount.list shows how it stands.',
      });
    }
    return { token, callKey, request: await requestOf(parts, ref), since: row.created_at, ...(signal ? { signal } : {}) };
  } catch (error) {
    if (!(error instanceof AppError) || error.retryable) throw error;
    // After an attempt that may have arrived, this says nothing about that one.
    return check ? { kind: 'ambiguous', error: ambiguous(provider) } : failed(error);
  }
}

function outcomeOf(error: AppError, attempt: number): ConnectorAttempt {
  const outcome = error.details?.['outcome'] as Outcome | undefined;
  if (outcome === 'refused') return failed(error);
  if (outcome === 'not_sent') return again(error, attempt);
  if (outcome === 'unknown') return { kind: 'unknown', error: brief(error) };
  throw error;
}

const failed = (error: AppError): ConnectorAttempt => ({ kind: 'failed', error: brief(error) });

/** Our own words only: they stand in a history. */
const brief = ({ code, message, hint }: AppError): ConnectorError => ({ code, message, ...(hint === undefined ? {} : { hint }) });

const { again, unsent } = repeats({ longest: 30_000, mostImposed: 300_000, brief });

export const ambiguous = (provider: Provider): ConnectorError => ({
  code: 'CONFLICT',
  message: `It is not known whether ${provider} did it: the answer was lost.`,
  hint:
    provider === 'slack'
      ? 'Look into the channel before sending it again. With the scope channels:history and the id of the channel this is looked up.'
      : 'Look at the deal before changing it again.',
});

/** Sealed, it stands in the job. */
async function requestOf({ db, secrets }: SendingParts, { tenant, jobId }: ConnectorRef): Promise<Record<string, unknown>> {
  const [job] = await db.query<{ sealed: string | null }>(`select spec->>'request' as sealed from jobs where tenant_id = $1 and id = $2`, [
    tenant,
    jobId,
  ]);
  if (!job?.sealed) throw new AppError('NOT_FOUND', 'The request of this call is gone.');
  return JSON.parse(secrets.open(job.sealed)) as Record<string, unknown>;
}
