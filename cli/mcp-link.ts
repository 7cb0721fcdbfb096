/** The bridge's connection to the api: sessions, streams, and reconnection after a restart. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Message {
  jsonrpc?: string;
  id?: string | number | null;
  method?: string;
  params?: { _meta?: Record<string, unknown>; name?: unknown; uri?: unknown; requestId?: string | number; protocolVersion?: string };
  [key: string]: unknown;
}

export interface Link {
  /**
   * Posts one message and yields all replies to it. @throws Error when no server answers; an error for which `isBroken` is true when the
   * connection broke.
   */
  exchange(message: Message, signal: AbortSignal, idempotencyKey?: string): AsyncGenerator<Message>;
  /** A call in devflow's format. */
  execute(body: unknown): Promise<unknown>;
  close(): Promise<void>;
}

export interface LinkOptions {
  /** Where the api is: `http://127.0.0.1:8080`, with or without `/mcp`. */
  url: string;
  /** The headers that tell who calls; asked for with each request, because tokens expire. */
  authorization(): Promise<Record<string, string>>;
  /** The profile whose tools are listed; default: the key's, else the server's. */
  profile?: string | undefined;
  /** The worker name under which calls are made. */
  agentId?: string | undefined;
  /** How long to wait for an unreachable api, in ms. Default: 30,000; 3,000 before the first successful connection. */
  patienceMs?: number | undefined;
  log: (line: string) => void;
  /** Receives messages that the server sends on its own stream. */
  onMessage(message: Message): void;
}

export function connect(options: LinkOptions): Link {
  const base = options.url.replace(/\/+$/, '').replace(/\/mcp$/, '');
  const endpoint = `${base}/mcp${options.profile ? `/p/${encodeURIComponent(options.profile)}` : ''}`;
  const closing = new AbortController();
  let everReached = false;
  let handshake: Message | null = null;
  let session: { id: string; version: string } | null = null;
  let renewing: Promise<void> | null = null;

  const fixed: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(options.agentId ? { 'x-agent-id': options.agentId } : {}),
  };

  function headersFor(message: Message | null): Record<string, string> {
    if (message && isModern(message)) {
      const name = message.params?.name ?? message.params?.uri;
      return {
        ...fixed,
        'mcp-protocol-version': String(message.params?._meta?.['io.modelcontextprotocol/protocolVersion']),
        'mcp-method': message.method!,
        ...(typeof name === 'string' ? { 'mcp-name': headerValue(name) } : {}),
      };
    }
    if (!session || message?.method === 'initialize') return fixed;
    return { ...fixed, 'mcp-session-id': session.id, 'mcp-protocol-version': session.version };
  }

  const signed = async (init: RequestInit): Promise<RequestInit> => ({
    ...init,
    headers: { ...(init.headers as Record<string, string>), ...(await options.authorization()) },
  });

  /** Waits for an api that is unreachable or still starting. If the connection breaks after sending, the caller decides what to do. */
  async function reach(url: string, init: RequestInit): Promise<Response> {
    const patience = options.patienceMs ?? (everReached ? 30_000 : 3_000);
    const until = Date.now() + patience;
    for (let waiting = false; ; waiting = true) {
      try {
        const response = await fetch(url, await signed(init));
        everReached = true;
        if (response.status !== 503 || Date.now() > until) return response;
        await response.body?.cancel();
      } catch (error) {
        if (init.signal?.aborted || !isRefused(error)) throw error;
        if (Date.now() > until) {
          throw new Error(`No Signalbox answers at ${base}. Start one with "npm start", or set SIGNALBOX_URL.`);
        }
      }
      if (!waiting) options.log(`waiting for ${base}`);
      await sleep(200, undefined, init.signal ? { signal: init.signal } : {});
    }
  }

  async function* exchange(message: Message, signal: AbortSignal, idempotencyKey?: string): AsyncGenerator<Message> {
    const used = session;
    const send = () =>
      reach(endpoint, {
        method: 'POST',
        headers: { ...headersFor(message), ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}) },
        body: JSON.stringify(message),
        signal,
      });
    let response = await send();
    if (response.status === 404 && used && handshake && !isModern(message)) {
      await response.body?.cancel();
      await renew(used);
      response = await send();
    }
    if (message.method === 'initialize') remember(message, response);
    for await (const answer of messagesIn(response)) yield withId(answer, message, response.status);
    if (message.method === 'notifications/initialized') void listen();
  }

  function remember(message: Message, response: Response): void {
    const id = response.headers.get('mcp-session-id');
    handshake = message;
    session = id ? { id, version: message.params?.protocolVersion ?? '2025-03-26' } : null;
  }

  /** The api does not know the session: opens a new one with the client's stored handshake, invisibly to the client. */
  async function renew(lost: { id: string }): Promise<void> {
    if (session?.id !== lost.id) return;
    renewing ??= (async () => {
      const response = await reach(endpoint, {
        method: 'POST',
        headers: fixed,
        body: JSON.stringify({ ...handshake, id: 'bridge' }),
        signal: closing.signal,
      });
      if (!response.ok) throw new Error(`The session could not be renewed (HTTP ${response.status}).`);
      remember(handshake!, response);
      await response.text();
      await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
      void listen();
      options.log('session renewed');
      options.onMessage({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    })().finally(() => (renewing = null));
    await renewing;
  }

  const post = async (message: Message): Promise<void> => {
    const response = await reach(endpoint, {
      method: 'POST',
      headers: headersFor(message),
      body: JSON.stringify(message),
      signal: closing.signal,
    });
    await response.text();
  };

  /** Keeps the session's stream open for messages that answer no request. */
  async function listen(): Promise<void> {
    const mine = session;
    while (mine && session === mine && !closing.signal.aborted) {
      try {
        const response = await reach(endpoint, { headers: { ...headersFor(null), accept: 'text/event-stream' }, signal: closing.signal });
        if (!response.ok) return void (await response.body?.cancel());
        for await (const message of messagesIn(response)) options.onMessage(message);
      } catch {
        // The api is unreachable or the connection broke: the next round waits for it.
      }
      if (!closing.signal.aborted) await sleep(500);
    }
  }

  return {
    exchange,
    async execute(body) {
      const response = await reach(`${base}/mcp/execute`, { method: 'POST', headers: fixed, body: JSON.stringify(body) });
      const answer = (await response.json()) as Record<string, unknown>;
      if ('request_id' in answer) return answer;
      const { request_id: requestId } = body as { request_id: unknown };
      return { request_id: requestId, result: null, error: answer.detail ?? `HTTP ${response.status}`, error_detail: answer.error };
    },
    async close() {
      const last = session;
      session = null;
      closing.abort();
      if (last) {
        const ending = { method: 'DELETE', headers: { ...fixed, 'mcp-session-id': last.id }, signal: AbortSignal.timeout(1_000) };
        await signed(ending)
          .then((init) => fetch(endpoint, init))
          .catch(() => {});
      }
    },
  };
}

/** A request that is refused before JSON-RPC is parsed has no id in its answer: add the request's id. */
function withId(answer: Message, asked: Message, status: number): Message {
  if (answer.jsonrpc === undefined && status >= 400) {
    return { jsonrpc: '2.0', id: asked.id ?? null, error: { code: -32000, message: `The api answered HTTP ${status}.` } };
  }
  return answer.error !== undefined && (answer.id === null || answer.id === undefined) ? { ...answer, id: asked.id ?? null } : answer;
}

async function* messagesIn(response: Response): AsyncGenerator<Message> {
  if (!response.body || response.status === 202 || response.status === 204) return;
  if (!response.headers.get('content-type')?.includes('text/event-stream')) {
    const text = await response.text();
    if (text !== '') yield parse(text);
    return;
  }
  let rest = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + chunk).split(/\r?\n\r?\n/);
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = event
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trimStart())
        .join('\n');
      if (data !== '') yield parse(data);
    }
  }
}

const parse = (text: string): Message => {
  try {
    return JSON.parse(text) as Message;
  } catch {
    return {};
  }
};

/** A message that names its protocol revision is from 2026 or later: no session, and headers that repeat the body. */
export const isModern = (message: Message): boolean => message.params?._meta?.['io.modelcontextprotocol/protocolVersion'] !== undefined;

const codesOf = (error: unknown): (string | undefined)[] => {
  const cause = (error as { cause?: { code?: string; errors?: { code?: string }[] } }).cause;
  return [cause?.code, ...(cause?.errors ?? []).map((inner) => inner.code)];
};

/** The request was not sent, so sending it again is safe. */
const isRefused = (error: unknown): boolean => codesOf(error).some((code) => code === 'ECONNREFUSED' || code === 'ENOTFOUND');

/** The connection broke after the message was sent: it may or may not have been executed. */
export const isBroken = (error: unknown): boolean =>
  error instanceof TypeError &&
  (error.message === 'terminated' ||
    codesOf(error).some((code) => /^(ECONNRESET|EPIPE|ETIMEDOUT|UND_ERR_SOCKET|UND_ERR_BODY_TIMEOUT)$/.test(code ?? '')));

/** Header values are ASCII; other characters are sent as Base64 (MCP 2026-07-28). */
const headerValue = (value: string): string =>
  /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(value) ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
