import { readFileSync } from 'node:fs';

/**
 * The one version: of the package, the command, `serverInfo`, the agent card and the OpenAPI document. Deprecated
 * names and paths are removed with the next major version.
 */
export const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
export const userAgent = `Signalbox/${version}`;
