import type { Configuration, CustomFetchOptions } from 'openid-client';
import { errors, jwtVerify, type JWTPayload } from 'jose';
import { AppError } from '../../contracts/errors.ts';
import { signInScopes, type OidcSettings, type SignInSettings } from '../../contracts/governance/oidc.ts';
import { algorithms, skewSeconds, type Issuer } from './token-issuer.ts';

/** Discovery is repeated after this time, in ms; a failure is kept for a moment, so that nobody queues behind a silent issuer. */
const freshFor = 3_600_000;
const failureFor = 2_000;
const timeoutSeconds = 5;

/** What is kept, sealed, of somebody who has signed in. */
export interface PersonTokens {
  /** Null: the issuer gives none, so it cannot be asked again. */
  refresh: string | null;
  id: string;
}

export interface Signed {
  claims: JWTPayload;
  tokens: PersonTokens;
}

/** What a sign-in must come back with. */
export interface Expected {
  state: string;
  nonce: string;
  verifier: string;
}

/** Loaded when somebody signs in: most processes never need it. */
const library = () => import('openid-client');

/** This platform as an application of the issuer, for people who sign in. */
export class IssuerClient {
  private readonly fetch: typeof fetch;
  private readonly issuer: Issuer;
  private readonly settings: OidcSettings;
  private readonly own: SignInSettings;
  private known: { configuration: Configuration; at: number } | null = null;
  private asking: Promise<Configuration> | null = null;
  private failed: { error: AppError; at: number } | null = null;

  constructor(web: typeof fetch, issuer: Issuer, settings: OidcSettings, own: SignInSettings) {
    this.fetch = web;
    this.issuer = issuer;
    this.settings = settings;
    this.own = own;
  }

  /** @returns where the browser goes, and what it must come back with */
  async begin(redirectUri: string): Promise<{ url: URL; expected: Expected }> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } = await library();
    const configuration = await this.configuration();
    const expected = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: signInScopes(this.settings.signInScopes, configuration.serverMetadata().scopes_supported),
      state: expected.state,
      nonce: expected.nonce,
      code_challenge: await calculatePKCECodeChallenge(expected.verifier),
      code_challenge_method: 'S256',
    });
    return { url, expected };
  }

  /**
   * Exchanges the code of an answer.
   * @param answer the address to which the issuer sent the browser
   * @throws AppError UNAUTHORIZED, SERVICE_UNAVAILABLE
   */
  async finish(answer: URL, { state, nonce, verifier }: Expected): Promise<Signed> {
    const { authorizationCodeGrant } = await library();
    const configuration = await this.configuration();
    return await this.asked(async () => {
      const tokens = await authorizationCodeGrant(configuration, answer, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = await this.verified(tokens.id_token!);
      return {
        claims: { ...claims, ...(await this.more(configuration, tokens.access_token, claims.sub!)) },
        tokens: { refresh: tokens.refresh_token ?? null, id: tokens.id_token! },
      };
    });
  }

  /**
   * Asks again about somebody.
   * @throws AppError UNAUTHORIZED when the issuer no longer knows them, SERVICE_UNAVAILABLE
   */
  async again({ refresh, id }: PersonTokens & { refresh: string }): Promise<Signed> {
    const { refreshTokenGrant } = await library();
    const configuration = await this.configuration();
    return await this.asked(async () => {
      const before = claimsIn(id);
      const tokens = await refreshTokenGrant(configuration, refresh);
      const claims = tokens.id_token === undefined ? before : await this.verified(tokens.id_token);
      if (claims.sub !== before.sub) throw refused('it answered about somebody else');
      return {
        claims: { ...claims, ...(await this.more(configuration, tokens.access_token, before.sub!)) },
        tokens: { refresh: tokens.refresh_token ?? refresh, id: tokens.id_token ?? id },
      };
    });
  }

  /** Where the browser signs out of the issuer, too; null: the issuer offers none, or does not answer now. */
  async signOut(idToken: string, returnTo: string): Promise<URL | null> {
    try {
      const { buildEndSessionUrl } = await library();
      const configuration = await this.configuration();
      if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
      return buildEndSessionUrl(configuration, { id_token_hint: idToken, post_logout_redirect_uri: returnTo });
    } catch (error) {
      if (error instanceof AppError) return null;
      throw error;
    }
  }

  /** The ID token, by the issuer's keys as they are now: the library takes it unverified from the token endpoint. */
  private async verified(idToken: string): Promise<JWTPayload> {
    const { payload } = await jwtVerify(idToken, this.issuer.keyOf, {
      issuer: await this.issuer.name(),
      audience: this.own.clientId,
      algorithms,
      clockTolerance: skewSeconds,
      requiredClaims: ['exp', 'sub'],
    });
    return payload;
  }

  /** Many issuers put groups into the user info only. */
  private async more(configuration: Configuration, accessToken: string, subject: string): Promise<Record<string, unknown>> {
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return {};
    const { fetchUserInfo, WWWAuthenticateChallengeError } = await library();
    try {
      return { ...(await fetchUserInfo(configuration, accessToken, subject)) };
    } catch (error) {
      // Only here: a challenge of the token endpoint is about this application's secret, not about the person.
      if (error instanceof WWWAuthenticateChallengeError) throw refused('it does not accept its own token', error);
      throw error;
    }
  }

  private async configuration(): Promise<Configuration> {
    if (this.known && Date.now() - this.known.at < freshFor) return this.known.configuration;
    if (this.failed && Date.now() - this.failed.at < failureFor) throw this.failed.error;
    this.asking ??= this.discover()
      .then((configuration) => {
        this.failed = null;
        this.known = { configuration, at: Date.now() };
        return configuration;
      })
      .catch((error: unknown) => {
        // What is known stays usable: addresses rarely change.
        if (this.known) return this.known.configuration;
        this.failed = { error: away(error), at: Date.now() };
        throw this.failed.error;
      })
      .finally(() => (this.asking = null));
    return await this.asking;
  }

  private async discover(): Promise<Configuration> {
    const { allowInsecureRequests, ClientSecretBasic, ClientSecretPost, clockTolerance, customFetch, discovery, None } = await library();
    const { clientId, clientSecret } = this.own;
    // The issuer's own name, with or without the slash at its end.
    const name = new URL(await this.issuer.name());
    return await discovery(
      name,
      clientId,
      { [clockTolerance]: skewSeconds },
      clientSecret === null
        ? None()
        : (server, client, body, headers) =>
            ((server.token_endpoint_auth_methods_supported?.includes('client_secret_basic') ?? true)
              ? ClientSecretBasic
              : ClientSecretPost)(clientSecret)(server, client, body, headers),
      {
        timeout: timeoutSeconds,
        // An operator who writes http:// means it.
        execute: name.protocol === 'http:' ? [allowInsecureRequests] : [],
        [customFetch]: async (url: string, { body, duplex: _, signal, ...options }: CustomFetchOptions) =>
          await this.fetch(url, {
            ...options,
            ...(signal ? { signal } : {}),
            ...(body ? { body: body instanceof URLSearchParams ? body.toString() : (body as string) } : {}),
          }),
      },
    );
  }

  private async asked<T>(ask: () => Promise<T>): Promise<T> {
    const { AuthorizationResponseError, ClientError, ResponseBodyError } = await library();
    try {
      return await ask();
    } catch (error) {
      if (error instanceof AuthorizationResponseError) throw refused(said(error.error_description ?? error.error), error);
      if (error instanceof ResponseBodyError && error.status < 500 && error.status !== 429 && !misconfigured.has(error.error))
        throw refused(said(error.error_description ?? error.error), error);
      if (error instanceof errors.JOSEError) throw refused('its ID token is not valid', error);
      if (error instanceof ClientError && fits.has(error.code ?? '')) throw refused('its answer does not belong to this sign-in', error);
      if (error instanceof AppError && error.code === 'UNAUTHORIZED') throw error;
      throw away(error);
    }
  }
}

/** Codes of the library: an answer, or a claim in it, is not what was asked for. */
const fits = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
]);

/** Not about the person: the application is not known at the issuer, or its secret is wrong. */
const misconfigured = new Set(['invalid_client', 'unauthorized_client', 'temporarily_unavailable', 'slow_down']);

/** The issuer's words go on a page: one line, no control characters. */
const said = (text: string): string => `it says "${text.replaceAll(/[^\x20-\x7e]+/g, ' ').slice(0, 200)}"`;

const refused = (reason: string, cause?: unknown): AppError =>
  new AppError('UNAUTHORIZED', `The issuer did not confirm the sign-in: ${reason}.`, {
    hint: 'Sign in again.',
    details: { reason: 'issuer' },
    cause,
  });

const away = (cause: unknown): AppError =>
  cause instanceof AppError && cause.code === 'SERVICE_UNAVAILABLE'
    ? cause
    : new AppError('SERVICE_UNAVAILABLE', 'The issuer with which people sign in does not answer as it should.', {
        hint: 'Try again soon, or sign in with a key.',
        retryAfterSeconds: 5,
        cause,
      });

/** Of a token that was verified when it came. */
const claimsIn = (token: string): JWTPayload => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString('utf8')) as JWTPayload;
