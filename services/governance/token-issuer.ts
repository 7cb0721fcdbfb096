import {
  createLocalJWKSet,
  errors,
  type CryptoKey,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWTHeaderParameters,
  type LocalJWKSet,
} from 'jose';
import type { WebClient } from '../../adapters/web/types.ts';
import { AppError } from '../../contracts/errors.ts';

/** Only asymmetric algorithms: no symmetric ones, and not "none". */
export const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];
/** Tolerated clock skew. */
export const skewSeconds = 30;
/** Keys are refreshed after the first time, and used up to the longer one while the issuer does not answer, in ms. */
const freshFor = 600_000;
const usableFor = 86_400_000;
/** Minimum interval between lookups of unknown keys: forged tokens must not cause requests. */
const askAgainAfter = 10_000;
/** How long a failure is cached, so that callers do not queue behind an unresponsive issuer. */
const failureFor = 2_000;
const timeoutMs = 5_000;
const maxBytes = 512_000;

interface Known {
  find: LocalJWKSet;
  /** As in the issuer's metadata, with or without trailing slash. */
  issuer: string;
  at: number;
}

/** An issuer's keys: discovered, cached, and refreshed when it uses new ones. */
export class Issuer {
  private readonly web: Pick<WebClient, 'fetch'>;
  private readonly url: string;
  private readonly now: () => number;
  private known: Known | null = null;
  private asking: Promise<Known> | null = null;
  private failed: { error: AppError; at: number } | null = null;

  constructor(web: Pick<WebClient, 'fetch'>, url: string, now: () => number = Date.now) {
    this.web = web;
    this.url = url.replace(/\/+$/, '');
    this.now = now;
  }

  /**
   * The expected `iss`.
   * @throws AppError SERVICE_UNAVAILABLE
   */
  async name(): Promise<string> {
    return (await this.keys()).issuer;
  }

  /**
   * The key that signed a token.
   * @throws AppError SERVICE_UNAVAILABLE; JOSEError for an unknown key id
   */
  readonly keyOf = async (header: JWTHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> => {
    const known = await this.keys();
    try {
      return await known.find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || this.now() - known.at < askAgainAfter) throw error;
      return await (await this.ask()).find(header, token);
    }
  };

  private async keys(): Promise<Known> {
    const { known } = this;
    const age = known ? this.now() - known.at : Infinity;
    if (known && age < freshFor) return known;
    try {
      return await this.ask();
    } catch (error) {
      if (known && age < usableFor) return known;
      throw error;
    }
  }

  private async ask(): Promise<Known> {
    if (this.failed && this.now() - this.failed.at < failureFor) throw this.failed.error;
    this.asking ??= this.discover()
      .then((known) => {
        this.failed = null;
        return (this.known = known);
      })
      .catch((cause: unknown) => {
        const error = new AppError('SERVICE_UNAVAILABLE', 'The issuer of access tokens does not answer as it should.', {
          hint: 'Try again soon, or use a key. On the server: OIDC_ISSUER must be reachable and publish its metadata.',
          retryAfterSeconds: 5,
          cause,
        });
        this.failed = { error, at: this.now() };
        throw error;
      })
      .finally(() => (this.asking = null));
    return await this.asking;
  }

  private async discover(): Promise<Known> {
    const metadata = await this.metadata();
    const { issuer, jwks_uri: jwksUri } = metadata;
    if (typeof issuer !== 'string' || issuer.replace(/\/+$/, '') !== this.url) throw new Error('its metadata is of another issuer');
    if (typeof jwksUri !== 'string') throw new Error('its metadata names no jwks_uri');
    const set = await this.json(jwksUri);
    return { find: createLocalJWKSet(set as unknown as JSONWebKeySet), issuer, at: this.now() };
  }

  /** OpenID Connect's address, else OAuth's (RFC 8414), which appends the path. */
  private async metadata(): Promise<Record<string, unknown>> {
    try {
      return await this.json(`${this.url}/.well-known/openid-configuration`);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error;
      const { origin, pathname } = new URL(this.url);
      return await this.json(`${origin}/.well-known/oauth-authorization-server${pathname === '/' ? '' : pathname}`);
    }
  }

  private async json(url: string): Promise<Record<string, unknown>> {
    const { bytes } = await this.web.fetch(url, { accept: 'application/json', timeoutMs, maxBytes });
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    if (value === null || typeof value !== 'object') throw new Error('it does not answer with an object');
    return value as Record<string, unknown>;
  }
}
