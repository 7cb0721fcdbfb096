import type { FastifyReply } from 'fastify';
import { openStreams } from '../../platform/metrics.ts';

/** Bytes that a reader may lag behind before it is disconnected: SSE has no backpressure. */
const maxLag = 8 * 1024 * 1024;

/** A text/event-stream answer on the raw socket, open until either side ends it. */
export class EventStream {
  private readonly reply: FastifyReply;
  private readonly timers: NodeJS.Timeout[] = [];

  /** Sends the headers, including those already set on the reply. */
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
    openStreams.inc();
    reply.raw.once('close', () => {
      openStreams.dec();
      this.timers.forEach(clearInterval);
    });
  }

  get open(): boolean {
    return !this.reply.raw.writableEnded && !this.reply.raw.destroyed;
  }

  event(name: string, data: unknown, id?: string): void {
    this.write(
      `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
    );
  }

  /** Sends everything that `work` writes in one packet. */
  together(work: () => void): void {
    const { raw } = this.reply;
    raw.cork();
    work();
    raw.uncork();
  }

  /** A single field without event: `retry`, or `id` as the position to resume from. */
  field(name: 'id' | 'retry', value: string | number): void {
    this.write(`${name}: ${value}\n\n`);
  }

  /**
   * Resolves when the written data was passed to the network. A reader that reads nothing for this long is
   * disconnected.
   */
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

  /** Repeats an action until the stream ends. */
  every(ms: number, work: () => void): void {
    if (this.open) this.timers.push(setInterval(work, ms).unref());
  }

  /** Runs immediately if the client has already disconnected: the event fires only once. */
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
