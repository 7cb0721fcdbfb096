import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../contracts/errors.ts';
import { EventStream } from '../mcp/event-stream.ts';
import type { ServerParts } from '../parts.ts';
import { callerNow, isFinal } from '../plugins/auth.ts';

/** Keeps proxies from closing a stream while a task works in silence, in ms. */
const keepAliveMs = 15_000;
/** How soon a stream ends whose key has been revoked or has ended, in ms. */
const checkKeyMs = 5_000;
/** A subscription lasts as long as its task, which may wait for days. */
const maxPerKey = 100;

/** Streams and waiting answers that are open; a shutdown ends them, the tasks go on. */
export class Listening {
  private readonly parts: Pick<ServerParts, 'authenticate' | 'config'>;
  private readonly open = new Set<AbortController>();
  private readonly streams = new Map<string, number>();

  constructor(parts: Pick<ServerParts, 'authenticate' | 'config'>) {
    this.parts = parts;
  }

  /** A signal that fires when the client is gone or this process stops. */
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
   * Answers with the events as they come. The first is awaited before the headers, so that a refusal is a plain answer.
   * @param failed what is sent when it fails later on
   * @throws what the first event throws; AppError RATE_LIMIT_EXCEEDED, before anything is begun
   */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    events: AsyncGenerator<unknown, void, undefined>,
    failed: (error: unknown) => unknown,
  ): Promise<FastifyReply> {
    // Gone already: nobody would tell that it leaves.
    if (reply.raw.destroyed) return reply.hijack();
    this.enter(request.caller.keyId, reply);
    // A stream is no answer that a shutdown waits for.
    request.leave?.();
    const first = await events.next();
    const stream = new EventStream(reply);
    stream.every(keepAliveMs, () => stream.comment('still here'));
    stream.every(checkKeyMs, () => {
      callerNow(this.parts, request).catch((error: unknown) => {
        // Else it cannot be known now.
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
      throw new AppError('RATE_LIMIT_EXCEEDED', `This key has ${maxPerKey} streams open already.`, {
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
