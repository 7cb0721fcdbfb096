/**
 * The stream of events, once per browser: one tab holds a lock and the connection, and tells the others. When it goes,
 * the next gets the lock and goes on from the last id that it was told. Without locks (plain http elsewhere) each
 * visible tab has a stream.
 */
import type { Event } from '../../../contracts/outbound/events.ts';
import { markStale } from './invalidate.ts';
import { queries } from './queries.ts';
import { sessionEnded, Signal, Store } from './signals.ts';
import { openStream, unconnected, type Connection, type Told } from './stream.ts';

type Message =
  | { kind: 'events'; events: Told[]; lastId: string }
  | { kind: 'connection'; connection: Connection; lastId: string }
  | { kind: 'gone' | 'hello' | 'retry' };

export const connection = new Store<Connection>(unconnected(Date.now()));
/** Each event once, in order. */
export const told = new Signal<Event[]>();

const kept = 200;
/** Of this tab, newest first. */
export const latest = new Store<Event[]>([]);

let lastId = '';
let channel: BroadcastChannel | null = null;
let stream: ReturnType<typeof openStream> | null = null;
let stopping: AbortController | null = null;

/**
 * Follows the stream for one user until the returned function is called.
 * @param from position at which a new tab begins. It is older than everything that the tab reads, so the tab misses no event.
 */
export function follow(user: string, from: string): () => void {
  stop();
  lastId ||= from;
  const ending = (stopping = new AbortController());
  channel = new BroadcastChannel(`signalbox-live ${user}`);
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => hear(data));
  if (!('locks' in navigator)) {
    const shown = (): void => (document.visibilityState === 'visible' ? lead() : rest());
    document.addEventListener('visibilitychange', shown, { signal: ending.signal });
    shown();
  } else {
    channel.postMessage({ kind: 'hello' } satisfies Message);
    navigator.locks
      .request(`signalbox-live ${user}`, { signal: ending.signal }, async () => {
        lead();
        await new Promise((done) => ending.signal.addEventListener('abort', done));
      })
      .catch(() => {});
  }
  return stop;
}

export const retryNow = (): void => {
  if (stream) stream.retryNow();
  else say({ kind: 'retry' });
};

const say = (message: Message): void => channel?.postMessage(message);

function stop(): void {
  rest();
  stopping?.abort();
  stopping = null;
  channel?.close();
  channel = null;
}

const rest = (): void => {
  stream?.close();
  stream = null;
};

function lead(): void {
  if (stream) return;
  stream = openStream({
    lastId,
    onEvents(events, id) {
      take(events, id);
      say({ kind: 'events', events, lastId: id });
    },
    onConnection(now) {
      changed(now);
      say({ kind: 'connection', connection: now, lastId });
    },
    onGone() {
      void queries.invalidateQueries();
      say({ kind: 'gone' });
    },
    onRefused(status) {
      if (status === 401) sessionEnded.fire();
    },
  });
}

function hear(message: Message): void {
  if (message.kind === 'events') take(message.events, message.lastId);
  else if (message.kind === 'connection') {
    if (message.lastId) lastId = message.lastId;
    changed(message.connection);
    if (message.connection.status === 'off') void queries.invalidateQueries({ queryKey: ['session'] });
  } else if (message.kind === 'gone') void queries.invalidateQueries();
  else if (message.kind === 'retry') stream?.retryNow();
  else if (stream) say({ kind: 'connection', connection: connection.get(), lastId });
}

function changed(now: Connection): void {
  const before = connection.get();
  connection.set(now);
  // What failed while the server was away, and what no event tells.
  if (now.status === 'live' && before.status === 'lost') void queries.invalidateQueries();
}

function take(events: Told[], id: string): void {
  lastId = id;
  if (events.length === 0) return;
  const parsed = events.map(({ data }) => JSON.parse(data) as Event);
  const known = new Set(latest.get().map((event) => event.id));
  const fresh = parsed.filter((event) => !known.has(event.id));
  if (fresh.length === 0) return;
  latest.set([...fresh.toReversed(), ...latest.get()].slice(0, kept));
  markStale(fresh);
  told.fire(fresh);
}
