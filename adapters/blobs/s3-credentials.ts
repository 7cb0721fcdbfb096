import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { fetch } from 'undici';
import { AppError } from '../../contracts/errors.ts';
import type { Config } from '../../platform/config.ts';

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

interface Lasting extends Credentials {
  /** Null: they do not end. */
  expires: Date | null;
}

export interface CredentialSource {
  /** @throws AppError SERVICE_UNAVAILABLE */
  get(): Promise<Credentials>;
  /** Gets new ones the next time: the present ones were refused. */
  renew(): void;
}

type Settings = Pick<Config, Extract<keyof Config, `AWS_${string}`>>;

/** Renewed this long before they end, in ms. */
const marginMs = 5 * 60_000;

/**
 * Credentials from the usual places, in the usual order: the environment, a web identity (IRSA and other federation),
 * the shared file, the container's endpoint (ECS, EKS Pod Identity), the machine's (EC2).
 */
export function credentialSource(config: Settings, region: string, profile = config.AWS_PROFILE): CredentialSource {
  let held: Lasting | null = null;
  let asking: Promise<Lasting> | null = null;
  const fresh = (): boolean => held !== null && (held.expires === null || held.expires.getTime() - Date.now() > marginMs);
  return {
    async get() {
      if (!fresh()) {
        asking ??= find(config, region, profile).finally(() => (asking = null));
        // A failed renewal must not end the use of credentials that still hold.
        held = await asking.catch((error: unknown) => {
          if (held?.expires && held.expires.getTime() > Date.now()) return held;
          throw error;
        });
      }
      const { accessKeyId, secretAccessKey, sessionToken } = held!;
      return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
    },
    renew: () => (held = null),
  };
}

async function find(config: Settings, region: string, profile: string | undefined): Promise<Lasting> {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken } = config;
  if (profile === undefined && accessKeyId && secretAccessKey)
    return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}), expires: null };
  const steps = [
    ['the web identity', () => ofWebIdentity(config, region)],
    ['the shared file', () => ofFile(config, profile)],
    ["the container's endpoint", () => ofContainer(config)],
    ["the machine's endpoint", () => ofMachine(config)],
  ] as const;
  for (const [name, step] of steps) {
    try {
      const found = await step();
      if (found) return found;
    } catch (cause) {
      throw missing(`${name}: ${(cause as Error).message}`, cause);
    }
  }
  throw missing('none was found', undefined);
}

const missing = (why: string, cause: unknown): AppError =>
  new AppError('SERVICE_UNAVAILABLE', `There are no credentials for the blob store (${why}).`, {
    hint: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or run under a role (docs/operations.md, "Blobs").',
    ...(cause === undefined ? {} : { cause }),
  });

/** The token is exchanged for credentials of the role; the request itself needs none. */
async function ofWebIdentity(config: Settings, region: string): Promise<Lasting | null> {
  const { AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ROLE_ARN: role } = config;
  if (file === undefined || role === undefined) return null;
  const form = new URLSearchParams({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleArn: role,
    RoleSessionName: config.AWS_ROLE_SESSION_NAME ?? 'signalbox',
    WebIdentityToken: (await readFile(file, 'utf8')).trim(),
  });
  const address = config.AWS_ENDPOINT_URL_STS ?? `https://sts.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  // The token is in the body: an address may be logged on its way.
  const answer = await fetch(address, { method: 'POST', body: form, signal: AbortSignal.timeout(10_000) });
  const read = new XMLParser({ parseTagValue: false }).parse(await answer.text()) as {
    AssumeRoleWithWebIdentityResponse?: { AssumeRoleWithWebIdentityResult?: { Credentials?: Record<string, string> } };
    ErrorResponse?: { Error?: { Code?: string } };
  };
  const given = read.AssumeRoleWithWebIdentityResponse?.AssumeRoleWithWebIdentityResult?.Credentials;
  if (!given) throw new Error(`${role} was refused: ${read.ErrorResponse?.Error?.Code ?? `status ${answer.status}`}`);
  return lasting({ ...given, Token: given['SessionToken'] });
}

async function ofFile(config: Settings, profile: string | undefined): Promise<Lasting | null> {
  const path = config.AWS_SHARED_CREDENTIALS_FILE ?? join(homedir(), '.aws', 'credentials');
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (profile === undefined && error.code === 'ENOENT') return '';
    throw error;
  });
  const values = sectionOf(text, profile ?? 'default');
  const [accessKeyId, secretAccessKey, sessionToken] = ['aws_access_key_id', 'aws_secret_access_key', 'aws_session_token'].map(
    (name) => values[name],
  );
  if (accessKeyId && secretAccessKey) return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}), expires: null };
  if (profile !== undefined) throw new Error(`${path} has no keys for the profile "${profile}"`);
  return null;
}

function sectionOf(text: string, wanted: string): Record<string, string> {
  const values: Record<string, string> = {};
  let section = '';
  for (const line of text.split(/\r?\n/)) {
    const [, head] = /^\s*\[\s*(?:profile\s+)?(.+?)\s*\]/.exec(line) ?? [];
    if (head !== undefined) section = head;
    const [, name, value] = /^\s*([a-z_]+)\s*=\s*(.*?)\s*$/i.exec(line) ?? [];
    if (section === wanted && name !== undefined) values[name.toLowerCase()] = value ?? '';
  }
  return values;
}

async function ofContainer(config: Settings): Promise<Lasting | null> {
  const { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: relative, AWS_CONTAINER_CREDENTIALS_FULL_URI: full } = config;
  const address = relative === undefined ? full : `http://169.254.170.2${relative}`;
  if (address === undefined) return null;
  const { AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file } = config;
  const token = file === undefined ? config.AWS_CONTAINER_AUTHORIZATION_TOKEN : (await readFile(file, 'utf8')).trim();
  return lasting(await json(address, token === undefined ? {} : { authorization: token }));
}

async function ofMachine(config: Settings): Promise<Lasting | null> {
  if (config.AWS_EC2_METADATA_DISABLED) return null;
  const base = config.AWS_EC2_METADATA_SERVICE_ENDPOINT.replace(/\/+$/, '');
  const roles = `${base}/latest/meta-data/iam/security-credentials/`;
  let token: string;
  try {
    // Elsewhere nothing answers at this address.
    const answer = await fetch(`${base}/latest/api/token`, {
      method: 'PUT',
      headers: { 'x-aws-ec2-metadata-token-ttl-seconds': '300' },
      signal: AbortSignal.timeout(1_000),
    });
    if (!answer.ok) return null;
    token = await answer.text();
  } catch {
    return null;
  }
  const headers = { 'x-aws-ec2-metadata-token': token };
  const answer = await fetch(roles, { headers, signal: AbortSignal.timeout(5_000) });
  const [role = ''] = answer.ok ? (await answer.text()).split('\n') : [];
  return role === '' ? null : lasting(await json(`${roles}${role}`, headers));
}

async function json(address: string, headers: Record<string, string>): Promise<Record<string, string>> {
  const answer = await fetch(address, { headers, signal: AbortSignal.timeout(5_000) });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return (await answer.json()) as Record<string, string>;
}

function lasting({ AccessKeyId, SecretAccessKey, Token, Expiration }: Record<string, string | undefined>): Lasting {
  if (!AccessKeyId || !SecretAccessKey) throw new Error('the answer has no keys');
  const expires = Expiration === undefined ? null : new Date(Expiration);
  return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, ...(Token ? { sessionToken: Token } : {}), expires };
}
