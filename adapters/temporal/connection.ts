/**
 * How every process reaches Temporal: address, namespace, TLS, client certificate, API key. Credentials are read from
 * files, and again when a file changes.
 */
import type { NativeConnectionOptions } from '@temporalio/worker';
import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { Logger } from 'pino';
import { AppError } from '../../contracts/errors.ts';
import type { Config } from '../../platform/config.ts';

export interface TemporalTarget {
  address: string;
  namespace: string;
  /** Absent: plain text. */
  tls?: { serverName?: string | undefined; caFile?: string | undefined; certFile?: string | undefined; keyFile?: string | undefined };
  apiKey?: string | undefined;
  apiKeyFile?: string | undefined;
}

/** What the SDK's client and worker take alike. */
export type Credentials = Pick<NativeConnectionOptions, 'tls' | 'apiKey'>;

const loopback = /^(127\.|localhost:|\[::1\])/;

/**
 * The configured Temporal.
 * @param address default: TEMPORAL_ADDRESS, or the embedded one
 * @throws AppError VALIDATION_ERROR when settings contradict each other
 */
export function temporalTarget(config: Config, address = config.TEMPORAL_ADDRESS ?? `127.0.0.1:${config.TEMPORAL_PORT}`): TemporalTarget {
  const { TEMPORAL_API_KEY: apiKey, TEMPORAL_API_KEY_FILE: apiKeyFile } = config;
  const certFile = config.TEMPORAL_TLS_CLIENT_CERT_PATH;
  const keyFile = config.TEMPORAL_TLS_CLIENT_KEY_PATH;
  const caFile = config.TEMPORAL_TLS_SERVER_CA_CERT_PATH;
  const serverName = config.TEMPORAL_TLS_SERVER_NAME;
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw wrong(
      `${certFile === undefined ? 'TEMPORAL_TLS_CLIENT_KEY_PATH' : 'TEMPORAL_TLS_CLIENT_CERT_PATH'} is set alone.`,
      'A client certificate needs both TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH.',
    );
  }
  if (apiKey !== undefined && apiKeyFile !== undefined)
    throw wrong('TEMPORAL_API_KEY and TEMPORAL_API_KEY_FILE are both set.', 'Remove one of them.');
  const named = [apiKey, apiKeyFile, certFile, caFile, serverName].some((value) => value !== undefined);
  const tls = config.TEMPORAL_TLS ?? (named || /\.(tmprl\.cloud|temporal\.io):\d+$/.test(address));
  if (!tls && (certFile ?? caFile ?? serverName) !== undefined)
    throw wrong(
      'TEMPORAL_TLS is false, but certificates or a server name are set.',
      'Remove TEMPORAL_TLS, or the TEMPORAL_TLS_… settings.',
    );
  if (!tls && (apiKey ?? apiKeyFile) !== undefined && !loopback.test(address))
    throw wrong('TEMPORAL_TLS is false: the API key would be sent in plain text.', 'Remove TEMPORAL_TLS; with an API key it is on.');
  return {
    address,
    namespace: config.TEMPORAL_NAMESPACE,
    ...(tls ? { tls: { serverName, caFile, certFile, keyFile } } : {}),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(apiKeyFile === undefined ? {} : { apiKeyFile }),
  };
}

/**
 * Reads the target's certificates and key.
 * @throws AppError VALIDATION_ERROR naming the setting whose file cannot be used
 */
export function readCredentials({ tls, apiKey, apiKeyFile }: TemporalTarget): Credentials {
  const key = apiKeyFile === undefined ? apiKey : read('TEMPORAL_API_KEY_FILE', apiKeyFile).toString().trim();
  if (key === '') throw wrong(`TEMPORAL_API_KEY_FILE: ${apiKeyFile} is empty.`, 'Write the API key into it.');
  return {
    // Without TLS it is said so, because the SDK switches TLS on when there is a key.
    tls: tls ? tlsOf(tls) : false,
    ...(key === undefined ? {} : { apiKey: key }),
  };
}

function tlsOf({ serverName, caFile, certFile, keyFile }: NonNullable<TemporalTarget['tls']>) {
  const ca = caFile === undefined ? undefined : read('TEMPORAL_TLS_SERVER_CA_CERT_PATH', caFile);
  if (ca) certificate('TEMPORAL_TLS_SERVER_CA_CERT_PATH', caFile!, ca);
  const pair = certFile === undefined || keyFile === undefined ? undefined : pairOf(certFile, keyFile);
  return {
    ...(serverName === undefined ? {} : { serverNameOverride: serverName }),
    ...(ca ? { serverRootCACertificate: ca } : {}),
    ...(pair ? { clientCertPair: pair } : {}),
  };
}

function pairOf(certFile: string, keyFile: string): { crt: Buffer; key: Buffer } {
  const crt = read('TEMPORAL_TLS_CLIENT_CERT_PATH', certFile);
  const key = read('TEMPORAL_TLS_CLIENT_KEY_PATH', keyFile);
  const cert = certificate('TEMPORAL_TLS_CLIENT_CERT_PATH', certFile, crt);
  let privateKey;
  try {
    privateKey = createPrivateKey(key);
  } catch (error) {
    throw wrong(
      `TEMPORAL_TLS_CLIENT_KEY_PATH: ${keyFile} holds no private key that can be read.`,
      'It must be an unencrypted key as PEM.',
      error,
    );
  }
  if (!cert.checkPrivateKey(privateKey)) {
    throw wrong(
      `TEMPORAL_TLS_CLIENT_KEY_PATH: ${keyFile} is not the key of the certificate in ${certFile}.`,
      'Set both to files of the same pair.',
    );
  }
  return { crt, key };
}

function certificate(setting: string, file: string, pem: Buffer): X509Certificate {
  let found;
  try {
    found = new X509Certificate(pem);
  } catch (error) {
    throw wrong(`${setting}: ${file} holds no certificate.`, 'It must be a certificate as PEM.', error);
  }
  if (found.validToDate.getTime() < Date.now())
    throw wrong(
      `${setting}: the certificate in ${file} expired on ${found.validToDate.toISOString().slice(0, 10)}.`,
      'Replace the file by a renewed one.',
    );
  return found;
}

function read(setting: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw wrong(`${setting}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`, 'Check the path and its rights.', error);
  }
}

const wrong = (message: string, hint: string, cause?: unknown): AppError =>
  new AppError('VALIDATION_ERROR', message, { hint, ...(cause === undefined ? {} : { cause }) });

/** How often files are looked at, in ms. Polled: a mounted secret is replaced by a renamed link, which watchers miss. */
const lookEvery = 10_000;

/**
 * Tells about new credentials when a file has changed and can be used: a renewal replaces two files one after the other.
 * @returns stops it
 */
export function watchCredentials(
  target: TemporalTarget,
  renewed: (credentials: Credentials) => void | Promise<void>,
  log?: Logger,
  everyMs = lookEvery,
): () => void {
  const { caFile, certFile, keyFile } = target.tls ?? {};
  const files = [target.apiKeyFile, caFile, certFile, keyFile].filter((file) => file !== undefined);
  if (files.length === 0) return () => {};
  const mark = (): string => files.map(stateOf).join();
  const hash = (given: Credentials): string => createHash('sha256').update(JSON.stringify(given)).digest('hex');
  let seen = mark();
  let used = hash(readCredentials(target));
  let busy = false;
  const timer = setInterval(() => {
    const now = mark();
    if (busy || now === seen) return;
    busy = true;
    void (async () => {
      const credentials = readCredentials(target);
      const next = hash(credentials);
      if (next !== used) {
        await renewed(credentials);
        log?.info('Temporal is called with the renewed credentials');
      }
      used = next;
      seen = now;
    })()
      .catch((error: unknown) => log?.warn({ err: error }, 'renewed credentials for Temporal cannot be used yet'))
      .finally(() => (busy = false));
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

function stateOf(file: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(file);
    return `${mtimeMs}-${size}-${ino}`;
  } catch {
    return 'none';
  }
}
