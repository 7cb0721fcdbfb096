import { setTimeout as sleep } from 'node:timers/promises';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { AppError } from '../../contracts/errors.ts';
import { topics } from '../../contracts/notices.ts';
import type { Columns } from '../../prisma/rows.ts';
import { notify } from '../kernel/notify.ts';
import { Service } from '../kernel/service.ts';
import type { PersonTokens } from './issuer-client.ts';
import type { People } from './people.ts';
import type { Tokens } from './tokens.ts';

/** One process asks the issuer: longer than seven requests of five seconds, discovery and new keys included. */
const leaseSeconds = 40;
/** How soon an issuer that does not answer is asked again, and how long sessions go on meanwhile. */
const retrySeconds = 30;
const graceSeconds = 3_600;
/** How often a request looks whether another process has got the answer, in ms. */
const lookEvery = 100;

type Checked = Columns<'console_sessions', 'tenant_id' | 'id' | 'key_id' | 'tokens' | 'checked_at' | 'check_at'>;

/**
 * Asks the issuer again whether somebody who has signed in still has access. No request passes a check that is due: it
 * asks, or waits for the request that does, in this process or another.
 */
export class SessionChecks extends Service<'secrets', { people: People; tokens: Tokens }> {
  private readonly running = new Map<string, Promise<boolean>>();

  /**
   * @returns false when the session is over
   * @throws AppError SERVICE_UNAVAILABLE when the issuer has not answered for too long
   */
  async passes(row: Checked): Promise<boolean> {
    if (!row.check_at || row.check_at.getTime() > Date.now()) return true;
    const running = this.running.get(row.id) ?? asTenant(row.tenant_id, () => this.check(row)).finally(() => this.running.delete(row.id));
    this.running.set(row.id, running);
    return await running;
  }

  private async check({ tenant_id: tenant, id }: Checked): Promise<boolean> {
    for (;;) {
      const [leased] = await this.db.query<Checked & Record<string, unknown>>(
        `update console_sessions set checking_until = now() + make_interval(secs => $3)
         where tenant_id = $1 and id = $2 and check_at <= now() and (checking_until is null or checking_until < now()) returning *`,
        [tenant, id, leaseSeconds],
      );
      if (leased) return await this.ask(leased);
      const [row] = await this.db.query<{ due: boolean }>(
        'select check_at <= now() as due from console_sessions where tenant_id = $1 and id = $2',
        [tenant, id],
      );
      if (!row?.due) return row !== undefined;
      await sleep(lookEvery);
    }
  }

  private async ask({ tenant_id: tenant, id, key_id, tokens, checked_at }: Checked): Promise<boolean> {
    const { people, secrets, tokens: access } = this.deps;
    try {
      const kept = JSON.parse(secrets.open(tokens!)) as PersonTokens & { refresh: string };
      const confirmed = await people.again(kept);
      if (confirmed.caller.keyId !== key_id) return await this.end(tenant, id);
      await this.db.query(
        `update console_sessions set tokens = $3, checked_at = now(), check_at = now() + make_interval(secs => $4), checking_until = null
         where tenant_id = $1 and id = $2`,
        [tenant, id, secrets.seal(JSON.stringify(confirmed.tokens)), people.recheckSeconds],
      );
      return true;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'FORBIDDEN') await access.holders.lostRights(tenant, key_id);
      if (error.code === 'FORBIDDEN' || error.code === 'UNAUTHORIZED') return await this.end(tenant, id);
      const goesOn = checked_at !== null && Date.now() - checked_at.getTime() < (people.recheckSeconds + graceSeconds) * 1000;
      // If it may not go on, the check stays due, so that the next request does not pass either.
      await this.db.query(
        `update console_sessions set checking_until = null,
           check_at = case when $3 then now() + make_interval(secs => $4) else check_at end where tenant_id = $1 and id = $2`,
        [tenant, id, goesOn, retrySeconds],
      );
      if (goesOn) return true;
      throw error;
    }
  }

  private async end(tenant: string, id: string): Promise<false> {
    await this.db.transaction(async (query) => {
      await query('delete from console_sessions where tenant_id = $1 and id = $2', [tenant, id]);
      await notify(query, topics.keys(tenant));
    });
    return false;
  }
}
