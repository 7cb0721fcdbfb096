import { createHash } from 'node:crypto';
import type { WebClient } from '@slack/web-api';
import type { AppError, ErrorCode } from '../../contracts/errors.ts';
import { lookedUp, providerError, rateLimited, unanswered } from './failures.ts';
import type { Connector, ProviderAnswer, ProviderCall } from './types.ts';

const name = 'Slack';
const timeoutMs = 8_000;
const eventType = 'signalbox_call';
/** Limits for searching a message: pages and messages per page. */
const maxPages = 5;
const perPage = 200;
/** Tolerated clock difference, in seconds. */
const clockSlack = 60;

interface Message {
  channel: string;
  text: string;
  thread_ts?: string;
}

interface Found {
  ts?: string;
  client_msg_id?: string;
  metadata?: { event_type?: string; event_payload?: Record<string, unknown> };
}

/** `chat.postMessage`. Slack has no idempotency keys: each message contains its call's id, by which it can be found. */
export function slack(url: string): Connector {
  return {
    async send(call) {
      const { channel, text, thread_ts } = call.request as unknown as Message;
      const { client, status } = await open(url, call);
      const posted = await asked(status, () =>
        client.apiCall('chat.postMessage', {
          channel,
          text,
          ...(thread_ts ? { thread_ts } : {}),
          client_msg_id: messageId(call.callKey),
          metadata: { event_type: eventType, event_payload: { call_key: call.callKey } },
        }),
      );
      const { ts, channel: where } = posted as { ts?: string; channel?: string };
      if (!ts) throw providerError('SERVICE_UNAVAILABLE', `${name} answered without saying where the message is.`, 'unknown', 'no_ts');
      return await answerOf(client, where ?? channel, ts);
    },

    async find(call) {
      const { channel, thread_ts } = call.request as unknown as Message;
      const { client, status } = await open(url, call);
      const oldest = String(call.since.getTime() / 1000 - clockSlack);
      let cursor: string | undefined;
      // It may not read the channel, or knows it by its name only: nobody can tell.
      return await lookedUp(name, 'unknown', async () => {
        for (let page = 0; page < maxPages; page += 1) {
          const answer = (await asked(status, () =>
            client.apiCall(thread_ts ? 'conversations.replies' : 'conversations.history', {
              channel,
              oldest,
              limit: perPage,
              include_all_metadata: true,
              ...(thread_ts ? { ts: thread_ts } : {}),
              ...(cursor ? { cursor } : {}),
            }),
          )) as { messages?: Found[]; response_metadata?: { next_cursor?: string } };
          const found = answer.messages?.find((message) => isOurs(message, call.callKey));
          if (found?.ts) return await answerOf(client, channel, found.ts);
          cursor = answer.response_metadata?.next_cursor || undefined;
          if (!cursor) return 'absent';
        }
        return 'unknown';
      });
    },
  };
}

const isOurs = ({ client_msg_id, metadata }: Found, callKey: string): boolean =>
  client_msg_id === messageId(callKey) || (metadata?.event_type === eventType && metadata.event_payload?.['call_key'] === callKey);

/** A UUID, as Slack's own clients use. */
function messageId(callKey: string): string {
  const hex = createHash('sha256').update(callKey).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The link is best effort: the message is posted anyway. */
async function answerOf(client: WebClient, channel: string, ts: string): Promise<ProviderAnswer> {
  const link = (await client.apiCall('chat.getPermalink', { channel, message_ts: ts }).catch(() => ({}))) as { permalink?: string };
  return { ts, channel, permalink: link.permalink ?? null };
}

async function open(slackApiUrl: string, { token, signal }: ProviderCall): Promise<{ client: WebClient; status: () => LastStatus }> {
  const { WebClient: Client } = await import('@slack/web-api');
  let last: LastStatus = { status: 0, retryAfter: undefined };
  const client = new Client(token, {
    slackApiUrl: slackApiUrl.endsWith('/') ? slackApiUrl : `${slackApiUrl}/`,
    allowAbsoluteUrls: false,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: timeoutMs,
    // It would print messages, and warnings with channels, to the console.
    logger: silent,
    fetch: async (url, init = {}) => {
      last = { status: 0, retryAfter: undefined };
      const signals = [init.signal, signal].filter((one) => one !== undefined);
      const answer = await fetch(url, { ...init, ...(signals.length > 0 ? { signal: AbortSignal.any(signals) } : {}) });
      last = { status: answer.status, retryAfter: Number(answer.headers.get('retry-after')) || undefined };
      return answer;
    },
  });
  return { client, status: () => last };
}

interface LastStatus {
  status: number;
  retryAfter: number | undefined;
}

async function asked<T>(status: () => LastStatus, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explained(error, status());
  }
}

function explained(error: unknown, { status, retryAfter }: LastStatus): AppError {
  const reason = (error as { data?: { error?: string } }).data?.error;
  if (status === 429 || reason === 'ratelimited' || reason === 'rate_limited') return rateLimited(name, retryAfter);
  if (reason !== undefined) {
    // It may have been done before it failed.
    if (unclear.has(reason)) return providerError('SERVICE_UNAVAILABLE', `${name} failed: ${reason}.`, 'unknown', reason);
    const [code, message, hint] = refusals[reason] ?? [
      'VALIDATION_ERROR',
      `${name} refuses it: ${word(reason)}.`,
      'Its documentation of chat.postMessage says what this means.',
    ];
    return providerError(code, message, 'refused', word(reason), { hint });
  }
  if (status >= 400 && status < 500)
    return providerError('VALIDATION_ERROR', `${name} refuses it (HTTP ${status}).`, 'refused', `http_${status}`);
  return unanswered(name, error);
}

/** Codes are words; anything else is left out. */
const word = (reason: string): string => (/^[a-z_]{1,64}$/.test(reason) ? reason : 'refused');

const unclear = new Set(['internal_error', 'fatal_error', 'request_timeout', 'service_unavailable', 'team_added_to_org']);

const renew = 'Whoever runs this mounts Slack with a new token: connector.mount.set.';
const credentials: [ErrorCode, string, string] = ['FORBIDDEN', 'Slack does not accept the mounted token.', renew];
const refusals: Record<string, [code: ErrorCode, message: string, hint: string]> = {
  invalid_auth: credentials,
  not_authed: credentials,
  account_inactive: credentials,
  token_revoked: credentials,
  token_expired: credentials,
  missing_scope: [
    'FORBIDDEN',
    'The mounted Slack token lacks a scope.',
    'It needs chat:write; with channels:history an unclear outcome can be looked up.',
  ],
  channel_not_found: [
    'NOT_FOUND',
    'Slack knows no such channel, or its app may not see it.',
    'Give the id of the channel, and invite the app to a private one.',
  ],
  not_in_channel: ['FORBIDDEN', "Slack's app is not in that channel.", 'Invite it: /invite @app in the channel.'],
  is_archived: ['CONFLICT', 'That Slack channel is archived.', 'Take another one.'],
  restricted_action: ['FORBIDDEN', 'Slack does not let this app post there.', 'An administrator of the workspace decides this.'],
  msg_too_long: ['VALIDATION_ERROR', 'The message is too long for Slack.', 'At most 40,000 characters.'],
  no_text: ['VALIDATION_ERROR', 'The message has no text.', 'Give text.'],
  thread_not_found: ['NOT_FOUND', 'Slack knows no such thread.', 'thread_ts is the ts of the first message.'],
};

const none = (): void => {};
const silent = { debug: none, info: none, warn: none, error: none, setLevel: none, setName: none, getLevel: () => 'error' as never };
