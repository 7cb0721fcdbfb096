import { hasScope, lineOf, type Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { newId } from '../../contracts/ids.ts';
import { Service } from '../kernel/service.ts';
import type { Keys } from './keys.ts';

/** The longest that an agent works at a stretch, in ms. */
const longest = 24 * 3_600_000;
/** How long the keys of ended runs are kept, in days. */
const keepDays = 7;

/**
 * What the agent of a run may do: read, search, comment, remember, keep artifacts and steps. Nothing of it moves a task:
 * that is for whoever holds the lease.
 */
const scopes = [
  'work:read',
  'work:comment',
  'memory:read',
  'memory:write',
  'knowledge:read',
  'index:read',
  'graph:read',
  'substrate:read',
  'substrate:write',
  'run:read',
  'run:write',
  'claim:read',
  'schema:read',
  'agent:read',
  'authoring:read',
  'opportunity:read',
  'feed:read',
];

export interface RunKey {
  key_id: string;
  api_key: string;
  expires_at: string;
}

/** Keys for agents that a runner starts. They work only while their run does (`Policies`). */
export class RunKeys extends Service<never, { keys: Keys }> {
  /** Makes the key of a run, with no more rights than the caller's, and revokes the former one. */
  async make(caller: Caller, run: { id: string; agent: string }): Promise<RunKey> {
    const { tenant } = caller;
    const own = await this.deps.keys.endOf(tenant, caller.keyId);
    const expiresAt = new Date(Math.min(Date.now() + longest, own?.getTime() ?? Infinity));
    const keyId = newId('key');
    const former = await this.takeOver(tenant, run.id, keyId);
    const key = await this.deps.keys.create(
      {
        tenant,
        role: 'agent',
        kind: 'agent',
        name: `${run.agent}/${run.id}`,
        scopes: scopesFor(caller),
        profile: 'worker',
        policy: caller.policy,
        capabilities: caller.capabilities,
        ...(caller.team === null ? {} : { team: caller.team }),
        ...(caller.rateRpm === null ? {} : { rpm: caller.rateRpm }),
        ...(caller.rateBurst === null ? {} : { burst: caller.rateBurst }),
        expiresAt,
        runId: run.id,
      },
      { name: caller.principal, line: lineOf(caller), keyId },
    );
    if (former !== null) await this.revoke(caller, former);
    return { key_id: key.key_id, api_key: key.api_key, expires_at: expiresAt.toISOString() };
  }

  /** Revokes the key of a run that has ended. */
  async end(caller: Caller, runId: string): Promise<void> {
    const former = await this.takeOver(caller.tenant, runId, null);
    if (former !== null) await this.revoke(caller, former);
  }

  /** Deletes the keys of runs that ended long ago: each run leaves one behind. @returns how many */
  async sweep(tenant: string): Promise<number> {
    const rows = await this.db.query(
      `delete from api_keys where tenant_id = $1 and run_id is not null and coalesce(revoked_at, expires_at) < now() - make_interval(days => $2)
       returning 1`,
      [tenant, keepDays],
    );
    return rows.length;
  }

  /** @returns the key that the run had */
  private async takeOver(tenant: string, runId: string, keyId: string | null): Promise<string | null> {
    const [row] = await this.db.query<{ key_id: string | null }>(
      `with former as (select key_id from work_runs where tenant_id = $1 and id = $2 for update)
       update work_runs r set key_id = $3 from former where r.tenant_id = $1 and r.id = $2 returning former.key_id`,
      [tenant, runId, keyId],
    );
    return row?.key_id ?? null;
  }

  private async revoke(caller: Caller, id: string): Promise<void> {
    await this.deps.keys.revoke(caller.tenant, id, { name: caller.principal }).catch((error: unknown) => {
      // Whoever noted it has not made it yet, or was killed before: it ends with the run.
      if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error;
    });
  }
}

/** @throws AppError FORBIDDEN: the caller's own key allows none of it */
function scopesFor(caller: Caller): string[] {
  const given = caller.scopes;
  const may = (scope: string): boolean =>
    given.length === 0 || hasScope(given, scope) || (scope === 'work:comment' && hasScope(given, 'work:write'));
  const allowed = scopes.filter(may);
  if (allowed.length > 0) return allowed;
  throw new AppError('FORBIDDEN', 'Your key allows nothing that the agent of a run may do.', {
    hint: 'Pass with_key false, or use a key with the scope work:read.',
  });
}
