import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { lineOf, type Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { newId } from '../../contracts/ids.ts';
import type { Columns } from '../../prisma/rows.ts';
import { tokenIdPrefix } from '../../contracts/governance/oidc.ts';
import { Service } from '../kernel/service.ts';
import type { PersonTokens } from './issuer-client.ts';
import type { Keys } from './keys.ts';
import type { People } from './people.ts';
import type { SessionChecks } from './session-checks.ts';

/** How long a session lasts without a request, and at most, in seconds. */
export const idleSeconds = 12 * 3600;
const mostSeconds = 7 * 24 * 3600;
/** At most, when the issuer cannot be asked again about the person. */
const uncheckedSeconds = 3600;
/** How long a one-time code is valid, in seconds. */
export const codeSeconds = 60;
/** Open sessions of a key and its replacements: a new one ends the oldest. */
const mostOpen = 50;
/** How long a lookup is trusted, in ms: the longest that a session of a revoked key continues. */
const trustFor = 2_000;
/** A session's last use is written at most this often, in ms. */
const seenEvery = 60_000;

/** A session of the console gets a rate limit of its own: a page makes more calls at once than an agent. */
const limits = { rateRpm: 600, rateBurst: 200 };

interface SessionRow
  extends
    Record<string, unknown>,
    Columns<
      'console_sessions',
      | 'tenant_id'
      | 'id'
      | 'kind'
      | 'key_id'
      | 'line'
      | 'principal'
      | 'created_at'
      | 'last_seen_at'
      | 'ends_at'
      | 'tokens'
      | 'checked_at'
      | 'check_at'
    > {}

interface Known {
  caller: Caller;
  endsAt: Date;
}

/** Signed-in browsers: a cookie of 256 random bits, stored as a hash, that stands for a key. */
export class ConsoleSessions extends Service<'secrets', { keys: Keys; people: People; checks: SessionChecks }> {
  private readonly cache = new Map<string, { known: Known; until: number }>();

  /** Cookies ignore ports: two installations on one machine need different names. */
  get cookieName(): string {
    return `__Host-sb-${this.deps.secrets.mac('console cookie').toString('hex').slice(0, 8)}`;
  }

  /** A text that a browser may carry, but neither read nor change. */
  sealed(text: string): string {
    return this.deps.secrets.seal(text);
  }

  /** Null: it was sealed elsewhere. */
  opened(sealed: string): string | null {
    try {
      return this.deps.secrets.open(sealed);
    } catch (error) {
      if (error instanceof AppError) return null;
      throw error;
    }
  }

  /**
   * Signs in with a key.
   * @param browser its User-Agent header
   * @returns the cookie's value
   * @throws AppError UNAUTHORIZED
   */
  async open(key: string, browser?: string): Promise<string> {
    const caller = await this.deps.keys.authenticate(key);
    if (!caller) throw new AppError('UNAUTHORIZED', 'This key is not valid.', { hint: '`signalbox keys create` makes one.' });
    return await this.begin(caller, { means: 'key', browser });
  }

  /**
   * Signs in somebody whom the issuer has confirmed.
   * @returns the cookie's value
   */
  async openFor(caller: Caller, tokens: PersonTokens, browser?: string): Promise<string> {
    return await this.begin(caller, { means: 'issuer', browser, tokens });
  }

  private async begin(caller: Caller, how: Omit<Beginning, 'kind' | 'secret' | 'seconds'>): Promise<string> {
    const secret = newCookie();
    const { tenant } = caller;
    await asTenant(tenant, () =>
      this.db.transaction(async (query) => {
        await this.insert(query, caller, { ...how, kind: 'session', secret, seconds: idleSeconds });
        await endOldest(query, tenant, lineOf(caller));
      }),
    );
    return secret;
  }

  /** A code with which a browser signs in once. A key has one: an earlier one is void. */
  async code(caller: Caller): Promise<{ code: string; expires_in: number }> {
    const code = newCookie();
    await asTenant(caller.tenant, () =>
      this.db.transaction(async (query) => {
        await query(`delete from console_sessions where tenant_id = $1 and line = $2 and kind = 'code'`, [caller.tenant, lineOf(caller)]);
        await this.insert(query, caller, { kind: 'code', means: 'code', secret: code, seconds: codeSeconds });
      }),
    );
    return { code, expires_in: codeSeconds };
  }

  /**
   * Signs in with a code; the code is void afterwards.
   * @returns the cookie's value
   * @throws AppError UNAUTHORIZED
   */
  async redeem(code: string, browser?: string): Promise<string> {
    const secret = newCookie();
    const row = await this.rowOf(code);
    const redeemed =
      row?.kind === 'code' &&
      (await asTenant(row.tenant_id, () =>
        this.db.transaction(async (query) => {
          const found = await query(
            `update console_sessions set kind = 'session', hash = $3, created_at = now(), last_seen_at = now(), browser = $5,
               ends_at = least(now() + make_interval(secs => $4), latest_at)
             where tenant_id = $1 and id = $2 and kind = 'code' and ends_at > now() returning 1`,
            [row.tenant_id, row.id, hashOf(secret), idleSeconds, browserOf(browser)],
          );
          await endOldest(query, row.tenant_id, row.line);
          return found;
        }),
      ));
    if (redeemed && redeemed.length > 0) return secret;
    throw new AppError('UNAUTHORIZED', 'This code was used already, is older than a minute, or there is a newer one.', {
      hint: 'Run `signalbox console` again, or sign in with a key.',
    });
  }

  /**
   * The caller for whom a cookie stands, as the key is now; null: it ended, its key did, or the issuer no longer
   * knows the person.
   * @throws AppError SERVICE_UNAVAILABLE when the issuer has not answered for too long
   */
  async known(secret: string): Promise<Known | null> {
    const kept = this.cache.get(secret);
    if (kept && kept.until > Date.now()) return kept.known;
    this.cache.delete(secret);
    const row = await this.rowOf(secret);
    if (row?.kind !== 'session' || !(await this.deps.checks.passes(row))) return null;
    const caller = await this.deps.keys.callerOf(row.tenant_id, row.key_id, row.principal);
    if (!caller) return null;
    this.deps.keys.used(caller);
    const endsAt = await this.seen(row);
    const known = {
      caller: { ...caller, ...limits, consoleSession: row.id },
      endsAt,
    };
    if (this.cache.size > 5_000) this.cache.clear();
    this.cache.set(secret, { known, until: Math.min(Date.now() + trustFor, endsAt.getTime()) });
    return known;
  }

  /** Looks sessions up anew: a key may have ended. */
  forget(): void {
    this.cache.clear();
  }

  /**
   * Ends a session; one that has ended already stays so.
   * @param returnTo where the issuer sends the browser after it has signed out there
   * @returns the issuer's address for signing out there, too; null: there is none
   */
  async end(secret: string, returnTo?: string): Promise<string | null> {
    this.cache.delete(secret);
    const row = await this.rowOf(secret);
    if (!row) return null;
    await asTenant(row.tenant_id, () =>
      this.db.query('delete from console_sessions where tenant_id = $1 and id = $2', [row.tenant_id, row.id]),
    );
    if (row.tokens === null || returnTo === undefined) return null;
    return await this.deps.people.signOut(JSON.parse(this.deps.secrets.open(row.tokens)) as PersonTokens, returnTo);
  }

  /** @returns how many have been deleted */
  async sweep(tenant: string): Promise<number> {
    return (await this.db.query('delete from console_sessions where tenant_id = $1 and ends_at < now() returning 1', [tenant])).length;
  }

  private async rowOf(secret: string): Promise<SessionRow | null> {
    if (!isCookie(secret)) return null;
    const [row] = await this.db.query<SessionRow>('select * from find_console_session($1)', [hashOf(secret)]);
    return row ?? null;
  }

  /** Moves the end of a session in use. */
  private async seen({ tenant_id: tenant, id, last_seen_at, ends_at }: SessionRow): Promise<Date> {
    if (Date.now() - last_seen_at.getTime() < seenEvery) return ends_at;
    const [row] = await asTenant(tenant, () =>
      this.db.query<{ ends_at: Date }>(
        `update console_sessions set last_seen_at = now(),
           ends_at = least(now() + make_interval(secs => $3), latest_at)
         where tenant_id = $1 and id = $2 returning ends_at`,
        [tenant, id, idleSeconds],
      ),
    );
    return row?.ends_at ?? ends_at;
  }

  private async insert(
    query: Database['query'],
    caller: Caller,
    { kind, means, secret, seconds, browser, tokens }: Beginning,
  ): Promise<void> {
    // Without a refresh token, the issuer cannot be asked whether the person still has access.
    const checked = tokens !== undefined && tokens.refresh !== null;
    const most = checked || !caller.keyId.startsWith(`${tokenIdPrefix}_`) ? mostSeconds : uncheckedSeconds;
    await query(
      `insert into console_sessions (tenant_id, id, kind, hash, key_id, line, principal, means, browser, tokens, latest_at, ends_at, checked_at, check_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + make_interval(secs => $11), now() + make_interval(secs => least($11, $12)),
         case when $13 then now() end, case when $13 then now() + make_interval(secs => $14) end)`,
      [
        caller.tenant,
        newId('con'),
        kind,
        hashOf(secret),
        caller.keyId,
        lineOf(caller),
        caller.principal,
        means,
        browserOf(browser),
        tokens === undefined ? null : this.deps.secrets.seal(JSON.stringify(tokens)),
        most,
        seconds,
        checked,
        this.deps.people.recheckSeconds,
      ],
    );
  }
}

interface Beginning {
  kind: 'code' | 'session';
  means: 'key' | 'code' | 'issuer';
  secret: string;
  seconds: number;
  browser?: string | undefined;
  tokens?: PersonTokens;
}

/** Of a key and its replacements; the newest stay. */
const endOldest = (query: Database['query'], tenant: string, line: string) =>
  query(
    `delete from console_sessions where tenant_id = $1 and id in (select id from console_sessions
       where tenant_id = $1 and line = $2 and kind = 'session' order by created_at desc, id offset $3)`,
    [tenant, line, mostOpen],
  );

const engines: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const systems: [RegExp, string][] = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X/, 'macOS'],
  [/Linux|X11/, 'Linux'],
];

/** `Firefox on Linux`: enough for its owner to recognise it. The full text of the header would tell more than is needed. */
function browserOf(userAgent: string | undefined): string | null {
  if (userAgent === undefined) return null;
  const [engine, system] = [engines, systems].map((list) => list.find(([pattern]) => pattern.test(userAgent))?.[1]);
  return [engine ?? 'Another browser', ...(system ? [`on ${system}`] : [])].join(' ');
}

const newCookie = (): string => randomBytes(32).toString('base64url');
const isCookie = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);
const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
