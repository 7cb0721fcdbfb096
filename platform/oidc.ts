import type { OidcSettings } from '../contracts/governance/oidc.ts';
import type { Config } from './config.ts';

/**
 * The issuer whose access tokens are accepted; null: keys only.
 * @throws Error when tokens for other services would be accepted
 */
export function oidcSettings(config: Config): OidcSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_RESOURCE_URL: resource } = config;
  if (issuer === undefined) return null;
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
  };
}
