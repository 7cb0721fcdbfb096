/** `signalbox console`: opens the web console, signed in. */
import { spawn } from 'node:child_process';
import { consoleAddress } from '../platform/console-address.ts';
import { post } from './client.ts';
import { CliError, exits } from './exit.ts';
import { say, sayJson } from './output.ts';
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
  say(`Signs a browser in once, within ${expires_in} seconds.`);
  if (!print && process.stdout.isTTY) openInBrowser(address);
}

/** Opens the system's browser, if there is one. */
export function openInBrowser(address: string): void {
  const [command = '', ...args] = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] }[process.platform as string] ?? ['xdg-open'];
  spawn(command, [...args, address], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}
