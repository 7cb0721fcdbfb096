import type { Caller, Role } from '../caller.ts';

/** Whose access tokens are accepted beside keys, and what their claims mean. */
export interface OidcSettings {
  /** As the issuer writes itself. */
  issuer: string;
  /** One of these must stand in `aud`. */
  audience: string[];
  tenantClaim: string;
  /** Of all who name none; null: a token without one is refused. */
  defaultTenant: string | null;
  roleClaim: string;
  defaultRole: Role;
  /** `human` in it makes a person of the caller; everybody else is an agent. */
  kindClaim: string;
  teamClaim: string;
  capabilitiesClaim: string;
  /** Of tokens that carry scopes, but none of this platform's. Empty: nothing; `*`: what the role allows. */
  defaultScopes: string[];
  createTenants: boolean;
}

/** Beginning of the ids under which holders of tokens stand among the keys. */
export const tokenIdPrefix = 'token';

/** Whether a caller came with an access token, so that it may get one with more scopes. */
export const byToken = (caller: Pick<Caller, 'keyId'>): boolean => caller.keyId.startsWith(`${tokenIdPrefix}_`);

/** Where the metadata of protected resources stands (RFC 9728); the resource's own path follows. */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource';
