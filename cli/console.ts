/** `signalbox console`: opens the web console, signed in. */
import { spawn } from 'node:child_process';
import { consoleAddress } from '../platform/console-address.ts';
import { post } from './client.ts';
import { CliError, exits } from './exit.ts';
import { note, say, sayJson } from './output.ts';
import { target } from './target.ts';

export async function consoleCommand({ print = false, json }: { print?: boolean; json: boolean }): Promise<void> {
  const to = target();
  const { status, body } = await post(to, '/console/api/codes', {});
  const { code, expires_in, error } = body as { code?: string; expires_in?: number; error?: { message: string } };
  if (status !== 200 || code === undefined) {
    throw new CliError(exits.failed, 'UNAUTHORIZED', error?.message ?? `${to.url} answered with status ${status}.`, {
      hint: 'signalbox login signs you in; or SIGNALBOX_API_KEY names the key to sign in with.',
    });
  }
  // After the #: browsers do not send it, so it is in no log.
  const address = `${consoleAddress(to.url)}/console/sign-in#code=${code}`;
  if (json) return sayJson({ url: address, expires_in });
  say(address);
  note(`Signs a browser in once, within ${expires_in} seconds.`);
  if (!print && process.stdout.isTTY) openInBrowser(address);
}

/**
 * The program that opens an address, and its arguments. The address may be an issuer's: no shell reads it, and only pages of the
 * web are opened.
 * @returns null for any other address
 */
export function browserCommand(address: string, platform: NodeJS.Platform = process.platform): [command: string, ...args: string[]] | null {
  const url = URL.parse(address);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return null;
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url.href];
  return [platform === 'darwin' ? 'open' : 'xdg-open', url.href];
}

/** Opens the system's browser, if there is one. */
export function openInBrowser(address: string): void {
  const found = browserCommand(address);
  if (!found) return;
  const [command, ...args] = found;
  spawn(command, args, { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}
