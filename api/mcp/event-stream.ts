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

  event(name: string, data: unknown): void {
    this.write(`event: ${name}\ndata: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
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

  onClose(work: () => void): void {
    this.reply.raw.once('close', work);
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
