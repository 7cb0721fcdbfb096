import type { Live } from './connect.ts';
import { Connection } from './connection.ts';
import { checkedResult, openHttp, postCall, type McpHttp } from './http.ts';
import { createReaper } from './reaper.ts';
import type { McpCall, McpClients, McpDefinition, McpResult, McpServer } from './types.ts';
import type { AllowPrivate } from '../web/targets.ts';

export interface McpOptions {
  allowPrivate: AllowPrivate;
  userAgent: string;
  /** Milliseconds without a request after which a connection is closed. Default: five minutes. */
  idleMs?: number;
}

/** How long connections may take to close at shutdown. */
const shutdownMs = 4_000;
/** Names that need no encoding in a header. */
const plain = /^[\x21-\x7e]+$/;

/** Loaded by open.ts with the first request. */
export function mcpClients(options: McpOptions): McpClients {
  const idleMs = options.idleMs ?? 300_000;
  const connections = new Map<string, Connection>();
  const closing = new Set<Promise<void>>();
  const listeners = new Set<Parameters<McpClients['onChange']>[0]>();
  const reaper = createReaper();
  let guarded: McpHttp | null = null;
  let trusted: McpHttp | null = null;
  let closed = false;
  const http = (isTrusted: boolean): McpHttp =>
    isTrusted
      ? (trusted ??= openHttp({ allowPrivate: true, userAgent: options.userAgent }))
      : (guarded ??= openHttp({ allowPrivate: options.allowPrivate, userAgent: options.userAgent }));

  const tell = (key: string, why: 'connected' | 'changed') => (): void => {
    for (const listener of listeners) listener(key, why);
  };
  const shut = (connection: Connection): Promise<void> => {
    const done = connection.close().finally(() => closing.delete(done));
    closing.add(done);
    return done;
  };
  const sweep = setInterval(
    () => {
      for (const [key, connection] of connections) {
        if (connection.busy || Date.now() - connection.lastUsed < idleMs) continue;
        connections.delete(key);
        void shut(connection);
      }
    },
    Math.max(50, Math.min(30_000, idleMs / 4)),
  );
  sweep.unref();

  function of(server: McpServer): Connection {
    if (closed) throw new Error('the MCP clients are closed');
    let connection = connections.get(server.key);
    if (connection && connection.server.version !== server.version) {
      void shut(connection);
      connection = undefined;
    }
    if (!connection) {
      const { key } = server;
      connection = new Connection(server, { http, reaper, onListChanged: tell(key, 'changed') }, tell(key, 'connected'));
      connections.set(server.key, connection);
    }
    return connection;
  }

  async function run<T>(
    server: McpServer,
    work: (live: Live, signal: AbortSignal, later: () => void) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const connection = of(server);
    const result = await connection.run(work, signal);
    connection.proven();
    return result;
  }

  return {
    call: (server, call) => run(server, (live, signal, later) => callOn(live, server, call, signal, later), call.signal),
    tools: (server) =>
      run(server, async (live, signal) => {
        const { tools } = await live.client.listTools(undefined, { cacheMode: 'bypass', signal, timeout: server.timeoutMs });
        return { identity: live.identity, tools: tools as unknown as McpDefinition[] };
      }),
    read: (server, method, params, caller) =>
      run(
        server,
        async ({ client }, signal) => {
          const asked = { signal, timeout: server.timeoutMs, cacheMode: 'bypass' as const };
          const given = params as never;
          const answer =
            method === 'resources/list'
              ? await client.listResources(undefined, asked)
              : method === 'resources/templates/list'
                ? await client.listResourceTemplates(undefined, asked)
                : method === 'resources/read'
                  ? await client.readResource(given, asked)
                  : method === 'prompts/list'
                    ? await client.listPrompts(undefined, asked)
                    : await client.getPrompt(given, asked);
          return answer;
        },
        caller,
      ),
    onChange: (listener) => void listeners.add(listener),
    async drop(key) {
      const connection = connections.get(key);
      connections.delete(key);
      if (connection) await shut(connection);
    },
    open: () => [...connections].flatMap(([key, connection]) => (connection.state ? [{ key, ...connection.state }] : [])),
    async close() {
      closed = true;
      clearInterval(sweep);
      const all = [...connections.values()];
      connections.clear();
      const ended = Promise.allSettled([...all.map(shut), ...closing]);
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([ended, new Promise((done) => (timer = setTimeout(done, shutdownMs)))]);
      clearTimeout(timer);
      // The reaper ends the remaining children.
      reaper.close();
      await Promise.allSettled([guarded?.close(), trusted?.close()]);
    },
  };
}

async function callOn(live: Live, server: McpServer, call: McpCall, signal: AbortSignal, later: () => void): Promise<McpResult> {
  // Progress restarts the timeout.
  const { onProgress } = call;
  const alive: McpCall = onProgress
    ? {
        ...call,
        onProgress: (done, total, message) => {
          later();
          onProgress(done, total, message);
        },
      }
    : call;
  if (live.http && !call.definition && plain.test(call.tool)) return await postCall(live.http.port, live.http.session, alive, signal);
  const result = await live.client.callTool(
    { name: call.tool, arguments: call.arguments },
    {
      signal,
      // Longer than any call, because the signal ends the call in time.
      timeout: 24 * 3_600_000,
      ...(call.definition ? { toolDefinition: call.definition as never } : {}),
      ...(alive.onProgress ? { onprogress: ({ progress, total, message }) => alive.onProgress?.(progress, total, message) } : {}),
    },
  );
  return checkedResult(result);
}
