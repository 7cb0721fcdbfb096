import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../contracts/errors.ts';
import { EventStream } from '../mcp/event-stream.ts';
import type { ServerParts } from '../parts.ts';
import { callerNow, isFinal } from '../plugins/auth.ts';

/** Interval of keep-alives in ms, so that proxies do not close a stream while a task works. */
const keepAliveMs = 15_000;
/** How soon a stream ends after its key was revoked or has expired, in ms. */
const checkKeyMs = 5_000;
/** A subscription lasts as long as its task, which may wait for days, so the number is limited. */
const maxPerKey = 100;

/** Open streams and waiting answers. A shutdown ends them; the tasks continue. */
export class Listening {
  private readonly parts: Pick<ServerParts, 'authenticate' | 'config'>;
  private readonly open = new Set<AbortController>();
  private readonly streams = new Map<string, number>();

  constructor(parts: Pick<ServerParts, 'authenticate' | 'config'>) {
    this.parts = parts;
  }

  /** A signal that fires when the client disconnects or this process stops. */
  signal(reply: FastifyReply): AbortSignal {
    const controller = new AbortController();
    this.open.add(controller);
    reply.raw.once('close', () => {
      this.open.delete(controller);
      controller.abort();
    });
    return controller.signal;
  }

  close(): void {
    for (const controller of this.open) controller.abort();
  }

  /**
   * Sends events as they arrive. The first event is awaited before the headers, so that a refusal is a normal answer.
   * @param failed event to send when the stream fails later
   * @throws errors of the first event; AppError RATE_LIMIT_EXCEEDED before it begins
   */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    events: AsyncGenerator<unknown, void, undefined>,
    failed: (error: unknown) => unknown,
  ): Promise<FastifyReply> {
    // Already disconnected: `close` has already fired.
    if (reply.raw.destroyed) return reply.hijack();
    this.enter(request.caller.keyId, reply);
    // A shutdown does not wait for streams.
    request.leave?.();
    const first = await events.next();
    const stream = new EventStream(reply);
    stream.every(keepAliveMs, () => stream.comment('still here'));
    stream.every(checkKeyMs, () => {
      callerNow(this.parts, request).catch((error: unknown) => {
        // Otherwise it is unknown at the moment.
        if (!isFinal(error)) return;
        stream.event('error', failed(error));
        stream.end();
      });
    });
    try {
      if (!first.done) stream.data(first.value);
      for await (const event of events) {
        if (!stream.open) break;
        stream.data(event);
      }
    } catch (error) {
      stream.event('error', failed(error));
    }
    stream.end();
    return reply;
  }

  private enter(keyId: string, reply: FastifyReply): void {
    const open = this.streams.get(keyId) ?? 0;
    if (open >= maxPerKey) {
      throw new AppError('RATE_LIMIT_EXCEEDED', `This key already has ${maxPerKey} open streams.`, {
        hint: 'Close one, or have the tasks call back.',
        retryAfterSeconds: 30,
        details: { limit: maxPerKey },
      });
    }
    this.streams.set(keyId, open + 1);
    reply.raw.once('close', () => {
      const others = (this.streams.get(keyId) ?? 1) - 1;
      if (others > 0) this.streams.set(keyId, others);
      else this.streams.delete(keyId);
    });
  }
}
