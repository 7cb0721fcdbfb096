import type { Outcome } from '../../contracts/outbound/connectors.ts';
import { AppError } from '../../contracts/errors.ts';
import { providerError } from '../connectors/failures.ts';
import type { WebClient } from '../web/types.ts';
import type { ChannelPort } from './types.ts';

/** Timeout of one attempt. */
const timeoutMs = 3_000;

/** Posts signed JSON with a constant id, by which a receiver detects repeats. */
export function webhookChannel(web: WebClient): ChannelPort {
  return {
    check: (recipient) => web.check(recipient),
    shown: (recipient) => new URL(recipient).host,
    stays: (recipient) => ['127.0.0.1', '[::1]'].includes(new URL(recipient).hostname),
    async send({ id, recipient, message, sign, since, signal }) {
      const body = JSON.stringify({ type: 'notification', id, timestamp: since.toISOString(), data: message });
      try {
        await web.post(recipient, { receiver: 'webhook', body, headers: sign!(body), timeoutMs, signal });
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof AppError)) throw error;
        throw explained(error);
      }
    },
    // The receiver detects repeats by the id.
    find: () => Promise.resolve('absent'),
  };
}

/** Own messages: the web client's contain the path, and the path of a webhook gives access. */
function explained(error: AppError): AppError {
  const { retryAfterSeconds, details } = error;
  const status = details?.['status'] as number | undefined;
  const reason = status === undefined ? String(details?.['reason'] ?? 'failed') : `http_${status}`;
  // A retry is the same message, so a lost answer may count as not sent.
  const outcome: Outcome = error.retryable ? 'not_sent' : 'refused';
  const message = status === undefined ? `The webhook could not be called (${reason}).` : `The webhook answered with HTTP ${status}.`;
  return providerError(status === 429 ? 'RATE_LIMIT_EXCEEDED' : error.code, message, outcome, reason, {
    hint: outcome === 'refused' ? 'Check its address, and what it accepts.' : 'It is tried again by itself.',
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    retryable: error.retryable,
    ...(status === undefined ? {} : { details: { http_status: status } }),
    cause: error,
  });
}
