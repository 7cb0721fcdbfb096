/** Who is calling. Everything in here comes from the key alone, except that a request may name its worker. */
export interface Caller {
  tenant: string;
  keyId: string;
  keyName: string;
  /** The worker on whose behalf the call is made: the key's own agent, or the one named by `X-Agent-Id`. */
  principal: string;
  principalKind: PrincipalKind;
  role: Role;
  /** Empty: everything the role allows. */
  scopes: string[];
  profile: string | null;
  policy: string;
  /** Calls per minute and tolerated burst of this key; null: the default of its profile. */
  rateRpm: number | null;
  rateBurst: number | null;
}

export const principalKinds = ['human', 'agent'] as const;
export type PrincipalKind = (typeof principalKinds)[number];

export const roles = ['admin', 'pm', 'pm_leader', 'new_pm', 'stakeholder', 'agent', 'readonly'] as const;
export type Role = (typeof roles)[number];

/** Where a call came in; stands in the ledger. */
export type Front = 'mcp' | 'rest' | 'execute' | 'sse' | 'stdio' | 'a2a' | 'workflow';

export const isPerson = (caller: Caller): boolean => caller.principalKind === 'human';
