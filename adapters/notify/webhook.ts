import type { Outcome } from '../../contracts/outbound/connectors.ts';
import { AppError } from '../../contracts/errors.ts';
import { providerError } from '../connectors/failures.ts';
import type { WebClient } from '../web/types.ts';
import type { ChannelPort } from './types.ts';

/** Of one attempt. */
const timeoutMs = 3_000;

/** Posts JSON, signed, under an id that stays: a receiver that has it already knows that it does. */
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
    // Its id lets the receiver leave a repeat out.
    find: () => Promise.resolve('absent'),
  };
}

/** In words of its own: the web's name the path, and the path of a webhook gives access. */
function explained(error: AppError): AppError {
  const { retryAfterSeconds, details } = error;
  const status = details?.['status'] as number | undefined;
  const reason = status === undefined ? String(details?.['reason'] ?? 'failed') : `http_${status}`;
  // Sent again it is the same message, so that an answer that was lost may count as not sent.
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
