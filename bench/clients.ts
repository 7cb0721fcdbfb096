/** Two MCP clients: plain JSON-RPC posts over keep-alive connections, and the official client. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Agent, request } from 'node:http';

export interface CallOptions {
  /** The agent name: many agents may share one key and one connection. */
  agent?: string | undefined;
  idempotencyKey?: string | undefined;
  /** Timeout in ms, after which the outcome is unknown. Default 60,000. */
  timeoutMs?: number | undefined;
}

/** The envelope of every answer. */
export interface Answer<T = Record<string, unknown>> {
  status: string;
  data: T;
  warnings: string[];
  tool_call_id: string;
  error?: { code: string; message: string; retryable: boolean; details?: Record<string, unknown>; retry_after_seconds?: number };
}

export interface Caller {
  /** The answer, also a refusal. @throws Error without an answer: the outcome is unknown. */
  call<T = Record<string, unknown>>(tool: string, args: object, options?: CallOptions): Promise<Answer<T>>;
  /** Data of a call that must succeed. */
  ok<T = Record<string, unknown>>(tool: string, args: object, options?: CallOptions): Promise<T>;
  list(): Promise<unknown[]>;
  close(): Promise<void>;
}

const meta = ({ agent, idempotencyKey }: CallOptions): Record<string, string> => ({
  ...(agent === undefined ? {} : { 'signalbox/agent_id': agent }),
  ...(idempotencyKey === undefined ? {} : { idempotency_key: idempotencyKey }),
});

const withOk = (caller: Omit<Caller, 'ok'>): Caller => ({
  ...caller,
  async ok<T>(tool: string, args: object, options?: CallOptions) {
    const answer = await caller.call<T>(tool, args, options);
    if (answer.error) throw new Error(`${tool}: ${answer.error.code} ${answer.error.message}`);
    return answer.data;
  },
});

/** Posts without session or handshake. @param sockets maximum number of open connections */
export function thinCaller(mcpUrl: string, apiKey: string, sockets = 64): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: sockets });
  const url = new URL(mcpUrl);
  let lastId = 0;

  function post(method: string, params: object, timeoutMs = 60_000): Promise<Record<string, unknown>> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++lastId, method, params });
    return new Promise((resolve, reject) => {
      const outgoing = request(
        url,
        {
          method: 'POST',
          agent,
          headers: {
            'content-type': 'application/json',
            accept: 'application/json',
            'x-api-key': apiKey,
            'content-length': Buffer.byteLength(body),
          },
          timeout: timeoutMs,
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () => {
            try {
              resolve(JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>);
            } catch {
              reject(new Error(`no JSON from ${method} (HTTP ${incoming.statusCode})`));
            }
          });
        },
      );
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${timeoutMs} ms`)));
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  return withOk({
    async call<T>(tool: string, args: object, options: CallOptions = {}) {
      const answer = await post('tools/call', { name: tool, arguments: args, _meta: meta(options) }, options.timeoutMs);
      const envelope = (answer['result'] as { structuredContent?: Answer<T> } | undefined)?.structuredContent;
      if (envelope) return envelope;
      throw new Error(`${tool}: ${JSON.stringify(answer['error'] ?? answer).slice(0, 400)}`);
    },
    async list() {
      return ((await post('tools/list', {}))['result'] as { tools: unknown[] }).tools;
    },
    close() {
      agent.destroy();
      return Promise.resolve();
    },
  });
}

/** @param era '2025': a session with its handshake; '2026': the stateless revision */
export async function officialCaller(mcpUrl: string, apiKey: string, era: '2025' | '2026'): Promise<Caller> {
  const client = new Client({ name: 'signalbox-bench', version: '1.0.0' }, era === '2026' ? { versionNegotiation: { mode: 'auto' } } : {});
  const transport = new StreamableHTTPClientTransport(new URL(mcpUrl), { requestInit: { headers: { 'x-api-key': apiKey } } });
  await client.connect(transport);
  return withOk({
    async call<T>(tool: string, args: object, options: CallOptions = {}) {
      const result = await client.callTool(
        { name: tool, arguments: args as Record<string, unknown>, _meta: meta(options) },
        { timeout: options.timeoutMs ?? 60_000 },
      );
      return result.structuredContent as Answer<T>;
    },
    list: async () => (await client.listTools()).tools,
    close: () => client.close(),
  });
}
