/**
 * Tokens of `signalbox login`, one entry for each server, in the user's configuration folder (mode 0600). They are
 * refreshed before they expire, by one process at a time: most issuers accept a refresh token once.
 */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Configuration } from 'openid-client';
import type { Config } from '../platform/config.ts';
import { CliError, exits } from './exit.ts';

interface Credentials {
  issuer: string;
  client_id: string;
  access_token: string;
  refresh_token: string | null;
  /** ISO time. */
  expires_at: string;
}

/** A token is refreshed this long before its end. */
const earlyMs = 60_000;
/** A refresh that takes longer was interrupted. */
const lockMs = 30_000;

const folderOf = ({ XDG_CONFIG_HOME }: Pick<Config, 'XDG_CONFIG_HOME'>): string =>
  join(XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'signalbox');
const fileOf = (config: Pick<Config, 'XDG_CONFIG_HOME'>): string => join(folderOf(config), 'credentials.json');

type Kept = Record<string, Credentials>;
type Where = Pick<Config, 'XDG_CONFIG_HOME'>;

function all(where: Where): Kept {
  const file = fileOf(where);
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Kept;
  } catch {
    throw new CliError(exits.failed, 'CONFLICT', `${file} is not readable JSON.`, { hint: 'Delete it, then run signalbox login again.' });
  }
}

export const credentialsOf = (where: Where, url: string): Credentials | null => {
  const kept = all(where);
  return Object.hasOwn(kept, url) ? kept[url]! : null;
};

/** @param credentials null: the entry is removed */
export async function keepCredentials(where: Where, url: string, credentials: Credentials | null): Promise<void> {
  await locked(where, async () => write(where, url, credentials));
}

function write(where: Where, url: string, credentials: Credentials | null): void {
  const { [url]: _, ...others } = all(where);
  const file = fileOf(where);
  const kept = credentials === null ? others : { ...others, [url]: credentials };
  writeFileSync(`${file}.new`, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
  chmodSync(`${file}.new`, 0o600);
  renameSync(`${file}.new`, file);
}

/**
 * A token for a server that the user has logged in to; null: they have not.
 * @throws CliError when the login is over, or the issuer does not answer
 */
export async function tokenFor(where: Where, url: string): Promise<string | null> {
  const known = credentialsOf(where, url);
  if (!known || isFresh(known)) return known?.access_token ?? null;
  return await locked(where, async () => {
    // Another process may have refreshed it, or logged out.
    const now = credentialsOf(where, url);
    if (!now || isFresh(now)) return now?.access_token ?? null;
    if (now.refresh_token === null) throw over(url);
    const { refreshTokenGrant, ResponseBodyError } = await import('openid-client');
    const configuration = await issuerOf(now.issuer, now.client_id);
    try {
      const tokens = await refreshTokenGrant(configuration, now.refresh_token);
      const next = fromTokens(now.issuer, now.client_id, tokens, now.refresh_token);
      write(where, url, next);
      return next.access_token;
    } catch (error) {
      if (!(error instanceof ResponseBodyError) || error.error !== 'invalid_grant') throw issuerAway(now.issuer, error);
      write(where, url, null);
      throw over(url);
    }
  });
}

const isFresh = ({ expires_at }: Credentials): boolean => Date.parse(expires_at) - Date.now() > earlyMs;

export const fromTokens = (
  issuer: string,
  clientId: string,
  tokens: { access_token: string; refresh_token?: string; expires_in?: number },
  formerRefresh: string | null = null,
): Credentials => ({
  issuer,
  client_id: clientId,
  access_token: tokens.access_token,
  refresh_token: tokens.refresh_token ?? formerRefresh,
  expires_at: new Date(Date.now() + (tokens.expires_in ?? 300) * 1000).toISOString(),
});

/** The issuer, by discovery. @throws CliError */
export async function issuerOf(issuer: string, clientId: string): Promise<Configuration> {
  const { allowInsecureRequests, discovery, None } = await import('openid-client');
  const url = new URL(issuer);
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  try {
    return await discovery(url, clientId, undefined, None(), {
      timeout: 10,
      execute: local && url.protocol === 'http:' ? [allowInsecureRequests] : [],
    });
  } catch (error) {
    throw issuerAway(issuer, error);
  }
}

export const issuerAway = (issuer: string, error: unknown): CliError => {
  const { message, cause } = error as Error & { cause?: { code?: string } };
  return new CliError(
    exits.unreachable,
    'SERVICE_UNAVAILABLE',
    `The issuer ${issuer} does not answer as it should (${cause?.code ?? message}).`,
    {
      hint: 'Try again soon, or use a key: SIGNALBOX_API_KEY.',
    },
  );
};

const over = (url: string): CliError =>
  new CliError(exits.refused, 'UNAUTHORIZED', `Your login at ${url} has ended.`, { hint: 'signalbox login signs you in again.' });

async function locked<T>(where: Where, work: () => Promise<T>): Promise<T> {
  mkdirSync(folderOf(where), { recursive: true, mode: 0o700 });
  const lock = `${fileOf(where)}.lock`;
  for (;;) {
    try {
      closeSync(openSync(lock, 'wx', 0o600));
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const age = ageOf(lock);
      if (age > lockMs) rmSync(lock, { force: true });
      else await sleep(50);
    }
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

const ageOf = (file: string): number => {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return 0;
  }
};
