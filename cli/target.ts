/** Finds the stack and the key that a command uses. */
import { existsSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { type Config, readConfig, readRuntime, type Runtime } from '../platform/config.ts';
import { credentialsOf } from './credentials.ts';
import { unreachable, usage } from './exit.ts';

const root = join(import.meta.dirname, '..');
/** From the registry: its own folder is replaced with every update, so no data belongs there. */
const isInstalled = root.split(sep).includes('node_modules');

/**
 * The configuration, with an absolute data folder. If the relative default does not exist in the current folder, the checkout's folder is
 * used, so that the command works from anywhere; a package from the registry has no such folder.
 */
export function cliConfig(): Config {
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    throw usage((error as Error).message, 'docs/configuration.md lists every setting.');
  }
  const given = resolve(config.SIGNALBOX_DATA_DIR);
  const own = !isInstalled && config.SIGNALBOX_DATA_DIR === '.signalbox' && !existsSync(given);
  return { ...config, SIGNALBOX_DATA_DIR: own ? join(root, '.signalbox') : given };
}

export interface Target {
  url: string;
  key: string | undefined;
  runtime: Runtime | null;
}

/** @throws CliError (unreachable) when no address is configured and no stack runs. */
export function target(config = cliConfig()): Target {
  const runtime = readRuntime(config);
  const given = config.SIGNALBOX_URL ?? config.MCP_SERVER_URL ?? config.DEVFLOW_API_URL;
  const url = given ?? runtime?.api;
  if (url === undefined) throw unreachable(`No Signalbox is running here (${config.SIGNALBOX_DATA_DIR} has no runtime.json).`);
  if (!URL.canParse(url)) throw usage(`SIGNALBOX_URL is not a URL: ${url}`, 'For example http://127.0.0.1:8080');
  const base = url.replace(/\/+$/, '').replace(/\/mcp$/, '');
  // The local key is sent only to the local stack, never to another server that SIGNALBOX_URL names. Whoever has logged in wants to be themselves.
  const local = runtime !== null && sameServer(url, runtime.api) && credentialsOf(config, base) === null ? runtime.api_key : undefined;
  return { url: base, key: config.SIGNALBOX_API_KEY ?? config.MCP_API_KEY ?? local, runtime };
}

/** Whether two texts are the same base address. */
export const sameAddress = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.canParse(other) && new URL(`${one.replace(/\/+$/, '')}/`).href === new URL(`${other.replace(/\/+$/, '')}/`).href;

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]']);

function sameServer(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)];
  return (
    a.port === b.port && a.protocol === b.protocol && (a.hostname === b.hostname || (loopback.has(a.hostname) && loopback.has(b.hostname)))
  );
}
