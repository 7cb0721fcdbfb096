/**
 * A Neo4j on this machine, for those who have none: assembled from Maven artifacts, data in `.signalbox/neo4j`.
 *   npm run neo4j
 *   npm run neo4j -- --port 7688 --heap 1024
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { AppError } from '../contracts/errors.ts';
import { readConfig } from '../platform/config.ts';
import { startNeo4j } from '../platform/embedded/neo4j.ts';
import { acquireNeo4j, cacheFolder } from '../platform/embedded/parts.ts';
import { freePort } from '../platform/embedded/ports.ts';

const { values } = parseArgs({
  options: { port: { type: 'string', default: '7687' }, heap: { type: 'string', default: '512' }, 'page-cache': { type: 'string', default: '64' } }, // prettier-ignore
});
const say = (line: string): void => console.error(`  ${line}`);
const config = readConfig();
const dir = join(resolve(config.SIGNALBOX_DATA_DIR), 'neo4j');
const log = join(resolve(config.SIGNALBOX_DATA_DIR), 'logs', 'neo4j.log');

try {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const jars = await acquireNeo4j({ cacheDir: cacheFolder(config), onProgress: say });
  const port = await freePort(Number(values.port), { name: 'Neo4j', onMoved: say });
  say('starting Neo4j');
  const began = performance.now();
  const server = await startNeo4j({ jars, dir, port, log, heapMb: Number(values.heap), pageCacheMb: Number(values['page-cache']) });
  say(`Neo4j answers after ${((performance.now() - began) / 1000).toFixed(1)} s; Ctrl-C stops it. Give this to \`npm start\`:`);
  console.log(`NEO4J_URI=${server.uri}`);
  console.log(`NEO4J_PASSWORD="$(cat ${server.passwordFile})"`);
  let stopping = false;
  const stop = (): void => {
    stopping = true;
    void server.stop();
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const { code } = await server.exited;
  if (!stopping) {
    console.error(`Neo4j ended by itself (code ${code}). Its logs: ${log} and ${join(dir, 'logs')}.`);
    process.exitCode = 1;
  }
} catch (error) {
  if (!(error instanceof AppError)) throw error;
  console.error([error.message, error.hint].filter(Boolean).join('\n'));
  process.exitCode = 1;
}
