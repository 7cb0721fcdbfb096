import { outgoingHeaders } from '../../contracts/headers.ts';
import { acceptedEncodings } from './body.ts';
import { displayUrl, refusedUrl } from './targets.ts';
import type { FetchOptions } from './types.ts';

/** One request of a chain of redirects. */
export interface Hop {
  url: URL;
  method: NonNullable<FetchOptions['method']>;
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
}

/** Headers that may be sent to another origin after a redirect. */
const harmlessHeaders = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'user-agent',
  'if-none-match',
  'if-modified-since',
]);

export function firstHop(url: URL, asked: FetchOptions, userAgent: string): Hop {
  const headers: Record<string, string> = { 'user-agent': userAgent, accept: asked.accept ?? '*/*', 'accept-encoding': acceptedEncodings };
  if (asked.etag !== undefined) headers['if-none-match'] = asked.etag;
  if (asked.lastModified !== undefined) headers['if-modified-since'] = asked.lastModified;
  Object.assign(headers, outgoingHeaders(asked.headers ?? {}));
  return { url, method: asked.method ?? (asked.body === undefined ? 'GET' : 'POST'), headers, body: asked.body };
}

/**
 * The request after a redirect, as in browsers: 303 always uses GET, 301 and 302 do after a POST. Headers that may
 * contain a secret are not sent to another origin, nor is a body.
 */
export function nextHop(from: Hop, to: URL, status: number): Hop {
  const turnsToGet = status === 303 ? from.method !== 'HEAD' : (status === 301 || status === 302) && from.method === 'POST';
  const elsewhere = to.origin !== from.url.origin;
  const body = turnsToGet ? undefined : from.body;
  if (elsewhere && body !== undefined) {
    throw refusedUrl('redirect', `${displayUrl(from.url)} sends what was posted on to ${to.host}.`, 'Give the address it leads to.');
  }
  const headers = Object.entries(from.headers).filter(
    ([name]) => (!elsewhere || harmlessHeaders.has(name)) && (!turnsToGet || name !== 'content-type'),
  );
  return { url: to, method: turnsToGet ? 'GET' : from.method, headers: Object.fromEntries(headers), body };
}
