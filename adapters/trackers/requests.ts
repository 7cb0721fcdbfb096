/** Requests to trackers, and what their failures mean. */
import { AppError } from '../../contracts/errors.ts';
import { providerError, rateLimited, unanswered } from '../connectors/failures.ts';
import type { TrackerPlace } from './types.ts';

export interface Request {
  /** After the base address, or an address that the tracker gave. */
  to: string;
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH';
  body?: object;
  etag?: string | null;
  /** Statuses of 4xx that are answers. */
  also?: readonly number[];
}

export interface Answer {
  status: number;
  headers: Headers;
  /** Null: without body. */
  body: unknown;
}

export type Ask = (place: TrackerPlace, request: Request) => Promise<Answer>;

/**
 * @param name of the tracker's kind, for messages
 * @param headersFor beside those of every request, which they replace
 */
export const asking =
  (fetched: typeof fetch, name: string, headersFor: (place: TrackerPlace) => Record<string, string> = () => ({})): Ask =>
  async (place, { to, method = 'GET', body, etag, also = [] }) => {
    let response: Response;
    let text: string;
    try {
      response = await fetched(addressOf(place, to), {
        method,
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${place.token}`,
          ...headersFor(place),
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...(etag ? { 'if-none-match': etag } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      text = await response.text();
    } catch (error) {
      // Refused before anything was sent: a private address, a redirect.
      if (error instanceof AppError && !error.retryable && error.details?.['reason'] !== 'too_large') {
        throw new AppError(error.code, error.message, {
          ...(error.hint === undefined ? {} : { hint: error.hint }),
          details: { ...error.details, outcome: 'refused' },
          cause: error,
        });
      }
      throw unanswered(name, error);
    }
    const { status, headers } = response;
    if ((status >= 200 && status < 300) || (status === 304 && etag) || also.includes(status)) {
      return { status, headers, body: parsed(name, text) };
    }
    throw refused(name, status, headers, saying(text));
  };

/** A tracker may only lead to further pages of its own: the token goes there, too. */
function addressOf({ baseUrl }: TrackerPlace, to: string): string {
  if (!/^https?:/.test(to)) return `${baseUrl}${to}`;
  if (to.startsWith(`${baseUrl}/`)) return to;
  throw providerError('VALIDATION_ERROR', 'The tracker leads to another server for its next page.', 'refused', 'foreign_page', {
    hint: 'Give the address under which it names itself as base_url.',
  });
}

function parsed(name: string, text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    // It was received, and perhaps done.
    throw providerError('SERVICE_UNAVAILABLE', `${name} answered something else than JSON.`, 'unknown', 'no_json', { cause: error });
  }
}

/** What a status means for what was asked. @param said words of the other side */
export function refused(name: string, status: number, headers: Headers, said: string): AppError {
  const pause = pauseOf(headers);
  const limited = status === 429 || (status === 403 && (headers.get('x-ratelimit-remaining') === '0' || headers.has('retry-after')));
  if (limited) return rateLimited(name, pause);
  if (status >= 500) {
    const later = pause === undefined ? {} : { retryAfterSeconds: pause };
    return providerError('SERVICE_UNAVAILABLE', `${name} failed (HTTP ${status}).`, 'unknown', `http_${status}`, later);
  }
  const reason = `http_${status}`;
  if (status === 401) {
    return providerError('FORBIDDEN', `${name} does not accept the tracker's token.`, 'refused', 'invalid_auth', {
      hint: 'Save the tracker with a new one: work.tracker.save.',
    });
  }
  if (status === 403) {
    return providerError('FORBIDDEN', `The tracker's token may not do this at ${name}.`, 'refused', reason, {
      details: { said },
      hint: 'It needs to read and write issues, and pull requests where phases open them.',
    });
  }
  if (status === 404 || status === 410) {
    return providerError('NOT_FOUND', `${name} has no such thing, or does not show it to the tracker's token.`, 'refused', reason, {
      hint: 'Check `repository`, and what the token may read.',
    });
  }
  // Its words are kept apart from the message, which goes into histories.
  return providerError('VALIDATION_ERROR', `${name} refuses it (HTTP ${status}).`, 'refused', reason, { details: { said } });
}

/** Seconds that the other side asks to wait. GitHub and GitLab reset at an epoch time in s, Linear in ms, Jira at an ISO time. */
function pauseOf(headers: Headers): number | undefined {
  const after = Number(headers.get('retry-after'));
  if (after > 0) return after;
  const named = ['x-ratelimit-reset', 'ratelimit-reset', 'x-ratelimit-requests-reset'].map((name) => headers.get(name)).find(Boolean);
  if (!named) return undefined;
  const reset = /^\d+$/.test(named) ? Number(named) / (named.length > 11 ? 1_000 : 1) : Date.parse(named) / 1_000;
  return Number.isFinite(reset) ? Math.max(1, Math.ceil(reset - Date.now() / 1_000)) : undefined;
}

/**
 * What a refusal says: `message`, as text or, in GitLab, by field; GitHub adds a list of `errors`; Jira has `errorMessages`
 * and `errors` by field.
 */
function saying(text: string): string {
  try {
    const { message, errors, errorMessages = [] } = JSON.parse(text) as { message?: unknown; errors?: unknown; errorMessages?: unknown[] };
    const detailed = Array.isArray(errors) ? errors.map((error: { message?: string }) => error.message) : Object.values(errors ?? {});
    const words = [message, ...errorMessages, ...detailed]
      .filter((word) => word !== undefined && word !== null)
      .map((word) => (typeof word === 'string' ? word : JSON.stringify(word)));
    return words.join(' ').replaceAll(/\s+/g, ' ').slice(0, 300);
  } catch {
    return '';
  }
}

/** The next page, by the header Link (RFC 8288). */
export function nextOf(headers: Headers): string | null {
  for (const link of (headers.get('link') ?? '').split(/,\s*(?=<)/)) {
    const [, address, parameters] = /^<([^>]*)>(.*)$/.exec(link.trim()) ?? [];
    if (address !== undefined && /;\s*rel="?next"?/.test(parameters!)) return address;
  }
  return null;
}

export const query = (fields: Record<string, string | number | null | undefined>): string =>
  String(
    new URLSearchParams(
      Object.entries(fields)
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([name, value]): [string, string] => [name, String(value)]),
    ),
  );

/** Of one page. Issues may have 64 kB each. */
export const perPage = 50;
