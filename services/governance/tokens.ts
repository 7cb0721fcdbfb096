import { createHash } from 'node:crypto';
import { errors, jwtVerify, type JWTPayload } from 'jose';
import type { Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import type { OidcSettings } from '../../contracts/governance/oidc.ts';
import type { Keys } from './keys.ts';
import { identityOf, type Identity } from './token-claims.ts';
import { TokenHolders } from './token-holders.ts';
import { algorithms, Issuer, skewSeconds } from './token-issuer.ts';
import { Service } from '../kernel/service.ts';

/** How long a verified token is cached, in ms. */
const verifiedFor = 60_000;
const longest = 16_384;
const tokenShape = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/;
/** Accepted token types (RFC 9068); most issuers set none. */
const types = new Set(['at+jwt', 'application/at+jwt', 'jwt', 'application/jwt']);

/** Access tokens of an OAuth 2.1 issuer, beside keys. */
export class Tokens extends Service<'web' | 'oidc', { keys: Keys }> {
  readonly issuer = this.deps.oidc && new Issuer(this.deps.web, this.deps.oidc.issuer);
  readonly holders = new TokenHolders(this.deps);
  private readonly verified = new Map<string, { identity: Identity; until: number }>();

  /**
   * The caller of an access token; null when it is not such a token, or no issuer is configured.
   * @throws AppError UNAUTHORIZED saying what is wrong with it; FORBIDDEN for a tenant that is not served;
   * SERVICE_UNAVAILABLE when the issuer or the database does not answer
   */
  async authenticate(token: string): Promise<Caller | null> {
    const { issuer } = this;
    const { oidc: settings } = this.deps;
    if (!settings || !issuer || token.length > longest || !tokenShape.test(token)) return null;
    const known = createHash('sha256').update(token).digest('base64url');
    const before = this.verified.get(known);
    if (before && before.until > Date.now()) return await this.holders.callerOf(before.identity, settings);
    this.verified.delete(known);
    const claims = await this.verify(token, issuer, settings);
    const identity = identityOf(claims, settings);
    const caller = await this.holders.callerOf(identity, settings);
    if (this.verified.size > 10_000) this.verified.clear();
    this.verified.set(known, { identity, until: Math.min(Date.now() + verifiedFor, claims.exp! * 1000) });
    return caller;
  }

  private async verify(token: string, issuer: Issuer, { audience }: OidcSettings): Promise<JWTPayload> {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, issuer.keyOf, {
        issuer: await issuer.name(),
        audience,
        algorithms,
        clockTolerance: skewSeconds,
        requiredClaims: ['exp', 'sub'],
      });
      if (protectedHeader.typ !== undefined && !types.has(protectedHeader.typ.toLowerCase()))
        throw refused('it is a token of another kind');
      return payload;
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      throw refused(reasonOf(error));
    }
  }
}

const refused = (reason: string): AppError =>
  new AppError('UNAUTHORIZED', `The access token is refused: ${reason}.`, {
    hint: 'Get a new one from the issuer, for this resource; /.well-known/oauth-protected-resource says where.',
    details: { reason: 'invalid_token' },
  });

/** Contains nothing of the token: its sender may not be its owner. */
function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'it has expired';
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.reason === 'missing') return `it has no "${error.claim}"`;
    if (error.claim === 'aud') return 'it is meant for another resource (aud)';
    if (error.claim === 'iss') return 'it is of another issuer (iss)';
    if (error.claim === 'nbf') return 'it is not valid yet (nbf)';
    return `its "${error.claim}" does not fit`;
  }
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported)
    return 'it is not signed in a way that is accepted here';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'its signature is wrong';
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
    return 'it is signed with a key that its issuer does not have';
  return 'it is malformed';
}
