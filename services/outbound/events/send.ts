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

/** `arrived`; or why not, and what that means: tried again, never again with this event, or with none at all. */
export type Outcome =
  { arrived: true } | { arrived: false; error: string; verdict: 'again' | 'never' | 'gone'; retryAfterSeconds: number | null };

/** The longest a target may take, in ms. */
const timeoutMs = 10_000;

/** What is sent; an event, or the ping by which a person tries a target out. */
export type Told = Pick<Event, 'id' | 'occurred_at' | 'tenant_id' | 'subject' | 'data' | 'refs'> & { type: Event['type'] | 'ping' };

/** Tells a subscription's target one event. Its id is the same however often it is told. @throws what passes by itself */
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
        { channel: row.channel!, recipient, message: messageOf(told), priority: 'normal', createdBy: row.created_by },
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

/** The client names the path of a page that it cannot have, and the path of a webhook gives access. */
function said({ shown }: SubscriptionRow, { message, details }: AppError): string {
  return details?.['reason'] === 'http_status' ? `${shown} answered with HTTP ${details['status']}.` : message;
}

/** What a server answers may be another thing tomorrow; an address that must not be called stays one. */
function verdictOf(error: AppError): 'again' | 'never' | 'gone' {
  const { reason, status } = error.details ?? {};
  if (reason === 'http_status') return status === 410 ? 'gone' : 'again';
  return error.retryable ? 'again' : 'never';
}
