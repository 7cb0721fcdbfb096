import { Client, SSEClientTransport, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { storable } from '../../contracts/json.ts';
import { outgoingHeaders } from '../../contracts/headers.ts';
import { failureOf, McpFailure } from './failures.ts';
import { clientInfo, type HttpSession, type McpHttp } from './http.ts';
import type { Reaper } from './reaper.ts';
import { GroupedStdio } from './stdio.ts';
import type { McpIdentity, McpServer } from './types.ts';

/** A server after a successful handshake. */
export interface Live {
  client: Client;
  identity: McpIdentity;
  transport: 'stdio' | 'http' | 'sse';
  /** For calls without the SDK. */
  http: { port: McpHttp; session: HttpSession } | null;
  pid: number | null;
  since: number;
  /** Notifications no longer arrive: reconnect before the next use. */
  stale: boolean;
  close(): Promise<void>;
}

export interface ConnectPorts {
  /** By whether the address is trusted. */
  http(trusted: boolean): McpHttp;
  reaper: Reaper;
  onListChanged(): void;
  onGone(live: Live): void;
}

const connectMs = 10_000;
const probeMs = 4_000;

/** @throws McpFailure or AppError */
export async function connect(server: McpServer, ports: ConnectPorts): Promise<Live> {
  const { target } = server;
  const timeout = Math.min(connectMs, server.timeoutMs);
  if (target.transport === 'stdio') {
    const { command, args, cwd, env } = target;
    const make = () => new GroupedStdio({ command, args, cwd, env, reaper: ports.reaper });
    const first = make();
    try {
      return await opened(server, ports, first, 'stdio', timeout, true);
    } catch (error) {
      if (error instanceof McpFailure && error.reason === 'not_sent') throw error;
      // Old servers end, or answer invalidly, when they get another request before `initialize`.
      const second = make();
      try {
        return await opened(server, ports, second, 'stdio', timeout, false);
      } catch (again) {
        const failure = failureOf(again, false);
        const words = second.lastWords || first.lastWords;
        if (!(failure instanceof McpFailure) || words === '') throw failure;
        throw new McpFailure(failure.reason, `${failure.message} It said: ${words.slice(-500)}`, { cause: again });
      }
    }
  }
  const port = ports.http(target.trusted === true);
  const url = port.check(target.url);
  const requestInit = { headers: outgoingHeaders(target.headers) };
  const sse = () => opened(server, ports, new SSEClientTransport(url, { requestInit, fetch: port.fetch }), 'sse', timeout, false);
  if (target.transport === 'sse') return await sse();
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit,
    fetch: port.fetch,
    reconnectionOptions: { initialReconnectionDelay: 500, maxReconnectionDelay: 10_000, reconnectionDelayGrowFactor: 2, maxRetries: 3 },
  });
  try {
    return await opened(server, ports, transport, 'http', timeout, true);
  } catch (error) {
    // Only an explicit answer means an older server; an unavailable one is unavailable.
    if (!(error instanceof McpFailure) || error.reason !== 'no_endpoint') throw error;
    return await sse().catch(() => {
      throw error;
    });
  }
}

async function opened(
  server: McpServer,
  ports: ConnectPorts,
  transport: Transport,
  kind: Live['transport'],
  timeout: number,
  negotiate: boolean,
): Promise<Live> {
  const client = new Client(clientInfo, {
    capabilities: {},
    listMaxPages: 200,
    ...(negotiate ? { versionNegotiation: { mode: 'auto' as const, probe: { timeoutMs: Math.min(probeMs, timeout) } } } : {}),
    listChanged: { tools: { autoRefresh: false, onChanged: () => ports.onListChanged() } },
  });
  let live: Live | null = null;
  client.onerror = (error) => {
    if (live && /Failed to open SSE stream|Maximum reconnection/.test(error.message)) live.stale = true;
  };
  client.onclose = () => void (live && ports.onGone(live));
  try {
    await within(timeout * 2, client.connect(transport, { timeout }));
  } catch (error) {
    await client.close().catch(() => {});
    await transport.close().catch(() => {});
    throw failureOf(error, false);
  }
  const version = client.getNegotiatedProtocolVersion() ?? null;
  const named = client.getServerVersion();
  live = {
    client,
    transport: kind,
    identity: storable({
      name: named?.name?.slice(0, 200) ?? null,
      version: named?.version?.slice(0, 100) ?? null,
      protocolVersion: version,
    }),
    http: null,
    pid: transport instanceof GroupedStdio ? transport.pid : null,
    since: Date.now(),
    stale: false,
    async close() {
      if (transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined) {
        await within(1_000, transport.terminateSession()).catch(() => {});
      }
      await client.close().catch(() => {});
      await transport.close().catch(() => {});
    },
  };
  const { target } = server;
  if (kind === 'http' && target.transport !== 'stdio' && transport instanceof StreamableHTTPClientTransport && version !== null) {
    const port = ports.http(target.trusted === true);
    live.http = {
      port,
      session: {
        url: port.check(target.url),
        headers: outgoingHeaders(target.headers),
        id: transport.sessionId,
        version,
        modern: client.getProtocolEra() === 'modern',
      },
    };
  }
  return live;
}

/** @throws McpFailure on timeout; the caller closes the connection, which ends the work */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new McpFailure('not_sent', 'It did not answer the handshake in time.')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {});
  }
}
