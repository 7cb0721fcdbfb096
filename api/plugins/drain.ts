import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Releases the shutdown from waiting for this request: it became a stream. */
    leave?: () => void;
  }
}

/** Counts running requests, so that a shutdown answers all accepted ones. */
export class Drain {
  /** The process is about to stop. */
  draining = false;
  private busy = 0;
  private idleNow: (() => void)[] = [];

  /** Counts everything except GET: those are fast, or streams without end. */
  install(app: FastifyInstance): void {
    app.decorateRequest('leave');
    app.addHook('onRequest', async (request, reply) => {
      if (this.draining) reply.header('connection', 'close');
      if (request.method === 'GET') return;
      const leave = this.hold();
      request.leave = leave;
      reply.raw.once('finish', leave);
      reply.raw.once('close', leave);
    });
  }

  /** Delays the shutdown until the returned function is called. */
  hold(): () => void {
    let held = true;
    this.busy += 1;
    return () => {
      if (!held) return;
      held = false;
      this.busy -= 1;
      if (this.busy === 0) this.idleNow.splice(0).forEach((tell) => tell());
    };
  }

  /** Resolves when no request is running, or at the deadline. */
  async idle(deadlineMs: number): Promise<void> {
    if (this.busy === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.idleNow.push(resolve);
      timer = setTimeout(resolve, deadlineMs);
    });
    clearTimeout(timer);
  }
}
