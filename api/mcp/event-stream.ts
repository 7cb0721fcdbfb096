import type { FastifyReply } from 'fastify';

/** Bytes a reader may lag behind before it is cut off: SSE has no backpressure of its own. */
const maxLag = 8 * 1024 * 1024;

/** A text/event-stream answer on the bare socket, open until either side ends it. */
export class EventStream {
  private readonly reply: FastifyReply;
  private readonly timers: NodeJS.Timeout[] = [];

  /** Sends the headers, those already set on the reply included. */
  constructor(reply: FastifyReply, headers: Record<string, string> = {}) {
    this.reply = reply;
    const set = reply.getHeaders();
    reply.hijack();
    reply.raw.writeHead(200, {
      ...(set as Record<string, string>),
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      ...headers,
    });
    reply.raw.flushHeaders();
    reply.raw.on('close', () => this.timers.forEach(clearInterval));
  }

  get open(): boolean {
    return !this.reply.raw.writableEnded && !this.reply.raw.destroyed;
  }

  event(name: string, data: unknown, id?: string): void {
    this.write(
      `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
    );
  }

  /** Hands what `work` writes over to the network at once. */
  together(work: () => void): void {
    const { raw } = this.reply;
    raw.cork();
    work();
    raw.uncork();
  }

  /** A field alone, which is no event: `retry`, or `id` to say where to go on. */
  field(name: 'id' | 'retry', value: string | number): void {
    this.write(`${name}: ${value}\n\n`);
  }

  /** Resolves when what was written has been taken over by the network. A reader that takes nothing for so long is cut off. */
  async flushed(patienceMs: number): Promise<void> {
    const { raw } = this.reply;
    if (!this.open || !raw.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => raw.destroy(), patienceMs).unref();
      const done = (): void => {
        clearTimeout(timer);
        raw.off('drain', done);
        raw.off('close', done);
        resolve();
      };
      raw.on('drain', done);
      raw.on('close', done);
    });
  }

  /** An event without a name. */
  data(data: unknown): void {
    this.write(`data: ${JSON.stringify(data)}\n\n`);
  }

  /** Keeps proxies from closing a silent connection. */
  comment(text: string): void {
    this.write(`: ${text}\n\n`);
  }

  /** Does something again and again until the stream ends. */
  every(ms: number, work: () => void): void {
    if (this.open) this.timers.push(setInterval(work, ms).unref());
  }

  /** Done at once when the client has gone already: its going is told once. */
  onClose(work: () => void): void {
    if (this.reply.raw.destroyed) work();
    else this.reply.raw.once('close', work);
  }

  end(): void {
    if (this.open) this.reply.raw.end();
  }

  private write(text: string): void {
    if (!this.open) return;
    this.reply.raw.write(text);
    if (this.reply.raw.writableLength > maxLag) this.reply.raw.destroy();
  }
}
