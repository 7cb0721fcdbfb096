import { StreamResponse } from '@a2a-js/sdk';
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server';
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../adapters/postgres/database.ts';
import type { SecretBox } from '../../../adapters/secrets/box.ts';
import type { WebClient } from '../../../adapters/web/types.ts';
import type { StreamJson } from '../../../contracts/agents/a2a.ts';
import type { A2aRef } from '../../../contracts/activities/a2a.ts';
import { AppError } from '../../../contracts/errors.ts';
import { eventsAbove } from './events.ts';
import { shownHeaders, type A2aPush, type PushRow } from './push.ts';

interface Parts {
  db: Database;
  secrets: SecretBox;
  peers: WebClient;
  push: A2aPush;
}

/** Tries for one event, pauses between them in ms, and tries once an event was given up. */
const tries = 5;
const pauseMs = 500;
const triesWhenDown = 2;

/** Tells all callbacks of a task what they have not been told, each in its order, all at once. */
export async function sendPushes(parts: Parts, { tenant, id }: A2aRef, signal: AbortSignal): Promise<void> {
  const configs = await parts.push.rows(tenant, id);
  await Promise.all(configs.map((config) => sendTo(parts, config, signal)));
}

async function sendTo(parts: Parts, config: PushRow, signal: AbortSignal): Promise<void> {
  const { tenant_id: tenant, task_id: task, id } = config;
  let { sent_seq: sent, failures } = config;
  for (;;) {
    const events = await eventsAbove(parts.db.query, tenant, task, sent);
    if (events.length === 0) return;
    for (const { seq, event } of events) {
      const error = await delivered(parts, config, event, failures > 0 ? triesWhenDown : tries, signal);
      failures = error === null ? 0 : failures + 1;
      sent = seq;
      const kept = await parts.db.query(
        `update a2a_push_configs set sent_seq = greatest(sent_seq, $4), failures = $5, last_error = $6, updated_at = now()
         where tenant_id = $1 and task_id = $2 and id = $3 returning 1`,
        [tenant, task, id, seq, failures, error],
      );
      // Deleted meanwhile.
      if (kept.length === 0) return;
    }
  }
}

/** @returns null, or why it was given up */
async function delivered(parts: Parts, config: PushRow, event: StreamJson, attempts: number, signal: AbortSignal): Promise<string | null> {
  const { body, headers } = notification(parts.secrets, config, event);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await parts.peers.fetch(config.url, {
        method: 'POST',
        body,
        headers: { ...headers, ...signature(parts.secrets, config, body) },
        timeoutMs: 10_000,
        maxBytes: 64 * 1024,
        signal,
        onRedirect: () => {
          throw new AppError('VALIDATION_ERROR', 'The callback redirects.', { hint: 'Register the address itself.' });
        },
      });
      return null;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AppError)) throw error;
      // Taken, only answered at length.
      if (error.code === 'PAYLOAD_TOO_LARGE') return null;
      if (!error.retryable || attempt >= attempts) return error.message.slice(0, 500);
      await sleep(pauseMs * 2 ** (attempt - 1), undefined, { signal });
    }
  }
}

const legacy = new V03PushNotificationSerializer();

/** The event in the words of the version in which the callback was registered. */
function notification(secrets: SecretBox, config: PushRow, event: StreamJson): { body: string; headers: Record<string, string> } {
  const old = config.protocol_version === '0.3';
  const { body, contentType } = old
    ? legacy.serialize(StreamResponse.fromJSON(event))
    : { body: JSON.stringify(StreamResponse.toJSON(StreamResponse.fromJSON(event))), contentType: 'application/a2a+json' };
  const opened = (sealed: string | null): string | null => (sealed === null ? null : secrets.open(sealed));
  return {
    body,
    headers: {
      'content-type': contentType,
      'a2a-version': old ? '0.3' : '1.0',
      ...shownHeaders(opened(config.token), config.auth_scheme, opened(config.auth_credentials)),
    },
  };
}

/** HMAC-SHA256 under the callback's token over time and body, so that what was overheard or changed is noticed. */
function signature(secrets: SecretBox, config: PushRow, body: string): Record<string, string> {
  if (config.token === null) return {};
  const at = Math.floor(Date.now() / 1000);
  const mac = createHmac('sha256', secrets.open(config.token)).update(`${at}.${body}`).digest('hex');
  return { 'x-signalbox-signature': `t=${at},v1=${mac}` };
}
