import { AppError } from '../../contracts/errors.ts';
import { neverBegun } from './failures.ts';

const mostPerPlace = 16;

/** Limits running and waiting requests and refuses the rest, so that a slow server delays only its own callers. */
export class Gate {
  private readonly places: number;
  private taken = 0;
  private readonly waiting = new Set<() => void>();

  constructor(places: number) {
    this.places = places;
  }

  get busy(): boolean {
    return this.taken > 0;
  }

  /**
   * @returns a function that releases the slot
   * @throws AppError SERVICE_UNAVAILABLE (busy, not_sent)
   */
  async enter(who: string, timeoutMs: number, signal?: AbortSignal): Promise<() => void> {
    if (this.taken < this.places) {
      this.taken += 1;
      return this.leave();
    }
    if (this.waiting.size >= this.places * mostPerPlace) {
      throw new AppError('SERVICE_UNAVAILABLE', `${who} has as many calls under way and waiting as it may have.`, {
        hint: 'Try again shortly; external.server.update raises "concurrency" where the server can bear more.',
        retryAfterSeconds: 1,
        details: { reason: 'busy', concurrency: this.places, waiting: this.waiting.size },
      });
    }
    await new Promise<void>((resolve, reject) => {
      const end = (settle: () => void): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', aborted);
        this.waiting.delete(woken);
        settle();
      };
      const woken = (): void => end(resolve);
      const aborted = (): void => end(() => reject(neverBegun(who)));
      const timer = setTimeout(
        () =>
          end(() =>
            reject(
              new AppError('SERVICE_UNAVAILABLE', `${who} is busy: no call before this one ended in ${Math.round(timeoutMs / 1000)} s.`, {
                hint: 'Nothing was sent. Try again later.',
                retryAfterSeconds: 5,
                details: { reason: 'busy', concurrency: this.places },
              }),
            ),
          ),
        timeoutMs,
      );
      this.waiting.add(woken);
      if (signal?.aborted) aborted();
      else signal?.addEventListener('abort', aborted, { once: true });
    });
    return this.leave();
  }

  private leave(): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const [next] = this.waiting;
      // The slot goes to the longest waiting caller.
      if (next) next();
      else this.taken -= 1;
    };
  }
}
