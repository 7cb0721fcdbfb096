import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { XMLParser } from 'fast-xml-parser';
import { Agent, request, type Dispatcher } from 'undici';
import { AppError } from '../../contracts/errors.ts';
import type { CredentialSource } from './s3-credentials.ts';

export interface S3Settings {
  bucket: string;
  /** Empty, or ending in a slash. */
  prefix: string;
  /** Null: Amazon's of the region. */
  endpoint: string | null;
  region: string;
  /** The bucket's name in the path, not in the host. */
  pathStyle: boolean;
  /** Sent with everything that is written. */
  encryption: Record<string, string>;
  /** Ask the store to check and keep a SHA-256 of each object, beside the one in the signature. */
  checksums: boolean;
  credentials: CredentialSource;
}

interface Ask {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Without it: the bucket itself. */
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array;
  /** 404 is an answer, not an error. */
  maybe?: boolean;
  attempts?: number;
}

export interface S3Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Dispatcher.ResponseData['body'];
}

/** What is read of the store's documents. */
interface S3Document {
  Error?: unknown;
  InitiateMultipartUploadResult?: { UploadId: string };
  CopyPartResult?: { ETag: string };
  ListBucketResult?: {
    Contents?: { Key: string; Size: string; LastModified: string }[];
    IsTruncated?: string;
    NextContinuationToken?: string;
  };
  ListMultipartUploadsResult?: {
    Upload?: { Key: string; UploadId: string; Initiated: string }[];
    IsTruncated?: string;
    NextKeyMarker?: string;
    NextUploadIdMarker?: string;
  };
}

/** What the store refused. Always an outage for the caller: content is never refused because of it. */
export class S3Error extends AppError {
  /** The store's own code, e.g. NoSuchUpload. */
  readonly reason: string;
  readonly status: number;
  constructor(reason: string, status: number, message: string, extra: { hint: string; cause?: unknown }) {
    super('SERVICE_UNAVAILABLE', message, extra);
    this.reason = reason;
    this.status = status;
  }
}

const mostAttempts = 8;
const [firstPauseMs, longestPauseMs] = [100, 5_000];
const xml = new XMLParser({ parseTagValue: false, isArray: (name) => ['Contents', 'Upload', 'Rule'].includes(name) });

/** Requests to one bucket: signed, and repeated after 429, 5xx and lost connections. All of ours may be repeated. */
export function s3Client(settings: S3Settings) {
  const { bucket, prefix, region } = settings;
  const place = `s3://${bucket}/${prefix}`.replace(/\/$/, '');
  const base = addressOf(settings);
  const agent = new Agent({ connections: 64, connect: { timeout: 10_000 }, headersTimeout: 60_000, bodyTimeout: 60_000 });

  async function once({ method, key, query, headers, body }: Ask): Promise<S3Answer> {
    const url = new URL(key === undefined ? base : `${base}/${key}`);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const hash = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, 'x-amz-content-sha256': hash },
      ...(await settings.credentials.get()),
      service: 's3',
      region,
    });
    const signed = await signer.sign();
    const given = { method, headers: Object.fromEntries(signed.headers), body: body ?? null, dispatcher: agent };
    const { statusCode: status, ...answer } = await request(signed.url, given);
    return { status, ...answer };
  }

  /** @throws S3Error */
  async function send(ask: Ask): Promise<S3Answer> {
    let renewed = false;
    for (let attempt = 1; ; attempt += 1) {
      const last = attempt >= (ask.attempts ?? mostAttempts);
      let pause = Math.random() * Math.min(longestPauseMs, firstPauseMs * 2 ** attempt);
      try {
        const answer = await once(ask);
        if (answer.status < 300 || (ask.maybe && answer.status === 404 && !(await lacksBucket(ask, answer)))) return answer;
        const error = refusal(place, settings, answer.status, await answer.body.text().catch(() => ''));
        // Credentials of a role may end earlier than they said.
        if (/^(ExpiredToken|InvalidToken|TokenRefreshRequired)/.test(error.reason) && !renewed) {
          renewed = true;
          settings.credentials.renew();
          continue;
        }
        if (last || !passing(error)) throw error;
        const wanted = Number(answer.headers['retry-after']);
        if (wanted > 0) pause = Math.min(wanted * 1000, 30_000);
      } catch (error) {
        if (error instanceof AppError) throw error;
        if (last) throw away(place, base, error);
      }
      await sleep(pause);
    }
  }

  /** As `send`, for answers in XML, which may hold an error although their status is 200. @throws S3Error */
  async function ask(given: Ask): Promise<S3Document> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await send(given);
      const text = await answer.body.text();
      const read = (text.trim() === '' ? {} : xml.parse(text)) as S3Document;
      if (read.Error === undefined) return read;
      const error = refusal(place, settings, answer.status, text);
      if (attempt >= mostAttempts || !passing(error)) throw error;
      await sleep(Math.random() * Math.min(longestPauseMs, firstPauseMs * 2 ** attempt));
    }
  }

  /** As `send`, for answers of which only status and headers count. @throws S3Error */
  async function done(given: Ask): Promise<S3Answer> {
    const answer = await send(given);
    if (answer.status < 300) await answer.body.dump();
    return answer;
  }

  return { place, settings, send, ask, done, close: () => agent.close() };
}

export type S3Client = ReturnType<typeof s3Client>;

/** A missing bucket answers 404 as well; a HEAD says nothing more. */
async function lacksBucket({ method }: Ask, answer: S3Answer): Promise<boolean> {
  if (method === 'HEAD') return false;
  const text = await answer.body.text();
  if (!text.includes('NoSuchBucket')) return false;
  answer.body = { text: () => Promise.resolve(text) } as S3Answer['body'];
  return true;
}

function addressOf({ bucket, endpoint, region, pathStyle }: S3Settings): string {
  const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`);
  const path = url.pathname.replace(/\/+$/, '');
  return pathStyle ? `${url.origin}${path}/${bucket}` : `${url.protocol}//${bucket}.${url.host}${path}`;
}

const passing = ({ status, reason }: S3Error): boolean =>
  [408, 429, 500, 502, 503, 504].includes(status) || ['SlowDown', 'InternalError', 'RequestTimeout', 'ServiceUnavailable'].includes(reason);

function refusal(place: string, { region }: S3Settings, status: number, text: string): S3Error {
  const { Error: read } = (text.includes('<Error>') ? xml.parse(text) : {}) as { Error?: { Code?: string; Message?: string } };
  const reason = read?.Code ?? (status === 403 ? 'AccessDenied' : status === 404 ? 'NotFound' : `status ${status}`);
  const said = (read?.Message ?? '').slice(0, 300).replace(/\.$/, '');
  return new S3Error(reason, status, `The blob store ${place} refuses: ${reason}${said === '' ? '' : ` (${said})`}.`, {
    hint: hintFor(reason, region),
  });
}

function hintFor(reason: string, region: string): string {
  if (reason === 'NoSuchBucket') return 'Make the bucket (`signalbox blobs setup --create`), or correct BLOB_STORE_URL.';
  if (reason === 'AccessDenied')
    return 'The credentials need ListBucket on the bucket, and GetObject, PutObject, DeleteObject and AbortMultipartUpload on its objects.';
  if (/AccessKey|Signature|Token|Credential|UserNotFound/.test(reason))
    return 'Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the role that gives them.';
  if (/Redirect|AuthorizationHeaderMalformed|IllegalLocationConstraint/.test(reason) || reason === 'status 301')
    return `The region may be wrong (now ${region}): set S3_REGION.`;
  if (reason === 'RequestTimeTooSkewed') return "Correct this machine's clock.";
  if (reason === 'NotImplemented') return 'The store lacks this: S3_CHECKSUMS=false and S3_ENCRYPTION=none ask less of it.';
  if (/KMS/.test(reason)) return 'Check S3_KMS_KEY_ID, and that the credentials may use this key.';
  return 'See the log of the store; `signalbox doctor` tries it again.';
}

/** The address is shown without what may be secret in it. */
function away(place: string, base: string, error: unknown): S3Error {
  const { code, message } = error as NodeJS.ErrnoException;
  return new S3Error('away', 0, `The blob store ${place} cannot be reached at ${new URL(base).origin}: ${code ?? message}.`, {
    hint: 'Check S3_ENDPOINT and the network, and that the store runs.',
    cause: error,
  });
}
