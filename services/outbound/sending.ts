import type { ChannelPort, Outgoing } from '../../adapters/notify/types.ts';
import type { ConnectorAttempt, ConnectorEnd, ConnectorError } from '../../contracts/activities/connector.ts';
import type { NotifyRef } from '../../contracts/activities/notify.ts';
import type { Outcome } from '../../contracts/outbound/connectors.ts';
import { AppError } from '../../contracts/errors.ts';
import { repeats } from './connectors/repeats.ts';
import { sign } from '../kernel/webhook-signing.ts';
import { endRow, noteAttempt, rowOf, takeAttempt, type NotificationRow } from './records.ts';
import type { NotificationDeps } from './types.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

export interface SendingParts extends NotificationDeps {
  webhooks: WebhookSecrets;
}

/** One attempt, as its process makes it. Runs as the tenant. */
export async function attemptNotification(
  parts: SendingParts,
  { tenant, id }: NotifyRef,
  attempt: number,
  check: boolean,
  signal?: AbortSignal,
): Promise<ConnectorAttempt> {
  const { query } = parts.db;
  const prepared = await prepare(parts, tenant, id, check, signal).catch(unsent(attempt));
  if ('kind' in prepared) return prepared;
  const { row, outgoing } = prepared;
  const port = parts.notify.ports[row.channel];
  const note = (outcome: string, reason: string | null): Promise<void> =>
    noteAttempt(query, tenant, id, attempt, outcome, reason).catch(unlessAway);
  try {
    if (check && (await arrived(port, outgoing, row))) return delivered;
    const free = await takeAttempt(query, tenant, id, attempt).catch(unsent(attempt));
    if (typeof free === 'object') return free;
    // Somebody sends or has sent it under this number.
    if (!free) return { kind: 'unknown', error: ambiguous.error };
    await port.send(outgoing);
    await note('delivered', null);
    return delivered;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error === cannotTell) return ambiguous;
    const outcome = outcomeOf(error, attempt);
    await note(outcome.kind === 'failed' ? 'refused' : outcome.kind, reasonOf(error));
    return outcome;
  }
}

/** What is to be sent; or how it ended before. */
async function prepare(
  parts: SendingParts,
  tenant: string,
  id: string,
  check: boolean,
  signal: AbortSignal | undefined,
): Promise<{ row: NotificationRow; outgoing: Outgoing } | ConnectorAttempt> {
  const row = await rowOf(parts.db.query, tenant, id);
  if (!row) return { kind: 'failed', error: { code: 'NOT_FOUND', message: 'This notification stands nowhere.' } };
  if (row.status !== 'queued') return asItEnded(row);
  try {
    return { row, outgoing: await outgoingOf(parts, tenant, row, signal) };
  } catch (error) {
    if (!(error instanceof AppError) || error.retryable) throw error;
    // After an attempt that may have arrived, this says nothing about that one.
    return check ? ambiguous : { kind: 'failed', error: brief(error) };
  }
}

/** Writes how it ended. */
export async function endNotification({ db }: NotificationDeps, { tenant, id }: NotifyRef, end: ConnectorEnd, cancelled: boolean) {
  if (end.status === 'completed') await endRow(db, tenant, id, 'delivered', null);
  else await endRow(db, tenant, id, end.status === 'ambiguous' ? 'unknown' : cancelled ? 'cancelled' : 'failed', end.error);
}

const delivered: ConnectorAttempt = { kind: 'completed', response: {} };
const ambiguous = {
  kind: 'ambiguous',
  error: {
    code: 'CONFLICT',
    message: 'It is not known whether the notification arrived: the answer was lost.',
    hint: 'Look where it should be; notification.message.retry sends it again.',
  },
} as const satisfies ConnectorAttempt;

const cannotTell = new AppError('CONFLICT', 'Nobody can tell.');

/** Whether an earlier attempt was received. @throws cannotTell, unless a person said since: again */
async function arrived(port: ChannelPort, outgoing: Outgoing, row: NotificationRow): Promise<boolean> {
  const found = await port.find(outgoing);
  if (found === 'unknown' && row.attempts > row.decided) throw cannotTell;
  return found === 'arrived';
}

function asItEnded(row: NotificationRow): ConnectorAttempt {
  if (row.status === 'delivered') return delivered;
  const error = row.error ?? { code: 'CONFLICT', message: 'It has ended.' };
  return { kind: row.status === 'unknown' ? 'ambiguous' : 'failed', error };
}

async function outgoingOf(parts: SendingParts, tenant: string, row: NotificationRow, signal: AbortSignal | undefined): Promise<Outgoing> {
  const { id, channel, title, body, url, created_at: since } = row;
  const recipient = parts.secrets.open(row.recipient);
  const message = { title, body, ...(url === null ? {} : { url }) };
  const outgoing: Outgoing = { id, recipient, message, since, ...(signal ? { signal } : {}) };
  if (channel === 'webhook') {
    const secret = await parts.webhooks.of(tenant, row.recipient_hash);
    return { ...outgoing, sign: (text) => sign(secret, id, Math.floor(Date.now() / 1_000), text) };
  }
  if (channel === 'email') return outgoing;
  const { dryRun, token } = await parts.mounts.open(tenant, 'slack');
  if (dryRun || token === null) {
    throw new AppError('CONFLICT', 'Slack has been put into dry run meanwhile: nothing was sent.', {
      hint: 'connector.mount.list shows how it stands.',
    });
  }
  return { ...outgoing, token };
}

/** The log of attempts is for people: without an entry in it what became of this one is known nevertheless. */
function unlessAway(error: unknown): void {
  if (!(error instanceof AppError) || !error.retryable) throw error;
}

function outcomeOf(error: AppError, attempt: number): ConnectorAttempt {
  const outcome = error.details?.['outcome'] as Outcome | undefined;
  if (outcome === 'refused') return { kind: 'failed', error: brief(error) };
  if (outcome === 'unknown') return { kind: 'unknown', error: brief(error) };
  if (outcome === undefined && !error.retryable) throw error;
  return again(error, attempt);
}

const reasonOf = (error: AppError): string => String(error.details?.['reason'] ?? error.code).slice(0, 64);

const said = ['slack_error', 'smtp_error', 'http_status', 'reason'];

/** Our own words, and the code of the other side: they stand in a history. */
function brief({ code, message, hint, details = {} }: AppError): ConnectorError {
  const told = Object.entries(details).filter(([name, value]) => said.includes(name) && /^[\w-]{1,64}$/.test(String(value)));
  return { code, message, ...(hint === undefined ? {} : { hint }), details: Object.fromEntries(told) as Record<string, string | number> };
}

const { again, unsent } = repeats({ longest: 60_000, mostImposed: 900_000, brief });
