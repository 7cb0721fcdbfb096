import type { Logger } from 'pino';
import type { AllowPrivate, Resolver } from './targets.ts';

export interface Fetched {
  /** The address after redirects, without fragment. */
  url: string;
  /** 2xx; or 304 without bytes, if `etag` or `lastModified` was given. */
  status: number;
  /** Lower case, without parameters; `application/octet-stream` when the server names none. */
  mediaType: string;
  charset?: string;
  /** Content-Language. */
  contentLanguage?: string;
  /** Decoded bytes. */
  bytes: Uint8Array;
  /** From Content-Disposition, else the last part of the path; never a path. */
  filename?: string;
  /** As sent by the server, for a later `fetch`. */
  etag?: string;
  lastModified?: string;
  /** X-Robots-Tag. */
  robotsTag?: string;
  retryAfterSeconds?: number;
  /** Addresses of all redirects, in order; the last one equals `url`. */
  redirects: string[];
}

export interface FetchOptions {
  /** Aborts with its own reason. */
  signal?: AbortSignal | undefined;
  /** Maximum size of the body, compressed or not. */
  maxBytes?: number;
  /** Total timeout. */
  timeoutMs?: number;
  /**
   * Only `timeoutMs` applies, so that it can be reported; otherwise the client's timeouts of single phases count,
   * too.
   */
  oneTimeout?: boolean;
  accept?: string;
  headers?: Record<string, string>;
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  body?: string | Uint8Array;
  etag?: string;
  lastModified?: string;
  /** Called before each redirect is followed, with its status; may throw the error for `fetch`. */
  onRedirect?: (to: URL, status: number) => Promise<void> | void;
  /** Only the status matters: the body is ignored, and `bytes` is empty. */
  ignoreBody?: boolean;
  /** Called before the body is read; false refuses with `details.reason` media_type. */
  acceptsType?: (mediaType: string, filename: string | undefined) => boolean;
}

/** A POST to a URL that a caller gave. */
export interface Posting extends Pick<FetchOptions, 'signal' | 'timeoutMs' | 'headers'> {
  /** JSON, unless the headers say otherwise. */
  body: string;
  /** The receiver's name in the error for a redirect. */
  receiver: string;
}

export interface WebClient {
  readonly userAgent: string;
  /**
   * Refuses what `fetch` would refuse without DNS.
   * @returns the URL as it is fetched, without fragment
   * @throws {AppError} VALIDATION_ERROR with `details.reason`: invalid, too_long, scheme, credentials, port,
   * private_address
   */
  check(url: string): string;
  /**
   * @throws {AppError} with `details.reason`. VALIDATION_ERROR: invalid, too_long, scheme, credentials, port,
   * private_address, redirect, media_type, encoding, http_status (with `details.status`). FORBIDDEN, NOT_FOUND and
   * SERVICE_UNAVAILABLE: http_status. SERVICE_UNAVAILABLE: dns, tls, protocol, network. TIMEOUT: timeout.
   * PAYLOAD_TOO_LARGE: too_large. Retry-After is in `retryAfterSeconds`.
   */
  fetch(url: string, options?: FetchOptions): Promise<Fetched>;
  /**
   * Posts once. A 2xx status means that the receiver accepted it, regardless of the body. Redirects are refused. @throws
   * {AppError} as `fetch`
   */
  post(url: string, posting: Posting): Promise<void>;
  /** Ends all connections, also those in use. */
  close(): Promise<void>;
}

export interface WebLimits {
  maxBytes: number;
  timeoutMs: number;
  connectTimeoutMs: number;
  headersTimeoutMs: number;
  /** The longest pause within a body; a slow body ends at `timeoutMs`. */
  idleTimeoutMs: number;
  maxRedirects: number;
  /** Concurrent requests per host. */
  perHost: number;
}

export interface WebClientOptions {
  /** Whether loopback and private addresses may be reached; link-local ones (cloud metadata) never may. */
  allowPrivate: AllowPrivate;
  /** `Name/1.0 (+contact address)`; the name is used for robots.txt. */
  userAgent: string;
  log?: Logger;
  limits?: Partial<WebLimits>;
  /** For tests; default: the system's resolver. */
  resolve?: Resolver;
}
