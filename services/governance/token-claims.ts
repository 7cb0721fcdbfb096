import type { JWTPayload } from 'jose';
import { roles, type PrincipalKind, type Role } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import type { OidcSettings } from '../../contracts/governance/oidc.ts';

/** The identity in a token, in this platform's terms. */
export interface Identity {
  subject: string;
  /** The application that holds the token. */
  client: string;
  name: string;
  tenant: string;
  role: Role;
  kind: PrincipalKind;
  scopes: string[];
  capabilities: string[];
  team: string | null;
}

const scopeShape = /^[a-z][a-z_]*:[a-z*]+$/;
/** Empty scopes would allow everything of the role; this one allows no tool that needs a scope. */
export const nothing = ['none:none'];

/**
 * Parses the claims of a verified token. A missing claim grants nothing.
 * @param person who holds the token is a person, and the scopes in it are not those of a program
 * @throws AppError FORBIDDEN when no tenant is named
 */
export function identityOf(claims: JWTPayload, settings: OidcSettings, person = isPersons(claims, settings)): Identity {
  const subject = claims.sub ?? '';
  const client = text(claims['client_id']) ?? text(claims['azp']) ?? '';
  const tenant = text(claim(claims, settings.tenantClaim)) ?? settings.defaultTenant;
  if (tenant === null) {
    throw new AppError('FORBIDDEN', `The access token names no tenant: it has no claim "${settings.tenantClaim}".`, {
      hint: 'Let the issuer add it, name another claim by OIDC_TENANT_CLAIM, or one tenant for all by OIDC_TENANT.',
    });
  }
  const groups = words(claim(claims, settings.groupsClaim));
  const given = [...words(claim(claims, settings.roleClaim)), ...groups.flatMap((group) => mapped(settings.groupRoles, group) ?? [])];
  // Of several roles, the first in our own order counts.
  const role = roles.find((one) => given.includes(one));
  const carried = claims['scope'] ?? claims['scp'];
  const own = words(carried).filter((scope) => scopeShape.test(scope));
  return {
    subject,
    client,
    name: nameOf(text(claims['preferred_username']) ?? (person ? (text(claims['email']) ?? subject) : client || subject)),
    tenant,
    role: role ?? settings.defaultRole,
    kind: person || text(claim(claims, settings.kindClaim)) === 'human' ? 'human' : 'agent',
    scopes: own.length > 0 ? own : (carried === undefined || person) && role !== undefined ? [] : defaultScopes(settings),
    capabilities: words(claim(claims, settings.capabilitiesClaim)),
    team:
      text(claim(claims, settings.teamClaim)) ??
      groups.map((group) => mapped(settings.groupTeams, group)).find((team) => team !== undefined) ??
      null,
  };
}

/**
 * Somebody who has signed in, from the claims of the issuer about them.
 * @throws AppError FORBIDDEN when no tenant is named, or nothing is granted
 */
export function personOf(claims: JWTPayload, clientId: string, settings: OidcSettings): Identity {
  const identity = identityOf({ ...claims, client_id: clientId, scope: undefined, scp: undefined }, settings, true);
  const [only, ...others] = identity.scopes;
  if (only !== nothing[0] || others.length > 0) return identity;
  throw new AppError('FORBIDDEN', `${identity.name} has signed in, but has no role here.`, {
    hint: `An administrator adds you to a group that OIDC_GROUP_ROLES names (claim "${settings.groupsClaim}"), or lets the issuer send the claim "${settings.roleClaim}".`,
    details: { rule: 'role' },
  });
}

/** The command line's client is public: it gets tokens of people only. */
const isPersons = (claims: JWTPayload, { cliClientId }: OidcSettings): boolean =>
  cliClientId !== null && (text(claims['client_id']) ?? text(claims['azp'])) === cliClientId && claims.sub !== cliClientId;

const mapped = <T>(table: Record<string, T>, group: string): T | undefined => (Object.hasOwn(table, group) ? table[group] : undefined);

function defaultScopes({ defaultScopes: scopes }: OidcSettings): string[] {
  if (scopes.includes('*')) return [];
  return scopes.length > 0 ? scopes : nothing;
}

/** By its name, which may be a URL with dots, else by its path: `realm_access.roles`. */
function claim(claims: JWTPayload, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        value !== null && typeof value === 'object' && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined,
      claims,
    );
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** A string of words, or a list. */
const words = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : (text(value)?.split(/\s+/).filter(Boolean) ?? []);

/** Same characters as worker names (X-Agent-Id). */
const nameOf = (given: string): string =>
  given
    .replaceAll(/[^A-Za-z0-9._:@/-]/g, '_')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 128) || 'token';
