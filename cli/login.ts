/** `signalbox login`, `logout` and `whoami`: people sign in at the issuer with the device flow. */
import type { ConsoleFacts } from '../contracts/governance/console.ts';
import { cliMetadata, resourceMetadataPath, signInScopes } from '../contracts/governance/oidc.ts';
import { authorization, get } from './client.ts';
import { credentialsOf, fromTokens, issuerAway, issuerOf, keepCredentials } from './credentials.ts';
import { openInBrowser } from './console.ts';
import { CliError, exits } from './exit.ts';
import { facts, note, oneLine, say, sayJson } from './output.ts';
import { cliConfig, sameAddress, target, type Target } from './target.ts';

interface Metadata {
  resource?: string;
  authorization_servers?: string[];
  [cliMetadata]?: { client_id: string; scopes: string[] };
}

export async function loginCommand({ browser = true, json }: { browser?: boolean; json: boolean }): Promise<void> {
  const config = cliConfig();
  const to = target(config);
  const { issuer, clientId, scopes, resource } = await howToLogIn(to);
  const { initiateDeviceAuthorization, pollDeviceAuthorizationGrant } = await import('openid-client');
  const configuration = await issuerOf(issuer, clientId);
  const metadata = configuration.serverMetadata();
  if (metadata.device_authorization_endpoint === undefined) {
    throw new CliError(exits.failed, 'CONFLICT', `The issuer ${issuer} offers no device flow.`, { hint: 'Use a key: SIGNALBOX_API_KEY.' });
  }
  const scope = signInScopes(scopes.length > 0 ? scopes : null, metadata.scopes_supported);
  // A scope that is an address names the resource already; such issuers refuse to hear it twice.
  const named = scope.includes('://') ? {} : { resource };
  let tokens;
  try {
    const device = await initiateDeviceAuthorization(configuration, { scope, ...named });
    const address = device.verification_uri_complete ?? device.verification_uri;
    // On stderr: stdout is for the outcome.
    note(`Open ${oneLine(address)}`);
    note(`and confirm the code ${oneLine(device.user_code)}. It is valid for ${Math.ceil(device.expires_in / 60)} minutes.`);
    if (browser && process.stdout.isTTY) openInBrowser(address);
    tokens = await pollDeviceAuthorizationGrant(configuration, device, named);
  } catch (error) {
    throw asLoginError(issuer, error);
  }
  const kept = fromTokens(issuer, clientId, tokens);
  // Whether the server takes it shows before anything is kept.
  const who = await factsOf(to, { authorization: `Bearer ${kept.access_token}` });
  await keepCredentials(config, to.url, kept);
  if (json) return sayJson(shown(to, who, issuer));
  say(`You are logged in to ${to.url} as ${oneLine(who.principal)} (${who.role} of ${who.tenant}).`);
  if (kept.refresh_token === null) note(`The issuer gave no refresh token: the login ends at ${kept.expires_at}.`);
}

export async function logoutCommand({ json }: { json: boolean }): Promise<void> {
  const config = cliConfig();
  const { url } = target(config);
  const known = credentialsOf(config, url);
  await keepCredentials(config, url, null);
  const revoked = known ? await takenBack(known.issuer, known.client_id, known.refresh_token ?? known.access_token) : false;
  if (json) return sayJson({ url, logged_in_before: known !== null, revoked });
  say(known ? `You are logged out of ${url}.` : `You were not logged in to ${url}.`);
  if (known && !revoked) note('The issuer could not be told: its token stays valid until it expires.');
}

export async function whoamiCommand({ json }: { json: boolean }): Promise<void> {
  const config = cliConfig();
  const to = target(config);
  const who = await factsOf(to, await authorization(to));
  const issuer = to.key === undefined ? (credentialsOf(config, to.url)?.issuer ?? null) : null;
  if (json) return sayJson(shown(to, who, issuer));
  facts({
    server: to.url,
    name: oneLine(who.principal),
    tenant: who.tenant,
    role: `${who.role} (${who.kind})`,
    team: who.team,
    scopes: who.scopes.join(', ') || 'what the role allows',
    policy: who.policy,
    'signed in by': issuer ?? `the key ${who.key.id}`,
    ends: who.key.ends,
  });
}

const shown = ({ url }: Target, { tenant, principal, kind, role, team, scopes, policy, key }: ConsoleFacts, issuer: string | null) => ({
  url,
  principal,
  tenant,
  role,
  kind,
  team,
  scopes,
  policy,
  key_id: key.id,
  ends: key.ends,
  issuer,
});

async function factsOf(to: Target, headers: Record<string, string>): Promise<ConsoleFacts> {
  const { status, body } = await get(to, '/console/api/session', headers);
  if (status === 200) return body as ConsoleFacts;
  const { error } = body as { error?: { code?: string; message?: string; suggestion?: string } };
  throw new CliError(
    exits.refused,
    status === 403 ? 'FORBIDDEN' : 'UNAUTHORIZED',
    error?.message ?? `${to.url} answered with status ${status}.`,
    {
      hint: Object.keys(headers).length === 0 ? 'signalbox login signs you in; or set SIGNALBOX_API_KEY.' : error?.suggestion,
    },
  );
}

/** From the server's own metadata, which must be about this server: the token goes to it. */
async function howToLogIn(to: Target): Promise<{ issuer: string; clientId: string; scopes: string[]; resource: string }> {
  const { status, body } = await get(to, resourceMetadataPath, {});
  const metadata = (status === 200 ? body : {}) as Metadata;
  const [issuer] = metadata.authorization_servers ?? [];
  const cli = metadata[cliMetadata];
  if (issuer === undefined || cli === undefined || metadata.resource === undefined) {
    throw new CliError(exits.failed, 'CONFLICT', `${to.url} has no login for the command line.`, {
      hint: 'Use a key: SIGNALBOX_API_KEY. An operator switches login on with OIDC_ISSUER and OIDC_CLI_CLIENT_ID (docs/signing-in.md).',
    });
  }
  if (!sameAddress(metadata.resource, to.url)) {
    throw new CliError(exits.failed, 'CONFLICT', `The server at ${to.url} calls itself ${oneLine(metadata.resource)}.`, {
      hint: `Log in under that address: SIGNALBOX_URL=${oneLine(metadata.resource)} signalbox login`,
    });
  }
  return { issuer, clientId: cli.client_id, scopes: cli.scopes, resource: metadata.resource };
}

function asLoginError(issuer: string, error: unknown): Error {
  const { error: code, error_description: said } = error as { error?: string; error_description?: string };
  if (code === 'access_denied') return new CliError(exits.refused, 'FORBIDDEN', 'The login was refused at the issuer.');
  if (code === 'expired_token') {
    return new CliError(exits.failed, 'TIMEOUT', 'The code was not confirmed in time.', { hint: 'Run signalbox login again.' });
  }
  if (code !== undefined) {
    return new CliError(exits.failed, 'CONFLICT', `The issuer ${issuer} refuses the login: ${oneLine(said ?? code)}.`, {
      hint: 'An operator registers OIDC_CLI_CLIENT_ID there as a public client with the device flow.',
    });
  }
  return issuerAway(issuer, error);
}

/** @returns whether the issuer has taken the token back */
async function takenBack(issuer: string, clientId: string, token: string): Promise<boolean> {
  try {
    const { tokenRevocation } = await import('openid-client');
    const configuration = await issuerOf(issuer, clientId);
    if (configuration.serverMetadata().revocation_endpoint === undefined) return false;
    await tokenRevocation(configuration, token);
    return true;
  } catch {
    return false;
  }
}
