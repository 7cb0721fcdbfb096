import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../contracts/errors.ts';
import { BoundedPool, type PoolOptions } from '../../platform/pool/pool.ts';

/** A process without an answer for this long is ended. */
const stallMs = 60_000;

export interface ModelOptions<Request> extends Pick<PoolOptions<Request>, 'file' | 'size' | 'next' | 'pack' | 'settings' | 'niceness'> {
  /** Folder with `model.onnx` and `tokenizer.json`. */
  dir: string;
  /** Milliseconds without work after which a process ends and gives its memory back. Default 5 minutes. */
  idleMs: number | ((slot: number) => number) | undefined;
  unavailable: Unavailable;
}

type Unavailable = (why: string, cause?: unknown) => AppError;

/** Creates the error for a model that cannot be used. */
export const unavailableModel =
  (what: string, hint: string): Unavailable =>
  (why, cause) =>
    new AppError('SERVICE_UNAVAILABLE', `${what} cannot be used: ${why}`, { hint, ...(cause === undefined ? {} : { cause }) });

/**
 * A model in separate processes, which start with the first call and end when idle.
 *
 * Why processes: onnxruntime's `run` blocks the event loop of its thread (8 to 250 ms a text), a native crash must not
 * end the caller, and only the end of a process frees the model's memory (measured: after a worker thread ended, 100 to
 * 200 MB stayed in use).
 */
export function modelPool<Request, Reply>(options: ModelOptions<Request>): BoundedPool<Request, Reply> {
  const { dir, idleMs = 300_000, unavailable, settings, ...rest } = options;
  return new BoundedPool<Request, Reply>({
    kind: 'process',
    startMs: stallMs,
    jobMs: stallMs,
    idleMs,
    // If the model does not load, the text is not the cause: an immediate retry would fail again.
    failTogether: true,
    settings() {
      const own = settings?.() as object | undefined;
      for (const name of ['model.onnx', 'tokenizer.json']) {
        try {
          accessSync(join(dir, name), constants.R_OK);
        } catch (error) {
          throw unavailable(`${name} is not readable`, error);
        }
      }
      return { dir, ...own };
    },
    refuse({ why, ready, said }) {
      if (why === 'closed' || why === 'failed' || why === 'unusable') return unavailable(said);
      if (why === 'late') return unavailable(ready ? `a text took longer than ${stallMs} ms` : `it did not load within ${stallMs} ms`);
      return unavailable(`its process ended (${said})`);
    },
    ...rest,
  });
}
