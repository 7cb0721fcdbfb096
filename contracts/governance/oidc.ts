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
  groupsClaim: string;
  /** Roles of groups; beside those of the role claim. */
  groupRoles: Record<string, Role>;
  /** Teams of groups, for those whose team claim is missing. */
  groupTeams: Record<string, string>;
  /** How people sign in to the console; null: with keys only. */
  signIn: SignInSettings | null;
  /** The public client of `signalbox login`, whose tokens are those of people; null: it is off. */
  cliClientId: string | null;
  /** What the console and the command line ask for; null: what the issuer's metadata suggests. */
  signInScopes: string[] | null;
}

export interface SignInSettings {
  clientId: string;
  /** Null: a public client. */
  clientSecret: string | null;
  /** On the button. */
  name: string;
  /** How often the issuer is asked whether a person still has access. */
  recheckSeconds: number;
}

/** Member of the protected resource's metadata that tells `signalbox login` which client it is. */
export const cliMetadata = 'signalbox_cli';

/** What is asked for where no setting says it. @param supported the issuer's `scopes_supported` */
export const signInScopes = (given: readonly string[] | null, supported: readonly string[] | undefined): string =>
  (given ?? ['openid', 'profile', 'email', ...(supported?.includes('offline_access') ? ['offline_access'] : [])]).join(' ');

/** Prefix of the key ids of token holders. */
export const tokenIdPrefix = 'token';

/** Whether the caller used an access token, and so could get one with more scopes. */
export const byToken = (caller: Pick<Caller, 'keyId'>): boolean => caller.keyId.startsWith(`${tokenIdPrefix}_`);

/** Path of the metadata of protected resources (RFC 9728); the resource's own path follows. */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource';
