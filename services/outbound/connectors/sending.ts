import type { ConnectorPorts } from '../../../adapters/connectors/types.ts';
import type { Database } from '../../../adapters/postgres/database.ts';
import type { SecretBox } from '../../../adapters/secrets/box.ts';
import type { ConnectorError, ConnectorRef } from '../../../contracts/activities/outbound/connector.ts';
import type { Provider } from '../../../contracts/outbound/connectors.ts';
import { AppError } from '../../../contracts/errors.ts';
import { sendingOnce, type Parcel } from '../once.ts';
import type { ConnectorMounts } from './mounts.ts';
import { callOf, takeAttempt, type CallRow } from './records.ts';

export interface SendingParts {
  db: Database;
  secrets: SecretBox;
  connectors: ConnectorPorts;
  mounts: ConnectorMounts;
}

export const attemptCall = sendingOnce({ longest: 30_000, mostImposed: 300_000 });

/** A call in the form that `sendingOnce` sends. Its workflow history contains only our own texts. */
export function parcelOf({ db, secrets, connectors, mounts }: SendingParts, ref: ConnectorRef, signal?: AbortSignal): Parcel<CallRow> {
  const { tenant, callKey } = ref;
  const provider = ref.provider as Provider;
  const port = connectors[provider];
  return {
    name: 'call',
    row: () => callOf(db.query, tenant, provider, callKey),
    ended({ status, response, error }) {
      if (status === 'started') return null;
      return status === 'completed'
        ? { kind: status, response: response as Record<string, string | null> }
        : { kind: status, error: error! };
    },
    async letter({ created_at: since }) {
      const token = await mounts.token(tenant, provider);
      const call = { token, callKey, request: await requestOf(db, secrets, ref), since, ...(signal ? { signal } : {}) };
      return { find: () => port.find(call), take: (attempt) => takeAttempt(db.query, ref, attempt), send: () => port.send(call) };
    },
    ambiguous: ambiguous(provider),
  };
}

const ambiguous = (provider: Provider): ConnectorError => ({
  code: 'CONFLICT',
  message: `It is not known whether ${provider} did it: the answer was lost.`,
  hint:
    provider === 'slack'
      ? 'Look into the channel before sending it again. With the scope channels:history and the id of the channel this is looked up.'
      : 'Look at the deal before changing it again.',
});

/** The request is stored sealed in the job. */
async function requestOf(db: Database, secrets: SecretBox, { tenant, jobId }: ConnectorRef): Promise<Record<string, unknown>> {
  const [job] = await db.query<{ sealed: string | null }>(`select spec->>'request' as sealed from jobs where tenant_id = $1 and id = $2`, [
    tenant,
    jobId,
  ]);
  if (!job?.sealed) throw new AppError('NOT_FOUND', 'The request of this call is gone.');
  return JSON.parse(secrets.open(job.sealed)) as Record<string, unknown>;
}
