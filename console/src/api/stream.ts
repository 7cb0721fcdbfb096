/** One connection to the stream of events that reconnects with the last id. By fetch, because EventSource hides status and Retry-After. */
export interface Told {
  id: string;
  type: string;
  data: string;
}

export interface Connection {
  status: 'connecting' | 'live' | 'lost' | 'off';
  /** When it got that status. */
  since: number;
  /** When the server was heard last. */
  heard: number;
  /** When it is tried again. */
  retryAt: number | null;
  /** Events that came at once after the connection was back; null: it was not lost. */
  caughtUp: number | null;
}

export const unconnected = (now: number): Connection => ({ status: 'connecting', since: now, heard: 0, retryAt: null, caughtUp: null });

interface Handlers {
  lastId: string;
  onEvents(events: Told[], lastId: string): void;
  onConnection(connection: Connection): void;
  /** Events since the last id are gone: everything must be read again. */
  onGone(): void;
  /** The session is over, or the user may not read events. */
  onRefused(status: number): void;
}

/** The server says something every 15 seconds. */
const silenceMs = 40_000;
const longestMs = 15_000;
/** Within this time after a reconnection events count as missed ones. */
const catchUpMs = 1_000;

export function openStream({ lastId, onEvents, onConnection, onGone, onRefused }: Handlers): { close(): void; retryNow(): void } {
  let closed = false;
  let attempt = 0;
  let wasLost = false;
  let connection = unconnected(Date.now());
  let current: AbortController | null = null;
  let timer: number | undefined;
  const tell = (change: Partial<Connection>): void => {
    const status = change.status ?? connection.status;
    connection = { ...connection, ...change, since: status === connection.status ? connection.since : Date.now() };
    onConnection(connection);
  };

  const again = (afterMs?: number): void => {
    if (closed) return;
    wasLost = true;
    const wait = afterMs ?? Math.min(longestMs, 1000 * 2 ** attempt) * (0.75 + Math.random() / 2);
    attempt += 1;
    tell({ status: 'lost', retryAt: Date.now() + wait });
    timer = window.setTimeout(() => void connect(), wait);
  };

  async function connect(): Promise<void> {
    window.clearTimeout(timer);
    current = new AbortController();
    const { signal } = current;
    let silence: number | undefined;
    const heard = (): void => {
      window.clearTimeout(silence);
      silence = window.setTimeout(() => current?.abort(), silenceMs);
    };
    try {
      heard();
      const response = await fetch('/console/api/events', { headers: lastId ? { 'last-event-id': lastId } : {}, signal });
      if (!response.ok || !response.body) return refused(response.status, Number(response.headers.get('retry-after')) || undefined);
      attempt = 0;
      const since = Date.now();
      let missed = 0;
      tell({ status: 'live', retryAt: null, heard: since, caughtUp: null });
      if (wasLost) window.setTimeout(() => connection.status === 'live' && tell({ caughtUp: missed }), catchUpMs);
      wasLost = false;
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      const parser = new Parser(lastId);
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        heard();
        const events = parser.take(value);
        const end = events.find(({ type }) => type === 'session.ended' || type === 'refused');
        if (end) return refused(end.type === 'session.ended' ? 401 : statusOf(end.data));
        lastId = parser.lastId;
        if (Date.now() - since < catchUpMs) missed += events.length;
        if (events.length > 0 || parser.moved) onEvents(events, lastId);
        tell({ heard: Date.now() });
      }
      again();
    } catch {
      again();
    } finally {
      window.clearTimeout(silence);
    }
  }

  function refused(status: number, retryAfter?: number): void {
    if (closed) return;
    if (status === 410) {
      lastId = '';
      onGone();
      return again(0);
    }
    if (status === 401 || status === 403) {
      closed = true;
      current?.abort();
      tell({ status: 'off', retryAt: null });
      return onRefused(status);
    }
    again(retryAfter === undefined ? undefined : retryAfter * 1000);
  }

  void connect();
  return {
    close() {
      closed = true;
      window.clearTimeout(timer);
      current?.abort();
    },
    retryNow: () => void (connection.status === 'lost' && connect()),
  };
}

const statusOf = (data: string): number => {
  const code = (JSON.parse(data) as { error?: { code?: string } }).error?.code;
  return code === 'GONE' ? 410 : code === 'UNAUTHORIZED' ? 401 : code === 'FORBIDDEN' ? 403 : 500;
};

/** Server-sent events from pieces of text. */
export class Parser {
  lastId: string;
  /** The position moved without an event. */
  moved = false;
  private rest = '';

  constructor(lastId: string) {
    this.lastId = lastId;
  }

  take(text: string): Told[] {
    const blocks = (this.rest + text).split('\n\n');
    this.rest = blocks.pop() ?? '';
    this.moved = false;
    return blocks.flatMap((block) => {
      const fields = new Map<string, string>();
      for (const line of block.split('\n')) {
        const at = line.indexOf(':');
        if (at > 0) fields.set(line.slice(0, at), line.slice(at + 1).replace(/^ /, ''));
      }
      const id = fields.get('id');
      if (id !== undefined) {
        this.lastId = id;
        this.moved = true;
      }
      const data = fields.get('data');
      return data === undefined ? [] : [{ id: id ?? '', type: fields.get('event') ?? 'message', data }];
    });
  }
}
