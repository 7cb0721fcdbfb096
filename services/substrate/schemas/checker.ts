import { AppError } from '../../../contracts/errors.ts';
import type { SchemaError } from '../../../contracts/substrate/schemas.ts';
import { BoundedPool, type Trouble } from '../../../platform/pool/pool.ts';
import type { CheckReply, CheckRequest } from './checker-thread.ts';

export interface Checked {
  valid: boolean;
  errors: SchemaError[];
}

export interface CheckerLimits {
  /** Timeout for compiling a schema. One of 256 KB takes a second or two, several times that on a busy machine. */
  compileMs: number;
  /** Timeout for validating one instance. */
  checkMs: number;
  memoryMb: number;
  /** Maximum waiting calls. */
  waiting: number;
}

const defaults: CheckerLimits = { compileMs: 10_000, checkMs: 2_000, memoryMb: 128, waiting: 200 };

/** Validates instances in threads that are terminated when a schema takes too much time or memory. */
export class Checker {
  private readonly limits: CheckerLimits;
  private readonly pool: BoundedPool<CheckRequest, CheckReply>;

  constructor(limits: Partial<CheckerLimits> = {}) {
    this.limits = { ...defaults, ...limits };
    this.pool = new BoundedPool({
      kind: 'thread',
      file: new URL('./checker-thread.ts', import.meta.url),
      // One hostile schema must not hold up everybody's.
      size: 2,
      memoryMb: this.limits.memoryMb,
      jobMs: (stage) => (stage === 'follow' ? this.limits.checkMs : this.limits.compileMs),
      idleMs: 30_000,
      failTogether: true,
      refuse: whyNot,
    });
  }

  /**
   * Compiles and tests a schema.
   * @throws AppError VALIDATION_ERROR with `details.reason`: invalid, endless, time or memory; SERVICE_UNAVAILABLE:
   * too many calls wait
   */
  async compile(schema: Record<string, unknown>): Promise<void> {
    await this.run({ key: null, schema });
  }

  /**
   * @param key identifies the schema permanently: an immutable version.
   * @throws as `compile`
   */
  async check(key: string, schema: Record<string, unknown>, instance: unknown): Promise<Checked> {
    return await this.run({ key, schema, instance });
  }

  /** Ends the threads. Idempotent. */
  close(): Promise<void> {
    return this.pool.close();
  }

  private async run(request: CheckRequest): Promise<Checked> {
    if (this.pool.waiting >= this.limits.waiting) {
      throw new AppError('SERVICE_UNAVAILABLE', 'Too many schemas are being checked.', {
        hint: 'Try again in a moment.',
        retryAfterSeconds: 2,
      });
    }
    const reply = await this.pool.run(request);
    if (reply.type === 'refused') throw refused(reply.message, reply.reason);
    return { valid: reply.valid, errors: reply.errors };
  }
}

function whyNot({ why, ready, stage, said, cause }: Trouble): Error {
  if (why === 'memory') return refused('It takes more memory than it may.', 'memory');
  if (why === 'closed') return new AppError('SERVICE_UNAVAILABLE', 'This process is about to end.', { retryAfterSeconds: 1 });
  if (why !== 'late') return cause ?? new Error('the thread that checks schemas has ended');
  if (!ready) return new Error('the thread that checks schemas does not start');
  return refused(`It takes longer than ${said} to ${stage || 'compile'}.`, 'time');
}

const refused = (message: string, reason: string): AppError =>
  new AppError('VALIDATION_ERROR', `The schema cannot be used: ${message}`, {
    hint: 'JSON Schema 2020-12; a smaller or simpler schema (or instance) needs less.',
    details: { reason },
  });
