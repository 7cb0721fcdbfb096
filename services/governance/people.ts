import { AppError } from '../../contracts/errors.ts';
import type { Caller } from '../../contracts/caller.ts';
import { IssuerClient, type Expected, type PersonTokens, type Signed } from './issuer-client.ts';
import { personOf } from './token-claims.ts';
import type { Tokens } from './tokens.ts';
import { Service } from '../kernel/service.ts';

/** How long a sign-in may take at the issuer. */
export const flowSeconds = 600;

/** A sign-in under way. The browser carries it, sealed, so that any api can finish it and none has to keep it. */
interface Flow extends Expected {
  /** The page to return to. */
  to: string;
  redirectUri: string;
  until: number;
}

/** A person whom the issuer has confirmed. */
interface Confirmed {
  caller: Caller;
  tokens: PersonTokens;
}

/** People who sign in at the issuer. */
export class People extends Service<'oidc' | 'issuerFetch' | 'secrets', { tokens: Tokens }> {
  private readonly client =
    this.deps.oidc?.signIn && this.deps.tokens.issuer
      ? new IssuerClient(this.deps.issuerFetch, this.deps.tokens.issuer, this.deps.oidc, this.deps.oidc.signIn)
      : null;

  /** The name on the button; null: people sign in with keys only. */
  get issuerName(): string | null {
    return this.deps.oidc?.signIn?.name ?? null;
  }

  get recheckSeconds(): number {
    return this.deps.oidc?.signIn?.recheckSeconds ?? 0;
  }

  /**
   * Begins a sign-in.
   * @param to the page to return to, of this server
   * @returns where the browser goes, the flow that it brings back, and its public name
   */
  async begin(redirectUri: string, to: string): Promise<{ url: string; state: string; flow: string }> {
    const { url, expected } = await this.issuer().begin(redirectUri);
    const flow: Flow = { ...expected, to, redirectUri, until: Date.now() + flowSeconds * 1000 };
    return { url: url.href, state: expected.state, flow: this.deps.secrets.seal(JSON.stringify(flow)) };
  }

  /**
   * Finishes a sign-in.
   * @param query what the issuer added to the redirect address
   * @throws AppError UNAUTHORIZED, FORBIDDEN without a role or tenant, SERVICE_UNAVAILABLE
   */
  async finish(query: URLSearchParams, sealed: string): Promise<Confirmed & { to: string }> {
    const flow = this.opened(sealed);
    const answer = new URL(flow.redirectUri);
    for (const [name, value] of query) answer.searchParams.append(name, value);
    return { ...(await this.confirmed(await this.issuer().finish(answer, flow))), to: flow.to };
  }

  /** Asks the issuer again about somebody. @throws AppError as `finish` */
  async again(tokens: PersonTokens & { refresh: string }): Promise<Confirmed> {
    return await this.confirmed(await this.issuer().again(tokens));
  }

  /** Where the browser signs out of the issuer; null: nowhere. */
  async signOut({ id }: PersonTokens, returnTo: string): Promise<string | null> {
    return (await this.client?.signOut(id, returnTo))?.href ?? null;
  }

  private async confirmed({ claims, tokens }: Signed): Promise<Confirmed> {
    const { oidc, tokens: own } = this.deps;
    const identity = personOf(claims, oidc!.signIn!.clientId, oidc!);
    return { caller: await own.holders.callerOf(identity, oidc!, { fresh: true }), tokens };
  }

  private issuer(): IssuerClient {
    if (this.client) return this.client;
    throw new AppError('NOT_FOUND', 'People sign in with keys here: no issuer is configured.', {
      hint: 'OIDC_ISSUER and OIDC_CLIENT_ID configure one (docs/signing-in.md).',
    });
  }

  private opened(sealed: string): Flow {
    try {
      const flow = JSON.parse(this.deps.secrets.open(sealed)) as Flow;
      if (flow.until > Date.now()) return flow;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
    throw notBegun();
  }
}

export const notBegun = (): AppError =>
  new AppError('UNAUTHORIZED', 'This sign-in was not begun in this browser, or more than ten minutes ago.', {
    hint: 'Sign in again.',
    details: { reason: 'flow' },
  });
