/** Fakes of Slack and HubSpot for the connectors: over HTTP, with their formats of answers and errors. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Posted {
  channel: string;
  text: string;
  thread_ts?: string;
  client_msg_id?: string;
  metadata?: unknown;
  ts: string;
}

/** The outcome of the next request: this answer, executed with a lost connection, or a connection lost before. */
export type Mishap =
  { status: number; headers?: Record<string, string>; body?: unknown } | 'lost_after' | 'lost_before' | { platform: string };

export interface Provider {
  url: string;
  token: string;
  server: Server;
  /** Requests seen, by method and path. */
  requests: string[];
  /** One for each request that changes something, in order; then all goes well. */
  mishaps: Mishap[];
  close(): Promise<void>;
}

export interface SlackDouble extends Provider {
  posted: Posted[];
  /** Whether the app may read channels. */
  readable: boolean;
  /** Called before an answer is sent. */
  hold: (() => Promise<void>) | null;
}

export async function slackDouble(token: string): Promise<SlackDouble> {
  const slack = {
    token,
    requests: [] as string[],
    mishaps: [] as Mishap[],
    posted: [] as Posted[],
    readable: true,
    hold: null as SlackDouble['hold'],
  } as SlackDouble;
  await serve(slack, async (request, body, reply) => {
    const form = new URLSearchParams(body);
    const method = new URL(request.url ?? '/', 'http://slack').pathname.replace(/^\/api\//, '');
    slack.requests.push(method);
    if (request.headers.authorization !== `Bearer ${token}`) return json(reply, { ok: false, error: 'invalid_auth' });
    if (method === 'chat.getPermalink') {
      return json(reply, {
        ok: true,
        permalink: `https://acme.slack.test/archives/${form.get('channel')}/p${form.get('message_ts')?.replace('.', '')}`,
      });
    }
    if (method === 'conversations.history' || method === 'conversations.replies') {
      if (!slack.readable) return json(reply, { ok: false, error: 'missing_scope' });
      const all = slack.posted.filter((message) => message.channel === form.get('channel'));
      return json(reply, { ok: true, messages: all, has_more: false });
    }
    if (method !== 'chat.postMessage') return json(reply, { ok: false, error: 'unknown_method' });
    const mishap = slack.mishaps.shift();
    if (mishap === 'lost_before') return request.socket.destroy();
    if (typeof mishap === 'object') {
      if ('platform' in mishap) return json(reply, { ok: false, error: mishap.platform });
      return json(reply, mishap.body ?? {}, mishap.status, mishap.headers);
    }
    if (form.get('channel') === 'C_NONE') return json(reply, { ok: false, error: 'channel_not_found' });
    const message: Posted = {
      channel: form.get('channel') ?? '',
      text: form.get('text') ?? '',
      ...(form.get('thread_ts') ? { thread_ts: form.get('thread_ts')! } : {}),
      client_msg_id: form.get('client_msg_id') ?? '',
      metadata: JSON.parse(form.get('metadata') ?? 'null'),
      ts: `${Math.floor(Date.now() / 1000)}.${String(slack.posted.length + 1).padStart(6, '0')}`,
    };
    slack.posted.push(message);
    await slack.hold?.();
    if (mishap === 'lost_after') return request.socket.destroy();
    json(reply, { ok: true, channel: message.channel, ts: message.ts, message });
  });
  slack.url = `${slack.url}/api/`;
  return slack;
}

export interface HubspotDouble extends Provider {
  deals: Map<string, Record<string, string>>;
}

export async function hubspotDouble(token: string): Promise<HubspotDouble> {
  const hubspot = { token, requests: [] as string[], mishaps: [] as Mishap[], deals: new Map() } as unknown as HubspotDouble;
  await serve(hubspot, async (request, body, reply) => {
    const url = new URL(request.url ?? '/', 'http://hubspot');
    hubspot.requests.push(`${request.method} ${url.pathname}`);
    const refuse = (status: number, category: string): void =>
      json(reply, { status: 'error', category, message: 'no', correlationId: 'c' }, status);
    if (request.headers.authorization !== `Bearer ${token}`) return refuse(401, 'INVALID_AUTHENTICATION');
    const id = /^\/crm\/v3\/objects\/deals\/(\d+)$/.exec(url.pathname)?.[1];
    const deal = hubspot.deals.get(id ?? '');
    if (!id || !deal) return refuse(404, 'OBJECT_NOT_FOUND');
    let mishap: Mishap | undefined;
    if (request.method === 'PATCH') {
      mishap = hubspot.mishaps.shift();
      if (mishap === 'lost_before') return request.socket.destroy();
      if (typeof mishap === 'object' && 'status' in mishap) return json(reply, mishap.body ?? {}, mishap.status, mishap.headers);
      Object.assign(deal, (JSON.parse(body) as { properties: Record<string, string> }).properties);
      if (mishap === 'lost_after') return request.socket.destroy();
    }
    json(reply, { id, properties: deal, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-11-22T09:00:00.000Z', archived: false });
  });
  return hubspot;
}

async function serve(
  provider: Provider,
  handle: (request: IncomingMessage, body: string, reply: ServerResponse) => Promise<unknown>,
): Promise<void> {
  const server = createServer((request, reply) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => void handle(request, body, reply));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  provider.server = server;
  provider.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  provider.close = async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
}

function json(reply: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}): void {
  reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
