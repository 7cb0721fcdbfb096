import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { lineOf, type Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { hashOf } from '../../contracts/ids.ts';
import { topics } from '../../contracts/notices.ts';
import { notify } from '../kernel/notify.ts';
import { lock } from '../kernel/locks.ts';
import { noteEvent } from '../kernel/outbox.ts';
import { down, keysetPage, matching, type Page, type Paging } from '../kernel/paging.ts';
import { Service } from '../kernel/service.ts';
import { isRunning } from '../work/index.ts';
import { cautious, checked } from './policy-rules.ts';
import { scopeOfTeam } from './stakeholders.ts';
import {
  careLevels,
  type Access,
  type CareLevel,
  type Policy,
  type PolicyDefinition,
  type StakeholderScope,
} from '../../contracts/governance/policy.ts';

/** How long a key's rights are cached, in ms. */
const trustFor = 2_000;
const mostKept = 5_000;

export interface StoredPolicy {
  name: string;
  /** 0: built-in. */
  version: number;
  definition: PolicyDefinition;
  note: string | null;
  created_by: string | null;
  created_at: string | null;
}

type PolicyRow = Omit<StoredPolicy, 'created_at'> & { created_at: Date } & Record<string, unknown>;
const columns = 'name, version, definition, note, created_by, created_at';
const stored = ({ name, version, definition, note, created_by, created_at }: PolicyRow): StoredPolicy => ({
  name,
  version,
  definition,
  note,
  created_by,
  created_at: created_at.toISOString(),
});

/** A level of care that nobody has changed. A key whose policy does not exist must not get more rights. */
const builtInLevel = (name: string): StoredPolicy => {
  const base: CareLevel = careLevels.find((level) => level === name) ?? 'strict';
  return { name, version: 0, definition: { base, rules: [] }, note: null, created_by: null, created_at: null };
};

/** Rights as data: levels of care with a tenant's own rules, and the tools of capabilities. */
export class Policies extends Service {
  private readonly kept = new Map<string, { access: Access; until: number }>();

  /**
   * The current rights of this caller.
   * @param optional an ended session counts as none instead of being refused: without it more is allowed
   * @throws AppError GONE when the session is not open, or belongs to another key; UNAUTHORIZED when the run of the key has
   *   ended
   */
  async accessOf(caller: Caller, sessionId?: string, { optional = false } = {}): Promise<Access> {
    const key = JSON.stringify([caller.tenant, caller.keyId, caller.policy, caller.capabilities, caller.team, sessionId ?? '', optional]);
    const known = this.kept.get(key);
    if (known && known.until > Date.now()) return known.access;
    const access = await asTenant(caller.tenant, () => this.load(caller, sessionId));
    if (sessionId !== undefined && access.session === null && !optional) {
      throw new AppError('GONE', `The session ${sessionId.slice(0, 64)} is over, or is not yours.`, {
        hint: 'system.session.open opens a new one; without a session your key decides alone.',
      });
    }
    if (this.kept.size >= mostKept) this.kept.clear();
    this.kept.set(key, { access, until: Date.now() + trustFor });
    return access;
  }

  private async load(caller: Caller, sessionId: string | undefined): Promise<Access> {
    if (caller.run !== undefined && !(await isRunning(this.db, caller.tenant, caller.run))) {
      throw new AppError('UNAUTHORIZED', 'The run for which this key was made has ended.', {
        hint: 'Stop working: what comes now belongs to no task.',
        details: { reason: 'run_ended', run_id: caller.run },
      });
    }
    const session = sessionId === undefined ? null : await this.session(caller, sessionId);
    const policy = compiled(await this.latest(caller.tenant, caller.policy));
    // A session only narrows: it may be stricter than the key's own policy, never looser.
    const narrower =
      session?.policy && session.policy !== caller.policy ? compiled(await this.latest(caller.tenant, session.policy)) : null;
    return { policy: narrowed(policy, narrower), ...(await this.rightsOf(caller)), session: session && asSession(session) };
  }

  /** Rights of a key beside its policy and session. */
  async rightsOf(caller: Caller): Promise<Pick<Access, 'covers' | 'scope'>> {
    return {
      covers: caller.capabilities.length === 0 ? null : await this.coverage(caller),
      scope: caller.team === null ? null : await this.teamScope(caller.tenant, caller.team),
    };
  }

  private async teamScope(tenant: string, team: string): Promise<StakeholderScope> {
    const none = { team, product_areas: [], entity_types: [], data_freshness: 'realtime' as const, configured: false };
    return (await scopeOfTeam(this.db, tenant, team)) ?? none;
  }

  /** Clears the cache after this process has changed something that rights depend on. */
  forget(): void {
    this.kept.clear();
  }

  private async session(caller: Caller, id: string) {
    const [row] = await this.db.query<{ id: string; mounts: string[] | null; tools: string[]; policy: string | null }>(
      `select id, mounts, tools, policy from work_sessions
       where tenant_id = $1 and id = $2 and key_id = $3 and closed_at is null and expires_at > now()`,
      [caller.tenant, id, lineOf(caller)],
    );
    return row ?? null;
  }

  private async coverage(caller: Caller): Promise<NonNullable<Access['covers']>> {
    const rows = await this.db.query<{ name: string; tools: string[] }>('select name, tools from tool_capabilities where tenant_id = $1', [
      caller.tenant,
    ]);
    const own = new Map(rows.map(({ name, tools }) => [name, tools]));
    const covering = caller.capabilities.map((name) => {
      const tools = own.get(name);
      return tools ? (tool: string) => tools.some((pattern) => fits(pattern, tool)) : builtIn(name);
    });
    return (tool, effect) => covering.some((covers) => covers(tool, effect));
  }

  /** The tenant's own capabilities with their tools. */
  async capabilities(tenant: string): Promise<{ name: string; tools: string[]; description: string }[]> {
    return await this.db.query<{ name: string; tools: string[]; description: string }>(
      'select name, tools, description from tool_capabilities where tenant_id = $1 order by name',
      [tenant],
    );
  }

  /** Defines a capability's tools; without tools it gets back the built-in meaning of its name. */
  async saveCapability(caller: Caller, name: string, tools: string[], description: string): Promise<void> {
    const { tenant, principal } = caller;
    if (tools.length === 0) await this.db.query('delete from tool_capabilities where tenant_id = $1 and name = $2', [tenant, name]);
    else {
      await this.db.query(
        `insert into tool_capabilities (tenant_id, name, tools, description, updated_by) values ($1, $2, $3, $4, $5)
         on conflict (tenant_id, name) do update
           set tools = excluded.tools, description = excluded.description, updated_by = excluded.updated_by, updated_at = now()`,
        [tenant, name, tools, description, principal],
      );
    }
    this.forget();
    await notify((text, values) => this.db.query(text, values), topics.toolRights(tenant));
  }

  /**
   * The newest version of a policy, or the built-in level of that name.
   * @throws AppError NOT_FOUND
   */
  async latest(tenant: string, name: string): Promise<StoredPolicy> {
    const [row] = await this.db.query<PolicyRow>(
      `select ${columns} from policies where tenant_id = $1 and name = $2 order by version desc limit 1`,
      [tenant, name],
    );
    return row ? stored(row) : builtInLevel(name);
  }

  /** The saved versions of a policy, newest first. */
  async history(tenant: string, name: string, paging: Paging): Promise<Page<StoredPolicy>> {
    const list = {
      select: columns,
      from: 'policies',
      ...matching({ 'tenant_id = $': tenant, 'name = $': name }),
      order: [down('version', 'int')],
    };
    return await keysetPage(this.db.query, list, paging, stored);
  }

  async list(tenant: string): Promise<StoredPolicy[]> {
    const rows = await this.db.query<PolicyRow>(
      `select distinct on (name) ${columns} from policies where tenant_id = $1 order by name, version desc`,
      [tenant],
    );
    const saved = new Map(rows.map((row) => [row.name, stored(row)]));
    return [...new Set([...careLevels, ...saved.keys()])].map((name) => saved.get(name) ?? builtInLevel(name));
  }

  /**
   * Saves a new version; older versions stay. An identical one is a no-op.
   * @throws AppError VALIDATION_ERROR with the rule's location
   */
  async save(caller: Caller, name: string, definition: PolicyDefinition, note: string | null): Promise<StoredPolicy> {
    checked(definition);
    const saved = await this.db.transaction(async (query) => {
      await lock(query, `policy/${caller.tenant}/${name}`);
      const [last] = await query<{ version: number; definition: PolicyDefinition }>(
        'select version, definition from policies where tenant_id = $1 and name = $2 order by version desc limit 1',
        [caller.tenant, name],
      );
      if (last && hashOf(last.definition) === hashOf(definition)) return last.version;
      const version = (last?.version ?? 0) + 1;
      await query('insert into policies (tenant_id, name, version, definition, note, created_by) values ($1, $2, $3, $4, $5, $6)', [
        caller.tenant,
        name,
        version,
        JSON.stringify(definition),
        note,
        caller.principal,
      ]);
      await noteEvent(query, caller.tenant, 'policy.saved', name, { policy: name, version, by: caller.principal });
      await notify(query, topics.toolRights(caller.tenant));
      return version;
    });
    this.forget();
    return { ...(await this.latest(caller.tenant, name)), version: saved };
  }
}

const fits = (pattern: string, tool: string): boolean => (pattern.endsWith('*') ? tool.startsWith(pattern.slice(0, -1)) : tool === pattern);

/**
 * `cap:index` covers a domain, `cap:index:read` its reading tools, `cap:index:write` the others; any other name is a
 * tool's.
 */
function builtIn(name: string): NonNullable<Access['covers']> {
  const [, domain, part] = /^cap:([a-z]+)(?::(read|write))?$/.exec(name) ?? [];
  if (!domain) return (tool) => fits(name, tool);
  return (tool, effect) => tool.startsWith(`${domain}.`) && (part === undefined || (part === 'read') === (effect === 'read'));
}

/** The session's policy applies as well as the key's. */
export const narrowed = (policy: Policy, narrower: Policy | null): Policy =>
  narrower
    ? { ...policy, and: narrower, fourEyes: policy.fourEyes || narrower.fourEyes, version: `${policy.version}+${narrower.version}` }
    : policy;

export const asSession = ({ id, mounts, tools }: { id: string; mounts: string[] | null; tools: string[] }): Access['session'] => ({
  id,
  mounts: mounts && new Set(mounts),
  tools,
});

export const compiled = ({
  name,
  version,
  definition: { base, rules, four_eyes: fourEyes = false },
}: Pick<StoredPolicy, 'name' | 'version' | 'definition'>): Policy => ({
  name,
  version: `${version}:${hashOf({ base, rules }).slice(0, 16)}`,
  level: base,
  fourEyes,
  rules: rules.map((rule, i) => ({ ...rule, matches: cautious(rule.when, i, rule.effect !== 'allow') })),
});
