/** A Neo4j for tests: the configured one if it is reachable, otherwise one assembled from Maven artifacts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openNeo4j } from '../../adapters/graph/neo4j.ts';
import { readConfig } from '../../platform/config.ts';
import { startNeo4j as startServer, type RunningNeo4j } from '../../platform/embedded/neo4j.ts';
import { acquireNeo4j, cacheFolder } from '../../platform/embedded/parts.ts';
import { freePort } from '../../platform/embedded/ports.ts';

export interface TestNeo4j {
  /** Which of the two it is, for people. */
  name: string;
  uri: string;
  user: string;
  password: string | undefined;
  database: string;
  /** Settings with its address. */
  env: Record<string, string>;
  /** Kills it as kill -9 does and starts it again on its data and address; null for a server that is not ours. */
  control: { kill(): Promise<void>; start(): Promise<void> } | null;
  stop(): Promise<void>;
}

/** @param own require a server that may be emptied and killed. @returns the reason when there is none; never a fake server */
export async function startNeo4j({ own = false } = {}): Promise<TestNeo4j | { missing: string }> {
  const config = readConfig();
  const { NEO4J_URI: uri, NEO4J_USER: user, NEO4J_PASSWORD: password, NEO4J_DATABASE: database } = config;
  if (uri !== undefined && !own) {
    const copy = openNeo4j({ uri, user, password, database });
    try {
      await copy.health();
      console.log('Neo4j: the server that NEO4J_URI names');
      const env = { NEO4J_URI: uri, NEO4J_USER: user, NEO4J_DATABASE: database, ...(password ? { NEO4J_PASSWORD: password } : {}) };
      return { name: 'server', uri, user, password, database, env, control: null, stop: () => Promise.resolve() };
    } catch (error) {
      console.warn(`NEO4J_URI is set, but that Neo4j is not used: ${(error as Error).message}`);
    } finally {
      await copy.close();
    }
  }
  let jars: string;
  try {
    jars = await acquireNeo4j({ cacheDir: cacheFolder(config), onProgress: (line) => console.log(line) });
  } catch (error) {
    return { missing: `no Neo4j to test with: NEO4J_URI names none that answers, and ${(error as Error).message}` };
  }
  return await startOurs(jars);
}

async function startOurs(jars: string): Promise<TestNeo4j> {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-neo4j-'));
  const port = await freePort(0);
  const start = (): Promise<RunningNeo4j> =>
    startServer({ jars, dir, port, log: join(dir, 'neo4j.log'), heapMb: 384, pageCacheMb: 32, shortLived: true });
  const began = performance.now();
  let server = await start();
  console.log(`Neo4j: of our own, ready after ${((performance.now() - began) / 1000).toFixed(1)} s`);
  const { uri, user, password } = server;
  const kill = async (): Promise<void> => {
    process.kill(server.pid, 'SIGKILL');
    await server.exited;
  };
  return {
    name: 'our own',
    uri,
    user,
    password,
    database: 'neo4j',
    env: { NEO4J_URI: uri, NEO4J_USER: user, NEO4J_PASSWORD: password, NEO4J_DATABASE: 'neo4j' },
    control: {
      kill,
      async start() {
        server = await start();
      },
    },
    async stop() {
      await kill().catch(() => {});
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
