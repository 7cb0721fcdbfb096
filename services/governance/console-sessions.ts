import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { lineOf, type Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { newId } from '../../contracts/ids.ts';
import type { Columns } from '../../prisma/rows.ts';
import { Service } from '../kernel/service.ts';
import type { Keys } from './keys.ts';

/** How long a session lasts without a request, and at most, in seconds. */
export const idleSeconds = 12 * 3600;
const mostSeconds = 7 * 24 * 3600;
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
      'tenant_id' | 'id' | 'kind' | 'key_id' | 'line' | 'principal' | 'created_at' | 'last_seen_at' | 'ends_at'
    > {}

interface Known {
  caller: Caller;
  endsAt: Date;
}

/** Signed-in browsers: a cookie of 256 random bits, stored as a hash, that stands for a key. */
export class ConsoleSessions extends Service<'secrets', { keys: Keys }> {
  private readonly cache = new Map<string, { known: Known; until: number }>();

  /** Cookies ignore ports: two installations on one machine need different names. */
  get cookieName(): string {
    return `__Host-sb-${this.deps.secrets.mac('console cookie').toString('hex').slice(0, 8)}`;
  }

  /**
   * Signs in with a key.
   * @returns the cookie's value
   * @throws AppError UNAUTHORIZED
   */
  async open(key: string): Promise<string> {
    const caller = await this.deps.keys.authenticate(key);
    if (!caller) throw new AppError('UNAUTHORIZED', 'This key is not valid.', { hint: '`signalbox keys create` makes one.' });
    const secret = newCookie();
    const { tenant } = caller;
    await asTenant(tenant, () =>
      this.db.transaction(async (query) => {
        await insert(query, caller, 'session', secret, idleSeconds);
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
        await insert(query, caller, 'code', code, codeSeconds);
      }),
    );
    return { code, expires_in: codeSeconds };
  }

  /**
   * Signs in with a code; the code is void afterwards.
   * @returns the cookie's value
   * @throws AppError UNAUTHORIZED
   */
  async redeem(code: string): Promise<string> {
    const secret = newCookie();
    const row = await this.rowOf(code);
    const redeemed =
      row?.kind === 'code' &&
      (await asTenant(row.tenant_id, () =>
        this.db.transaction(async (query) => {
          const found = await query(
            `update console_sessions set kind = 'session', hash = $3, created_at = now(), last_seen_at = now(),
               ends_at = now() + make_interval(secs => $4)
             where tenant_id = $1 and id = $2 and kind = 'code' and ends_at > now() returning 1`,
            [row.tenant_id, row.id, hashOf(secret), idleSeconds],
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

  /** The caller for whom a cookie stands, as the key is now; null: it ended, or its key did. */
  async known(secret: string): Promise<Known | null> {
    const kept = this.cache.get(secret);
    if (kept && kept.until > Date.now()) return kept.known;
    this.cache.delete(secret);
    const row = await this.rowOf(secret);
    if (row?.kind !== 'session') return null;
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

  /** Ends a session; one that has ended already stays so. */
  async end(secret: string): Promise<void> {
    this.cache.delete(secret);
    const row = await this.rowOf(secret);
    if (row)
      await asTenant(row.tenant_id, () =>
        this.db.query('delete from console_sessions where tenant_id = $1 and id = $2', [row.tenant_id, row.id]),
      );
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
           ends_at = least(now() + make_interval(secs => $3), created_at + make_interval(secs => $4))
         where tenant_id = $1 and id = $2 returning ends_at`,
        [tenant, id, idleSeconds, mostSeconds],
      ),
    );
    return row?.ends_at ?? ends_at;
  }
}

const insert = (query: Database['query'], caller: Caller, kind: 'code' | 'session', secret: string, seconds: number) =>
  query(
    `insert into console_sessions (tenant_id, id, kind, hash, key_id, line, principal, ends_at)
     values ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8))`,
    [caller.tenant, newId('con'), kind, hashOf(secret), caller.keyId, lineOf(caller), caller.principal, seconds],
  );

/** Of a key and its replacements; the newest stay. */
const endOldest = (query: Database['query'], tenant: string, line: string) =>
  query(
    `delete from console_sessions where tenant_id = $1 and id in (select id from console_sessions
       where tenant_id = $1 and line = $2 and kind = 'session' order by created_at desc, id offset $3)`,
    [tenant, line, mostOpen],
  );

const newCookie = (): string => randomBytes(32).toString('base64url');
const isCookie = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);
const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
