import {
  hasScope,
  lineOf,
  localCaller,
  mayDecide,
  scopesOf,
  type Caller,
  type Front,
  type PrincipalKind,
  type Role,
} from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import type { Policy, PolicyDefinition } from '../../contracts/governance/policy.ts';
import { mostReplayed, type ImaginedCaller, type WhatIf } from '../../contracts/governance/what-if.ts';
import { Service } from '../kernel/service.ts';
import { callerOf, type KeyRow } from './key-records.ts';
import { asSession, compiled, narrowed, type Policies } from './policies.ts';
import { checked } from './policy-rules.ts';

/** Undecided approvals that are told. */
const mostApprovals = 100;

/** Calls that look alike to every rule, and their caller as it would be judged now. */
export interface PastCalls {
  tool: string;
  front: Front;
  principal: string;
  role: string;
  calls: number;
  lastAt: Date;
  /** The newest, at most five. */
  ids: string[];
  /** The caller under the policy as saved, and as drafted; null: it cannot be known any longer. */
  before: Caller | null;
  after: Caller | null;
  /** The session in which it was called is no longer kept. */
  sessionGone: boolean;
}

interface Group extends Record<string, unknown> {
  tool: string;
  front: Front;
  key_id: string;
  principal: string;
  principal_kind: PrincipalKind;
  persona: string;
  session_id: string | null;
  policy: string;
  n: number;
  last_at: Date;
  ids: string[];
}

type Session = { id: string; mounts: string[] | null; tools: string[]; policy: string | null };

/** What a policy that is not saved yet would do: to imagined callers, and to the calls of the last days. */
export class WhatIfs extends Service<never, { policies: Policies }> {
  /**
   * A policy as saved, and as drafted.
   * @throws AppError VALIDATION_ERROR with the rule's location
   */
  async policies(
    tenant: string,
    name: string,
    draft: PolicyDefinition | undefined,
  ): Promise<{ saved: Policy; drafted: Policy; version: number }> {
    const latest = await this.deps.policies.latest(tenant, name);
    const saved = compiled(latest);
    if (!draft) return { saved, drafted: saved, version: latest.version };
    return { saved, drafted: compiled({ name, version: latest.version + 1, definition: checked(draft) }), version: latest.version };
  }

  /** This caller under a policy, without a session. */
  async under(caller: Caller, policy: Policy): Promise<Caller> {
    return { ...caller, access: { policy, ...(await this.deps.policies.rightsOf(caller)), session: null } };
  }

  /** Approvals that wait under a policy; of others only for whoever may decide. */
  async invalidated(caller: Caller, name: string): Promise<WhatIf['invalidated']> {
    const rows = await this.db.query<{ id: string; tool: string; principal: string }>(
      `select id, tool, principal from approvals a where tenant_id = $1 and status = 'pending' and expires_at > now()
         and (policy = $2 or exists (select from work_sessions s where s.tenant_id = $1 and s.id = a.session_id and s.policy = $2))
         and ($3::text is null or line = $3) order by created_at desc, id desc limit $4`,
      [caller.tenant, name, mayDecide(caller) ? null : lineOf(caller), mostApprovals + 1],
    );
    const approvals = rows.slice(0, mostApprovals).map(({ id, tool, principal }) => ({ approval_id: id, tool, requested_by: principal }));
    return { count: rows.length, approvals };
  }

  /**
   * Calls of the last days that were judged under this policy, grouped by what rules can see of them.
   * @throws AppError FORBIDDEN without the right to read the ledger
   */
  async past(
    caller: Caller,
    days: number,
    { saved, drafted }: { saved: Policy; drafted: Policy },
  ): Promise<{ lookedAt: number; more: boolean; groups: PastCalls[] }> {
    if (caller.scopes.length > 0 && !hasScope(caller.scopes, 'ledger:read')) {
      throw new AppError('FORBIDDEN', 'Past calls are in the ledger, which your key may not read.', {
        hint: 'It needs the scope ledger:read. Without replay_days the answer has the verdicts only.',
      });
    }
    const { tenant } = caller;
    const all = await this.groups(tenant, days);
    const lookedAt = all.reduce((sum, { n }) => sum + n, 0);
    const sessions = await this.sessions(tenant, all);
    const mine = all.filter(
      ({ policy, session_id }) => policy === saved.name || (session_id !== null && sessions.get(session_id)?.policy === saved.name),
    );
    const keys = await this.keys(tenant, mine);
    const others = new Map<string, Policy>();
    for (const name of new Set(mine.flatMap(({ policy, session_id }) => [policy, session_id ? sessions.get(session_id)?.policy : null]))) {
      if (name && name !== saved.name) others.set(name, compiled(await this.deps.policies.latest(tenant, name)));
    }
    const groups = mine.map((group): PastCalls => {
      const { tool, front, principal, persona, n, last_at, ids, key_id, session_id } = group;
      const key = keys.get(key_id);
      const session = session_id === null ? undefined : sessions.get(session_id);
      const as = (policy: Policy): Caller | null => {
        if (!key) return null;
        const named = (name: string): Policy => (name === policy.name ? policy : others.get(name)!);
        const narrower = session?.policy && session.policy !== group.policy ? named(session.policy) : null;
        return {
          ...key,
          principal,
          principalKind: group.principal_kind,
          role: persona as Role,
          access: { ...key.access, policy: narrowed(named(group.policy), narrower), session: session ? asSession(session) : null },
        };
      };
      const sessionGone = session_id !== null && !session;
      return { tool, front, principal, role: persona, calls: n, lastAt: last_at, ids, before: as(saved), after: as(drafted), sessionGone };
    });
    return { lookedAt, more: lookedAt >= mostReplayed, groups };
  }

  /** Ended calls, but not those that ran because a person had approved them: their question is counted. */
  private async groups(tenant: string, days: number): Promise<Group[]> {
    return await this.db.query<Group>(
      `with recent as (
         select id, tool, front, key_id, principal, principal_kind, persona, session_id, split_part(policy, '@', 1) as policy, tool_call_id, at
         from ledger_events where tenant_id = $1 and at >= now() - make_interval(days => $2)
           and type in ('tool.call.completed', 'tool.call.failed') and approval_id is null and policy is not null
         order by at desc, id desc limit $3)
       select tool, front, key_id, principal, principal_kind, persona, session_id, policy, count(*)::int as n, max(at) as last_at,
         (array_agg(tool_call_id order by id desc))[1:5] as ids
       from recent group by tool, front, key_id, principal, principal_kind, persona, session_id, policy`,
      [tenant, days, mostReplayed],
    );
  }

  private async sessions(tenant: string, groups: Group[]): Promise<Map<string, Session>> {
    const ids = [...new Set(groups.flatMap(({ session_id }) => session_id ?? []))];
    if (ids.length === 0) return new Map();
    const rows = await this.db.query<Session>('select id, mounts, tools, policy from work_sessions where tenant_id = $1 and id = any($2)', [
      tenant,
      ids,
    ]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** The callers' keys as they are now, with their rights. */
  private async keys(tenant: string, groups: Group[]): Promise<Map<string, Caller & { access: NonNullable<Caller['access']> }>> {
    const ids = [...new Set(groups.map(({ key_id }) => key_id))];
    const rows = await this.db.query<KeyRow>('select * from api_keys where tenant_id = $1 and id = any($2)', [tenant, ids]);
    const local = ids.includes(localCaller.keyId) ? [{ ...localCaller, tenant }] : [];
    const callers = [...rows.map(callerOf), ...local];
    const blank = { name: '', version: '0', level: 'standard' as const, fourEyes: false, rules: [] };
    return new Map(
      await Promise.all(
        callers.map(async (one) => {
          const access = { policy: blank, ...(await this.deps.policies.rightsOf(one)), session: null };
          return [one.keyId, { ...one, access }] as const;
        }),
      ),
    );
  }

  /** The caller that somebody imagines: no key of it exists. */
  imagined(caller: Caller, as: ImaginedCaller | undefined): Caller {
    if (!as) return caller;
    const { role, kind = role === 'agent' ? 'agent' : 'human', name = 'somebody', team = null, capabilities } = as;
    const scopes = scopesOf(role, as.scopes);
    const who = { keyId: '', keyName: name, principal: name, principalKind: kind, role, scopes, capabilities, team };
    return { ...localCaller, tenant: caller.tenant, ...who };
  }
}
