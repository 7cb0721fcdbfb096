import type { FastifyReply, FastifyRequest } from 'fastify';
import { EventStream } from '../mcp/event-stream.ts';

/** Keeps proxies from closing a stream while a task works in silence, in ms. */
const keepAliveMs = 15_000;

/** Streams and waiting answers that are open; a shutdown ends them, the tasks go on. */
export class Listening {
  private readonly open = new Set<AbortController>();

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
}

/**
 * Answers with the events as they come. The first is awaited before the headers, so that a refusal is a plain answer.
 * @param failed what is sent when it fails later on
 * @throws what the first event throws
 */
export async function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  events: AsyncGenerator<unknown, void, undefined>,
  failed: (error: unknown) => unknown,
): Promise<FastifyReply> {
  // A stream is no answer that a shutdown waits for.
  request.leave?.();
  const first = await events.next();
  const stream = new EventStream(reply);
  stream.every(keepAliveMs, () => stream.comment('still here'));
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
