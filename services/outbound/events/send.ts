import type { SecretBox } from '../../../adapters/secrets/box.ts';
import type { WebClient } from '../../../adapters/web/types.ts';
import { AppError } from '../../../contracts/errors.ts';
import type { Event } from '../../../contracts/outbound/events.ts';
import { messageOf } from '../event-message.ts';
import type { Notifications } from '../index.ts';
import { sign } from '../../kernel/webhook-signing.ts';
import type { SubscriptionRow } from './subscriptions.ts';

export interface SendParts {
  peers: Pick<WebClient, 'post'>;
  secrets: SecretBox;
  notifications: Pick<Notifications, 'send'>;
}

/** `arrived`, or the error and its consequence: `again` retries, `never` gives this event up, `gone` ends all deliveries to the target. */
export type Outcome =
  { arrived: true } | { arrived: false; error: string; verdict: 'again' | 'never' | 'gone'; retryAfterSeconds: number | null };

/** Timeout of a delivery, in ms. */
const timeoutMs = 10_000;

/** The content to send: an event, or the ping of a test. */
export type Told = Pick<Event, 'id' | 'occurred_at' | 'tenant_id' | 'subject' | 'data' | 'refs'> & { type: Event['type'] | 'ping' };

/** Sends one event to a subscription's target. Every try has the same event id. @throws temporary errors of our own stores */
export async function sendEvent(parts: SendParts, row: SubscriptionRow, told: Told, signal: AbortSignal): Promise<Outcome> {
  try {
    if (row.target === 'webhook') {
      const body = JSON.stringify(told);
      const headers = sign(parts.secrets.open(row.secret!), told.id, Math.floor(Date.now() / 1_000), body);
      await parts.peers.post(parts.secrets.open(row.url!), { receiver: 'webhook', body, headers, timeoutMs, signal });
    } else {
      const recipient = parts.secrets.open(row.recipient!);
      await parts.notifications.send(
        row.tenant_id,
        {
          channel: row.channel!,
          recipient,
          message: messageOf(told),
          priority: 'normal',
          createdBy: row.created_by,
          ...(row.approve_links && told.type === 'approval.requested' ? { decides: { approval: told.subject, subscription: row.id } } : {}),
        },
        `${row.id}:${told.id}`,
      );
    }
    return { arrived: true };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AppError)) throw error;
    return {
      arrived: false,
      error: said(row, error).slice(0, 500),
      verdict: verdictOf(error),
      retryAfterSeconds: error.retryAfterSeconds ?? null,
    };
  }
}

/** The web client's error contains the URL's path, and a webhook's path is a secret: use our own text. */
function said({ shown }: SubscriptionRow, { message, details }: AppError): string {
  return details?.['reason'] === 'http_status' ? `${shown} answered with HTTP ${details['status']}.` : message;
}

/** A server's answer may change, so retry. An address that must not be called never changes. */
function verdictOf(error: AppError): 'again' | 'never' | 'gone' {
  const { reason, status } = error.details ?? {};
  if (reason === 'http_status') return status === 410 ? 'gone' : 'again';
  return error.retryable ? 'again' : 'never';
}
