import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { Envelope } from '../../../contracts/envelope.ts';
import { ask } from './call.ts';
import { CallError } from './errors.ts';
import { follow } from './jobs.ts';
import { connection } from './live.ts';
import { queries } from './queries.ts';
import { ended } from './session.ts';
import type { Store } from './signals.ts';

export type Acting =
  | { is: 'ready' }
  | { is: 'running' }
  /** The answer was lost. It is asked for again under the same key, so that the call acts once. */
  | { is: 'away'; attempts: number }
  | { is: 'done'; answer: Envelope }
  /** The call waits for a person. */
  | { is: 'waits'; answer: Envelope; approvalId: string }
  | { is: 'failed'; error: Error };

export interface Act {
  state: Acting;
  busy: boolean;
  run(args: object): Promise<Envelope | null>;
  reset(): void;
}

/** Random also where `crypto.randomUUID` does not exist: on plain http. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Rests before an answer is asked for again, in ms; a stream that comes back ends them. */
const rests = [1_000, 2_000, 4_000, 8_000, 15_000];

/** Until the time is over, or the store gets a value that is waited for. */
function until<T>(store: Store<T>, good: (value: T) => boolean, ms: number): Promise<void> {
  return new Promise((done) => {
    const finish = (): void => {
      window.clearTimeout(timer);
      off();
      done();
    };
    const timer = window.setTimeout(finish, ms);
    const off = store.on(() => good(store.get()) && finish());
  });
}

/**
 * Calls a writing tool and gets its answer, however often the answer is lost: each try has the same idempotency key.
 * After the session has ended it waits for the next one.
 * @throws CallError what the server refuses
 */
export async function act(tool: string, args: object, onAway: (attempts: number) => void = () => {}): Promise<Envelope> {
  const key = newKey();
  for (let attempts = 1; ; attempts += 1) {
    try {
      const answer = await ask(tool, args, { key });
      const job = answer.status === 'accepted' ? answer.refs.find(({ type }) => type === 'job') : undefined;
      if (job) follow(job.id);
      // What was written is read again, also where no event reports it.
      const context = tool.split('.')[0]!;
      void queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[1]).startsWith(`${context}.`) });
      return answer;
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (error.status === 401) await until(ended, (over) => !over, 10 * 60_000);
      else if (error.passing) {
        onAway(attempts);
        const rest = error.retryAfter ? error.retryAfter * 1000 : rests[Math.min(attempts, rests.length) - 1]!;
        await until(connection, ({ status }) => status === 'live' && error.status !== 429, rest);
      } else throw error;
    }
  }
}

/** One action of a screen, with its state for the button and the message beside it. */
export function useAct(tool: string, onDone?: (answer: Envelope, args: object) => void): Act {
  const [state, setState] = useState<Acting>({ is: 'ready' });
  const done = useRef(onDone);
  useLayoutEffect(() => {
    done.current = onDone;
  });
  const run = useCallback(
    async (args: object) => {
      setState({ is: 'running' });
      try {
        const answer = await act(tool, args, (attempts) => setState({ is: 'away', attempts }));
        const approvalId = answer.status === 'pending_approval' ? answer.refs.find(({ type }) => type === 'approval')?.id : undefined;
        if (approvalId === undefined) {
          setState({ is: 'done', answer });
          done.current?.(answer, args);
        } else setState({ is: 'waits', answer, approvalId });
        return answer;
      } catch (error) {
        setState({ is: 'failed', error: error as Error });
        return null;
      }
    },
    [tool],
  );
  const reset = useCallback(() => setState({ is: 'ready' }), []);
  return { state, busy: state.is === 'running' || state.is === 'away', run, reset };
}
