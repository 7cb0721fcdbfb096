import { roles, type Role } from '../contracts/caller.ts';
import type { OidcSettings, SignInSettings } from '../contracts/governance/oidc.ts';
import type { Config } from './config.ts';

/**
 * The issuer whose access tokens are accepted; null: keys only.
 * @throws Error when tokens for other services would be accepted
 */
export function oidcSettings(config: Config): OidcSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_RESOURCE_URL: resource } = config;
  if (issuer === undefined) {
    for (const name of ['OIDC_CLIENT_ID', 'OIDC_CLI_CLIENT_ID'] as const)
      if (config[name] !== undefined) throw new Error(`Bad configuration: ${name} needs OIDC_ISSUER`);
    return null;
  }
  const own = resource?.replace(/\/+$/, '');
  const audience = config.OIDC_AUDIENCE.length > 0 ? config.OIDC_AUDIENCE : own === undefined ? [] : [own, `${own}/`, `${own}/mcp`];
  if (audience.length === 0) {
    throw new Error(
      'Bad configuration: OIDC_ISSUER needs OIDC_AUDIENCE or OIDC_RESOURCE_URL, or tokens meant for others would be accepted',
    );
  }
  return {
    issuer,
    audience,
    tenantClaim: config.OIDC_TENANT_CLAIM,
    defaultTenant: config.OIDC_TENANT ?? null,
    roleClaim: config.OIDC_ROLE_CLAIM,
    defaultRole: config.OIDC_DEFAULT_ROLE,
    kindClaim: config.OIDC_KIND_CLAIM,
    teamClaim: config.OIDC_TEAM_CLAIM,
    capabilitiesClaim: config.OIDC_CAPABILITIES_CLAIM,
    defaultScopes: config.OIDC_SCOPES,
    createTenants: config.OIDC_CREATE_TENANTS,
    groupsClaim: config.OIDC_GROUPS_CLAIM,
    groupRoles: groupRoles(config.OIDC_GROUP_ROLES),
    groupTeams: config.OIDC_GROUP_TEAMS,
    signIn: signInOf(config, issuer),
    cliClientId: config.OIDC_CLI_CLIENT_ID ?? null,
    signInScopes: config.OIDC_SIGN_IN_SCOPES.length > 0 ? config.OIDC_SIGN_IN_SCOPES : null,
  };
}

function signInOf(config: Config, issuer: string): SignInSettings | null {
  if (config.OIDC_CLIENT_ID === undefined) return null;
  return {
    clientId: config.OIDC_CLIENT_ID,
    clientSecret: config.OIDC_CLIENT_SECRET ?? null,
    name: config.OIDC_SIGN_IN_NAME ?? new URL(issuer).host,
    recheckSeconds: config.OIDC_RECHECK_SECONDS,
  };
}

function groupRoles(given: Record<string, string>): Record<string, Role> {
  const wrong = Object.entries(given).find(([, role]) => !(roles as readonly string[]).includes(role));
  if (wrong) throw new Error(`Bad configuration: OIDC_GROUP_ROLES: "${wrong[1]}" is no role. Roles: ${roles.join(', ')}`);
  return given as Record<string, Role>;
}
