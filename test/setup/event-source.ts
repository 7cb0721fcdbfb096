/** A client of server-sent events that reconnects with the last id, like browsers. */
import { request, type IncomingMessage } from 'node:http';

export interface Heard {
  id: string;
  event: string;
  data: string;
}

export interface Source {
  heard: Heard[];
  /** Of each connection, in order; 0: refused to connect. */
  statuses: number[];
  /** The id from which it would continue. */
  lastId: string;
  /** Connected, and told where it is. */
  ready: Promise<void>;
  /** How often the server has ended a stream. */
  ends: number;
  close(): void;
}

export interface SourceOptions {
  key: string;
  lastId?: string;
  /** Delay before it reconnects, in ms. Default 20. */
  retryMs?: number;
  /** Stops reading: the slowest client there is. */
  frozen?: boolean;
  headers?: Record<string, string>;
  /** Called as each event comes. */
  onEvent?: (heard: Heard) => void;
}

/** Follows an event stream until it is closed; a stream that ends is opened anew. */
export function openSource(url: string, { key, lastId = '', retryMs = 20, frozen = false, headers = {}, onEvent }: SourceOptions): Source {
  let closed = false;
  let current: ReturnType<typeof request> | null = null;
  let begun = (): void => {};
  const source: Source = {
    heard: [],
    statuses: [],
    lastId,
    ends: 0,
    ready: new Promise((resolve) => (begun = resolve)),
    close() {
      closed = true;
      current?.destroy();
    },
  };
  const again = (): void => {
    if (!closed) setTimeout(connect, retryMs);
  };
  const read = (response: IncomingMessage): void => {
    source.statuses.push(response.statusCode ?? 0);
    if (response.statusCode !== 200) {
      response.resume();
      return again();
    }
    if (frozen) {
      response.pause();
      return begun();
    }
    let rest = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      const blocks = (rest + chunk).split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks) take(block);
    });
    response.on('close', () => {
      source.ends += 1;
      again();
    });
    response.on('error', () => {});
  };
  const take = (block: string): void => {
    const fields: Record<string, string> = {};
    for (const line of block.split('\n')) {
      const at = line.indexOf(': ');
      if (at > 0) fields[line.slice(0, at)] = line.slice(at + 2);
    }
    if (fields['id'] !== undefined) {
      source.lastId = fields['id'];
      begun();
    }
    if (fields['data'] === undefined) return;
    const heard = { id: fields['id'] ?? '', event: fields['event'] ?? '', data: fields['data'] };
    source.heard.push(heard);
    onEvent?.(heard);
  };
  function connect(): void {
    if (closed) return;
    const lastIdHeader: Record<string, string> = source.lastId === '' ? {} : { 'last-event-id': source.lastId };
    current = request(url, { headers: { 'x-api-key': key, ...headers, ...lastIdHeader }, agent: false }, read);
    current.on('error', () => {
      source.statuses.push(0);
      again();
    });
    current.end();
  }
  connect();
  return source;
}
