import type { Access } from './governance/policy.ts';

/** Who is calling. Everything in here comes from the key alone, except that a request may name its worker. */
export interface Caller {
  tenant: string;
  keyId: string;
  /** The first of the keys that replaced one another, this one the last; absent: this one is the first. */
  line?: string;
  keyName: string;
  /** The worker on whose behalf the call is made: the key's own agent, or the one named by `X-Agent-Id`. */
  principal: string;
  /**
   * The worker's own name: as the call gives it, or made of its MCP session. Absent: the principal. Leases are held
   * under it; records go by the principal.
   */
  worker?: string;
  /** The MCP session of the call, as a hash. */
  mcpSession?: string;
  principalKind: PrincipalKind;
  role: Role;
  /** Empty: everything the role allows. */
  scopes: string[];
  profile: string | null;
  policy: string;
  /** Calls per minute and tolerated burst of this key; null: the default of its profile. */
  rateRpm: number | null;
  rateBurst: number | null;
  /** What the key declares, e.g. `cap:index`; empty: its role and scopes decide alone. */
  capabilities: string[];
  /** The stakeholder team whose scope holds for every read. */
  team: string | null;
  /** Policy, capabilities and session as they hold for this call; the front ends fill it in. */
  access?: Access;
}

export const principalKinds = ['human', 'agent'] as const;
export type PrincipalKind = (typeof principalKinds)[number];

export const roles = ['admin', 'pm', 'pm_leader', 'new_pm', 'stakeholder', 'agent', 'readonly'] as const;
export type Role = (typeof roles)[number];

/** Where a call came in; stands in the ledger. */
export type Front = 'mcp' | 'rest' | 'execute' | 'sse' | 'stdio' | 'a2a' | 'workflow';

/** Whose things they are: what a key has begun belongs to the key in its place too. */
export const lineOf = ({ line, keyId }: Pick<Caller, 'line' | 'keyId'>): string => line ?? keyId;

/** Under which name the caller claims. */
export const workerOf = ({ worker, principal }: Pick<Caller, 'worker' | 'principal'>): string => worker ?? principal;

export const isPerson = (caller: Caller): boolean => caller.principalKind === 'human';

/** These roles may not change anything, whatever their scopes say. */
export const readOnlyRoles: ReadonlySet<string> = new Set(['readonly', 'stakeholder', 'new_pm']);

const deciders: ReadonlySet<string> = new Set(['pm', 'pm_leader', 'admin']);

/**
 * Whether the caller may decide about what others began: a person, not of a team that is shown a part only, nor
 * with a key that is for something else.
 */
export const mayDecide = (caller: Caller): boolean =>
  isPerson(caller) &&
  deciders.has(caller.role) &&
  caller.team === null &&
  (caller.scopes.length === 0 || hasScope(caller.scopes, 'approval:decide')) &&
  (caller.access?.covers?.('approval.request.approve', 'write') ?? true);

/** `work:*` and `*` stand for what they begin. */
export const hasScope = (scopes: readonly string[], wanted: string): boolean =>
  scopes.some((scope) => scope === wanted || scope === '*' || (scope.endsWith(':*') && wanted.startsWith(scope.slice(0, -1))));

/** Who calls where no key is asked for (AUTH_MODE=local). */
export const localCaller: Caller = {
  tenant: 'default',
  keyId: 'local',
  keyName: 'local',
  principal: 'local',
  principalKind: 'human',
  role: 'admin',
  scopes: [],
  profile: null,
  policy: 'standard',
  rateRpm: null,
  rateBurst: null,
  capabilities: [],
  team: null,
};
