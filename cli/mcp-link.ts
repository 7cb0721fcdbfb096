/** The bridge's connection to the api: sessions, streams, and finding it again after a restart. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Message {
  jsonrpc?: string;
  id?: string | number | null;
  method?: string;
  params?: { _meta?: Record<string, unknown>; name?: unknown; uri?: unknown; requestId?: string | number; protocolVersion?: string };
  [key: string]: unknown;
}

export interface Link {
  /** Posts one message and yields all that comes back for it. @throws Error when nothing answers there; what `isBroken` knows when the connection broke. */
  exchange(message: Message, signal: AbortSignal, idempotencyKey?: string): AsyncGenerator<Message>;
  /** devflow's call. */
  execute(body: unknown): Promise<unknown>;
  close(): Promise<void>;
}

export interface LinkOptions {
  /** Where the api is: `http://127.0.0.1:8080`, with or without `/mcp`. */
  url: string;
  apiKey?: string | undefined;
  /** Which tools are listed; default: the key's or the server's. */
  profile?: string | undefined;
  /** The worker that calls are attributed to. */
  agentId?: string | undefined;
  /** How long an api that went away is waited for, in ms. Default 30,000; 3,000 when it was never there. */
  patienceMs?: number | undefined;
  log: (line: string) => void;
  /** Receives what the server says without being asked. */
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
    ...(options.apiKey ? { 'x-api-key': options.apiKey } : {}),
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

  /** Waits for an api that is away or still starting; a connection that breaks after sending is the caller's to judge. */
  async function reach(url: string, init: RequestInit): Promise<Response> {
    const patience = options.patienceMs ?? (everReached ? 30_000 : 3_000);
    const until = Date.now() + patience;
    for (let waiting = false; ; waiting = true) {
      try {
        const response = await fetch(url, init);
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

  /** The session is unknown to the api: opens another with the client's own handshake, which it need not notice. */
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

  /** Keeps the session's own stream open, for what the server says unasked. */
  async function listen(): Promise<void> {
    const mine = session;
    while (mine && session === mine && !closing.signal.aborted) {
      try {
        const response = await reach(endpoint, { headers: { ...headersFor(null), accept: 'text/event-stream' }, signal: closing.signal });
        if (!response.ok) return void (await response.body?.cancel());
        for await (const message of messagesIn(response)) options.onMessage(message);
      } catch {
        // Away or broken: the next round waits for it.
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
        await fetch(endpoint, {
          method: 'DELETE',
          headers: { ...fixed, 'mcp-session-id': last.id },
          signal: AbortSignal.timeout(1_000),
        }).catch(() => {});
      }
    },
  };
}

/** A refusal before JSON-RPC was read has no id of its own: it belongs to what was asked. */
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

/** Carries its revision with it, so it is of 2026 or later: no session, and headers that repeat the body. */
export const isModern = (message: Message): boolean => message.params?._meta?.['io.modelcontextprotocol/protocolVersion'] !== undefined;

const codesOf = (error: unknown): (string | undefined)[] => {
  const cause = (error as { cause?: { code?: string; errors?: { code?: string }[] } }).cause;
  return [cause?.code, ...(cause?.errors ?? []).map((inner) => inner.code)];
};

/** Nothing was sent, so that sending again is safe. */
const isRefused = (error: unknown): boolean => codesOf(error).some((code) => code === 'ECONNREFUSED' || code === 'ENOTFOUND');

/** The connection went away after the message had left: whether it was acted on is unknown. */
export const isBroken = (error: unknown): boolean =>
  error instanceof TypeError &&
  (error.message === 'terminated' ||
    codesOf(error).some((code) => /^(ECONNRESET|EPIPE|ETIMEDOUT|UND_ERR_SOCKET|UND_ERR_BODY_TIMEOUT)$/.test(code ?? '')));

/** Header values are ASCII; anything else travels as Base64 (2026-07-28). */
const headerValue = (value: string): string =>
  /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(value) ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
