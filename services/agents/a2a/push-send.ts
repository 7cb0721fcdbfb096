import { StreamResponse } from '@a2a-js/sdk';
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../adapters/postgres/database.ts';
import type { SecretBox } from '../../../adapters/secrets/box.ts';
import type { WebClient } from '../../../adapters/web/types.ts';
import type { StreamJson } from '../../../contracts/agents/a2a.ts';
import type { A2aRef } from '../../../contracts/activities/agents/a2a.ts';
import { AppError } from '../../../contracts/errors.ts';
import { signWithToken } from '../../kernel/webhook-signing.ts';
import { eventsAbove } from './events.ts';
import { shownHeaders, type A2aPush, type PushRow } from './push.ts';

interface Parts {
  db: Database;
  secrets: SecretBox;
  peers: WebClient;
  push: A2aPush;
}

/** Tries per event; pauses between tries, in ms; tries after an earlier event was given up. */
const tries = 5;
const pauseMs = 500;
const triesWhenDown = 2;
const timeoutMs = 10_000;

/** Sends a task's new events to all its callbacks in parallel, in order for each. */
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
      // The callback was deleted meanwhile.
      if (kept.length === 0) return;
    }
  }
}

/** @returns null, or the reason why it was given up */
async function delivered(
  { peers, secrets }: Parts,
  config: PushRow,
  event: StreamJson,
  attempts: number,
  signal: AbortSignal,
): Promise<string | null> {
  const opened = (sealed: string | null): string | null => (sealed === null ? null : secrets.open(sealed));
  const token = opened(config.token);
  const { body, headers } = inWordsOf(config.protocol_version, event);
  Object.assign(headers, shownHeaders(token, config.auth_scheme, opened(config.auth_credentials)));
  for (let attempt = 1; ; attempt += 1) {
    try {
      const signature = token === null ? {} : signWithToken(token, Math.floor(Date.now() / 1_000), body);
      await peers.post(config.url, { receiver: 'callback', body, headers: { ...headers, ...signature }, timeoutMs, signal });
      return null;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AppError)) throw error;
      if (!error.retryable || attempt >= attempts) return error.message.slice(0, 500);
      await sleep(pauseMs * 2 ** (attempt - 1), undefined, { signal });
    }
  }
}

const legacy = new V03PushNotificationSerializer();

/** The event in the protocol version in which the callback was registered. */
function inWordsOf(version: string, event: StreamJson): { body: string; headers: Record<string, string> } {
  const message = StreamResponse.fromJSON(event);
  if (version !== '0.3') {
    const headers = { 'content-type': 'application/a2a+json', 'a2a-version': '1.0' };
    return { body: JSON.stringify(StreamResponse.toJSON(message)), headers };
  }
  const { body, contentType } = legacy.serialize(message);
  return { body, headers: { 'content-type': contentType, 'a2a-version': '0.3' } };
}
