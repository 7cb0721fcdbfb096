import type { Caller, Role } from '../caller.ts';

/** The issuer whose access tokens are accepted beside keys, and the meaning of their claims. */
export interface OidcSettings {
  /** Exactly as in the token's `iss`. */
  issuer: string;
  /** `aud` must contain one of these. */
  audience: string[];
  tenantClaim: string;
  /** For tokens without a tenant; null: such tokens are refused. */
  defaultTenant: string | null;
  roleClaim: string;
  defaultRole: Role;
  /** The value `human` marks the caller as a person; all others are agents. */
  kindClaim: string;
  teamClaim: string;
  capabilitiesClaim: string;
  /** For tokens whose scopes contain none of this platform's. Empty: no rights; `*`: what the role allows. */
  defaultScopes: string[];
  createTenants: boolean;
}

/** Prefix of the key ids of token holders. */
export const tokenIdPrefix = 'token';

/** Whether the caller used an access token, and so could get one with more scopes. */
export const byToken = (caller: Pick<Caller, 'keyId'>): boolean => caller.keyId.startsWith(`${tokenIdPrefix}_`);

/** Path of the metadata of protected resources (RFC 9728); the resource's own path follows. */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource';
