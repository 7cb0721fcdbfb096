/** A real PgBouncer before the tests' Postgres. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { uidOption } from '../../platform/embedded/postgres-cluster.ts';
import { freePort } from '../../platform/embedded/ports.ts';
import { eventually } from '../../bench/context.ts';

export type PoolMode = 'session' | 'transaction' | 'statement';

export interface Pooler {
  /** The same database through the pooler. */
  through(url: string): string;
  /** As an operator would: another setting, and a reload. */
  change(mode: PoolMode): void;
  stop(): Promise<void>;
}

/** Null: this machine has none. */
export const pgbouncer = ['pgbouncer', '/usr/sbin/pgbouncer'].find((binary) => spawnSync(binary, ['--version']).status === 0) ?? null;

/** @param sessions how many it opens to Postgres */
export async function startPooler(folder: string, postgresUrl: string, mode: PoolMode, sessions = 40): Promise<Pooler> {
  const server = new URL(postgresUrl);
  const port = await freePort(0);
  const dir = join(folder, `pgbouncer-${port}`);
  mkdirSync(dir);
  chmodSync(dir, 0o755);
  const config = join(dir, 'pgbouncer.ini');
  const configure = (poolMode: PoolMode): void =>
    writeFileSync(
      config,
      `[databases]
* = host=127.0.0.1 port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${join(dir, 'users')}
pool_mode = ${poolMode}
default_pool_size = ${sessions}
max_client_conn = 400
; As docs/operations.md advises. The default is 15 s.
server_login_retry = 1
`,
    );
  configure(mode);
  writeFileSync(join(dir, 'users'), `"${decodeURIComponent(server.username)}" "${decodeURIComponent(server.password)}"\n`);
  // It refuses to run as root.
  const child: ChildProcess = spawn(pgbouncer!, [config], { stdio: ['ignore', 'pipe', 'pipe'], ...uidOption() });
  let said = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4_000)));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await eventually('PgBouncer listens', async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${said}`);
    return await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => (socket.destroy(), resolve(true)));
      socket.once('error', () => resolve(false));
    });
  });
  return {
    through(url) {
      const changed = new URL(url);
      changed.host = `127.0.0.1:${port}`;
      return changed.href;
    },
    change(poolMode) {
      configure(poolMode);
      child.kill('SIGHUP');
    },
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
