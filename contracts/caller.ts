import type { Access } from './governance/policy.ts';

/** The caller. All fields come from the key, except that a request may name its worker. */
export interface Caller {
  tenant: string;
  keyId: string;
  /** The first key of this key's rotation chain. Absent: this key is the first. */
  line?: string;
  keyName: string;
  /** The worker on whose behalf the call is made: the key's own agent, or the one named by `X-Agent-Id`. */
  principal: string;
  /**
   * The worker's own name: as given by the call, or derived from its MCP session. Absent: the principal. Leases use
   * the worker's name; records use the principal.
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
  /** Capabilities that the key declares, e.g. `cap:index`. Empty: its role and scopes decide. */
  capabilities: string[];
  /** The stakeholder team whose scope applies to every read. */
  team: string | null;
  /** The run of an agent for which the key was made: it works as long as the run does. */
  run?: string;
  /** Policy, capabilities and session of this call; set by the front ends. */
  access?: Access;
  /** The console's session that makes the call: calls and streams are counted for it, not for its key. */
  consoleSession?: string;
}

export const principalKinds = ['human', 'agent'] as const;
export type PrincipalKind = (typeof principalKinds)[number];

export const roles = ['admin', 'pm', 'pm_leader', 'operator', 'new_pm', 'stakeholder', 'agent', 'readonly'] as const;
export type Role = (typeof roles)[number];

/** The front end that received the call; recorded in the ledger. link: the page of a link in an alert. */
export const fronts = ['mcp', 'rest', 'execute', 'sse', 'stdio', 'a2a', 'console', 'workflow', 'link'] as const;
export type Front = (typeof fronts)[number];

/** The owner of what a key has begun: a key and its replacements count as one. */
export const lineOf = ({ line, keyId }: Pick<Caller, 'line' | 'keyId'>): string => line ?? keyId;

/** The name under which the caller claims. */
export const workerOf = ({ worker, principal }: Pick<Caller, 'worker' | 'principal'>): string => worker ?? principal;

export const isPerson = (caller: Caller): boolean => caller.principalKind === 'human';

/** Roles that may not change anything, whatever their scopes say. */
export const readOnlyRoles: ReadonlySet<string> = new Set(['readonly', 'stakeholder', 'new_pm']);

const deciders: ReadonlySet<string> = new Set(['pm', 'pm_leader', 'operator', 'admin']);
/** For messages. */
export const decidersNamed = 'operator, pm, pm_leader or admin';

/** Scopes of a role's keys that name none of their own. Other roles: everything the role allows. */
const presets: Partial<Record<Role, readonly string[]>> = {
  // Runs agents and decides what waits; reads evidence and rules, and changes neither.
  operator: [
    'work:*',
    'agent:*',
    'event:*',
    'ingest:*',
    'notification:*',
    'approval:decide',
    ...['ledger', 'policy', 'knowledge', 'index', 'graph', 'memory', 'feed', 'authoring', 'opportunity'].map((area) => `${area}:read`),
    ...['substrate', 'run', 'claim', 'schema', 'connector'].map((area) => `${area}:read`),
    'external:use',
  ],
};

export const scopesOf = (role: Role, given: readonly string[]): string[] => [...(given.length > 0 ? given : (presets[role] ?? []))];

/**
 * Whether the caller may decide about what others began: a person outside stakeholder teams, whose key is not
 * restricted to other scopes.
 */
export const mayDecide = (caller: Caller): boolean =>
  isPerson(caller) &&
  deciders.has(caller.role) &&
  caller.team === null &&
  (caller.scopes.length === 0 || hasScope(caller.scopes, 'approval:decide')) &&
  (caller.access?.covers?.('approval.request.approve', 'write') ?? true);

/** `work:*` and `*` match every scope with that prefix. */
export const hasScope = (scopes: readonly string[], wanted: string): boolean =>
  scopes.some((scope) => scope === wanted || scope === '*' || (scope.endsWith(':*') && wanted.startsWith(scope.slice(0, -1))));

/** Who acts when a process goes on for somebody without her key: an agent with no scopes, for services that check none. */
export const actingFor = (tenant: string, principal: string, keyId: string, keyName = principal): Caller => ({
  tenant,
  keyId,
  keyName,
  principal,
  principalKind: 'agent',
  role: 'agent',
  scopes: [],
  profile: null,
  policy: 'standard',
  rateRpm: null,
  rateBurst: null,
  capabilities: [],
  team: null,
});

/** The caller when no key is required (AUTH_MODE=local). */
export const localCaller: Caller = { ...actingFor('default', 'local', 'local'), principalKind: 'human', role: 'admin' };
