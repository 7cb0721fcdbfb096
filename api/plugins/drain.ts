import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Says that shutdown need not wait for this request any longer: it is a stream now, not an answer. */
    leave?: () => void;
  }
}

/** Knows what is still being answered, so that a shutdown loses nothing that was accepted. */
export class Drain {
  private busy = 0;
  private idleNow: (() => void)[] = [];

  /** Counts everything but GET: those are quick, or streams that never end by themselves. */
  install(app: FastifyInstance): void {
    app.decorateRequest('leave');
    app.addHook('onRequest', async (request, reply) => {
      if (request.method === 'GET') return;
      const leave = this.hold();
      request.leave = leave;
      reply.raw.once('finish', leave);
      reply.raw.once('close', leave);
    });
  }

  /** Holds the shutdown up until the returned function is called. */
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

  /** Resolves when nothing is being answered, or at the deadline. */
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
