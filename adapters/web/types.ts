import type { Logger } from 'pino';
import type { AllowPrivate, Resolver } from './targets.ts';

export interface Fetched {
  /** Where the bytes came from, after redirects, without fragment. */
  url: string;
  /** 2xx; or 304 without bytes, if `etag` or `lastModified` was given. */
  status: number;
  /** Lower case, without parameters; `application/octet-stream` when the server names none. */
  mediaType: string;
  charset?: string;
  /** Content-Language. */
  contentLanguage?: string;
  /** Content-Encoding undone. */
  bytes: Uint8Array;
  /** From Content-Disposition, else the last part of the path; never a path itself. */
  filename?: string;
  /** As the server wrote it, to be given back to `fetch`. */
  etag?: string;
  lastModified?: string;
  /** X-Robots-Tag. */
  robotsTag?: string;
  retryAfterSeconds?: number;
  /** Each address that was redirected to, in order; the last one equals `url`. */
  redirects: string[];
}

export interface FetchOptions {
  /** Aborts with its own reason. */
  signal?: AbortSignal | undefined;
  /** Of the body, compressed or not. */
  maxBytes?: number;
  /** For everything from the first connection to the last byte. */
  timeoutMs?: number;
  /** Nothing but `timeoutMs` ends it, so that this is the time that may be told; else the client's limits for its parts count, too. */
  oneTimeout?: boolean;
  accept?: string;
  headers?: Record<string, string>;
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  body?: string | Uint8Array;
  etag?: string;
  lastModified?: string;
  /** Asked before each redirect is followed, with its status; throws what `fetch` is to throw. */
  onRedirect?: (to: URL, status: number) => Promise<void> | void;
  /** The status is the whole answer: nothing that the body is or does makes it fail, and `bytes` is empty. */
  ignoreBody?: boolean;
  /** Asked before the body is read; false refuses with `details.reason` media_type. */
  acceptsType?: (mediaType: string, filename: string | undefined) => boolean;
}

/** Something that is handed to an address that somebody gave. */
export interface Posting extends Pick<FetchOptions, 'signal' | 'timeoutMs' | 'headers'> {
  /** JSON, unless the headers say otherwise. */
  body: string;
  /** What the receiver is called in the refusal of one that redirects. */
  receiver: string;
}

export interface WebClient {
  readonly userAgent: string;
  /**
   * Refuses what `fetch` would refuse without asking DNS. @returns the URL as it is fetched, without fragment
   * @throws {AppError} VALIDATION_ERROR with `details.reason`: invalid, too_long, scheme, credentials, port, private_address
   */
  check(url: string): string;
  /**
   * @throws {AppError} with `details.reason`. VALIDATION_ERROR: invalid, too_long, scheme, credentials, port,
   * private_address, redirect, media_type, encoding, http_status (with `details.status`). FORBIDDEN, NOT_FOUND and
   * SERVICE_UNAVAILABLE: http_status. SERVICE_UNAVAILABLE: dns, tls, protocol, network. TIMEOUT: timeout.
   * PAYLOAD_TOO_LARGE: too_large. Retry-After stands in `retryAfterSeconds`.
   */
  fetch(url: string, options?: FetchOptions): Promise<Fetched>;
  /** Posts once. The receiver has taken it with its status, whatever it says beside; no other address gets it. @throws {AppError} as `fetch` */
  post(url: string, posting: Posting): Promise<void>;
  /** Ends all connections, also those in use. */
  close(): Promise<void>;
}

export interface WebLimits {
  maxBytes: number;
  timeoutMs: number;
  connectTimeoutMs: number;
  headersTimeoutMs: number;
  /** The longest silence while a body arrives; a body that drips ends at `timeoutMs`. */
  idleTimeoutMs: number;
  maxRedirects: number;
  /** Requests at the same time to one host. */
  perHost: number;
}

export interface WebClientOptions {
  /** Loopback and private addresses may be reached; link-local ones (cloud metadata) may not even then. */
  allowPrivate: AllowPrivate;
  /** `Name/1.0 (+where to complain)`; its name is what robots.txt is asked about. */
  userAgent: string;
  log?: Logger;
  limits?: Partial<WebLimits>;
  /** For tests; the system's resolver by default. */
  resolve?: Resolver;
}
