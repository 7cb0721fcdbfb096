import { randomUUID } from 'node:crypto';
import { WebStandardStreamableHTTPServerTransport, isInitializeRequest, type InitializeRequest } from '@modelcontextprotocol/server';
import type { ServerParts } from '../parts.ts';
import { Questions } from './elicit.ts';
import { authInfoOf, type Exchange } from './exchange.ts';
import { listenFor } from './hand-over.ts';
import type { Follower, ListChanges } from './list-changes.ts';
import { SignalboxMcpServer } from './server.ts';

/** Data to restore a session after a restart. */
export interface StoredSession {
  id: string;
  tenant: string;
  keyId: string;
  profile: string;
  /** The version the client asked for. */
  protocolVersion: string;
  client: { clientInfo: unknown; capabilities: unknown };
  /** When it was opened; default: now. */
  openedAt?: Date;
}

export interface SessionStore {
  save(session: StoredSession): Promise<void>;
  find(tenant: string, id: string): Promise<StoredSession | null>;
  touch(tenant: string, id: string): Promise<void>;
  /** All apis end it. */
  remove(tenant: string, id: string): Promise<void>;
  /** Sends a message to the api that can use it. */
  send(tenant: string, id: string, body: unknown): Promise<void>;
  /** @returns whether the session is still known, and messages that nobody has taken */
  news(tenant: string, id: string): Promise<{ known: boolean; messages: { id: string; body: unknown }[] }>;
  taken(tenant: string, ids: string[]): Promise<void>;
}

/** A 2025 session: one connected server, reachable with its id and the key that opened it. */
export interface Session {
  id: string;
  tenant: string;
  keyId: string;
  mcp: SignalboxMcpServer;
  transport: WebStandardStreamableHTTPServerTransport;
  /** Calls answered outside the SDK, by their JSON-RPC id, for `notifications/cancelled`. */
  calls: Map<string | number, AbortController>;
  /** Open questions to the person at the client. */
  questions: Questions;
  /** Subscriber to changes of the tool list. */
  follower: Follower;
  unfollow: () => void;
  /** Open GET streams and running requests; a session in use is never removed. */
  inUse: number;
  openedAt: number;
  lastSeen: number;
  touched: number;
  over: AbortController;
}

const idleMs = 30 * 60_000;
const touchEvery = 5 * 60_000;
/** Sessions kept in memory; the one idle longest is removed, and restored from the store when it is used again. */
const maxSessions = 2_000;

export class Sessions {
  private readonly parts: ServerParts;
  private readonly changes: ListChanges;
  private readonly live = new Map<string, Session>();
  private readonly reviving = new Map<string, Promise<Session | null>>();
  private readonly sweeper: NodeJS.Timeout;

  constructor(parts: ServerParts, changes: ListChanges) {
    this.parts = parts;
    this.changes = changes;
    this.sweeper = setInterval(() => this.sweep(Date.now() - idleMs), 60_000).unref();
  }

  get size(): number {
    return this.live.size;
  }

  /** Serves `initialize`: opens a session and stores the data to restore it. */
  async open(request: Request, body: InitializeRequest, exchange: Exchange): Promise<Response> {
    const { tenant, keyId } = exchange.caller;
    const streams = request.headers.get('x-plain-accept') === null;
    const session = await this.build(randomUUID(), exchange, streams);
    this.live.set(session.id, session);
    const response = await session.transport.handleRequest(request, { parsedBody: body, authInfo: authInfoOf(exchange) });
    if (!response.headers.has('mcp-session-id')) {
      this.live.delete(session.id);
      session.unfollow();
    } else {
      const { clientInfo, capabilities, protocolVersion } = body.params;
      await this.parts.sessions
        ?.save({ id: session.id, tenant, keyId, profile: exchange.profile, protocolVersion, client: { clientInfo, capabilities } })
        .then(() => void listenFor(this.parts, session, () => this.drop(session)))
        .catch((error: unknown) => this.parts.log.warn({ err: error }, 'MCP session will not survive a restart'));
    }
    this.makeRoom();
    return response;
  }

  /** The caller's own session; a session of another key counts as unknown. */
  async find(id: string, exchange: Exchange): Promise<Session | null> {
    const { tenant, keyId } = exchange.caller;
    let session = this.live.get(id) ?? null;
    if (!session && this.parts.sessions && id.length <= 64) {
      let reviving = this.reviving.get(`${tenant} ${keyId} ${id}`);
      if (!reviving) {
        reviving = this.revive(id, exchange).finally(() => this.reviving.delete(`${tenant} ${keyId} ${id}`));
        this.reviving.set(`${tenant} ${keyId} ${id}`, reviving);
      }
      session = await reviving;
    }
    if (!session || session.tenant !== tenant || session.keyId !== keyId) return null;
    session.lastSeen = Date.now();
    this.inWorkSession(session, exchange.caller.access?.session?.id);
    this.touch(session);
    return session;
  }

  /** A client that changes its work session gets another tool list. */
  private inWorkSession(session: Session, id: string | undefined): void {
    if (session.follower.session === id) return;
    session.unfollow();
    session.follower = { ...session.follower, session: id };
    session.unfollow = this.changes.follow(session.follower);
    session.follower.tell();
  }

  /** Ends it here; its key may have ended, which ends it everywhere. */
  async drop(session: Session): Promise<void> {
    this.live.delete(session.id);
    session.over.abort();
    session.unfollow();
    await session.mcp.close().catch(() => {});
  }

  each(work: (session: Session) => void): void {
    for (const session of this.live.values()) work(session);
  }

  async close(): Promise<void> {
    clearInterval(this.sweeper);
    await Promise.all([...this.live.values()].map((session) => this.drop(session)));
  }

  /** A new process repeats the handshake internally; the client does not notice. */
  private async revive(id: string, exchange: Exchange): Promise<Session | null> {
    const { tenant, keyId } = exchange.caller;
    const stored = await this.parts.sessions?.find(tenant, id);
    if (!stored || stored.keyId !== keyId) return null;
    const { protocolVersion, client } = stored;
    const { name } = (client.clientInfo ?? {}) as { name?: string };
    const session = await this.build(id, { ...exchange, client: name }, true);
    const say = async (message: object): Promise<void> => {
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-session-id': id };
      const request = new Request('http://localhost/mcp', { method: 'POST', headers });
      const response = await session.transport.handleRequest(request, { parsedBody: message, authInfo: authInfoOf(exchange) });
      await response.text();
    };
    await say({ jsonrpc: '2.0', id: 'revive', method: 'initialize', params: { protocolVersion, ...client } });
    await say({ jsonrpc: '2.0', method: 'notifications/initialized' });
    session.openedAt = stored.openedAt?.getTime() ?? session.openedAt;
    this.live.set(id, session);
    void listenFor(this.parts, session, () => this.drop(session));
    this.makeRoom();
    return session;
  }

  private async build(id: string, exchange: Exchange, streams: boolean): Promise<Session> {
    const { caller, profile } = exchange;
    const { log } = this.parts;
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      enableJsonResponse: !streams,
      onsessionclosed: async () => {
        const session = this.live.get(id);
        session?.over.abort();
        session?.unfollow();
        this.live.delete(id);
        await this.parts.sessions?.remove(caller.tenant, id);
      },
    });
    const mcp = new SignalboxMcpServer(this.parts, exchange);
    mcp.server.onerror = (error) => log.debug({ err: error }, 'MCP session');
    await mcp.connect(transport);
    const now = Date.now();
    const tell = (): void => void mcp.server.sendToolListChanged().catch(() => {});
    const follower: Follower = { tenant: caller.tenant, profile, session: caller.access?.session?.id, tell };
    return {
      id,
      tenant: caller.tenant,
      keyId: caller.keyId,
      mcp,
      transport,
      calls: new Map(),
      questions: new Questions(),
      follower,
      unfollow: this.changes.follow(follower),
      inUse: 0,
      openedAt: now,
      lastSeen: now,
      touched: now,
      over: new AbortController(),
    };
  }

  private sweep(before: number): void {
    for (const session of this.live.values()) {
      if (session.inUse === 0 && session.lastSeen < before) void this.drop(session);
      else if (session.inUse > 0) this.touch(session);
    }
  }

  /** Keeps it in the store. */
  private touch(session: Session): void {
    const now = Date.now();
    if (now - session.touched <= touchEvery) return;
    session.touched = now;
    this.parts.sessions?.touch(session.tenant, session.id).catch(() => {});
  }

  private makeRoom(): void {
    if (this.live.size <= maxSessions) return;
    let idle: Session | null = null;
    for (const session of this.live.values()) {
      if (session.inUse === 0 && (idle === null || session.lastSeen < idle.lastSeen)) idle = session;
    }
    if (idle) void this.drop(idle);
  }
}

export const isInitialize = (body: unknown): body is InitializeRequest => isInitializeRequest(body);
