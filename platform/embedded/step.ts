/**
 * Steps of a start that load more code than a supervisor should keep in memory. Each runs in a process of its own:
 * what a thread has allocated stays with the process that had it.
 */
import { fork } from 'node:child_process';
import { AppError, type ErrorCode } from '../../contracts/errors.ts';
import { stackError } from './process.ts';

type Answer = { result: unknown } | { error: { code: ErrorCode | null; message: string; hint?: string | undefined } };

/**
 * Runs a file that calls `answerStep`.
 * @param signal ends it
 * @throws AppError that the step threw; any other error of it with its message
 */
export function runStep<T>(file: URL, input: unknown, signal?: AbortSignal): Promise<T> {
  const child = fork(file, [], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // Its own process group: a Ctrl-C in the terminal reaches the supervisor only.
    detached: true,
    ...(signal ? { signal, killSignal: 'SIGKILL' } : {}),
  });
  return new Promise<T>((done, fail) => {
    child.once('message', (answer: Answer) => {
      if ('result' in answer) return done(answer.result as T);
      const { code, message, hint } = answer.error;
      fail(code === null ? new Error(message) : new AppError(code, message, hint === undefined ? {} : { hint }));
    });
    child.once('error', fail);
    child.once('exit', (code) => fail(stackError(`A step of the start ended without an answer (exit code ${code}).`)));
    child.send(input as object, () => {});
  });
}

/** The other side: does the one step that this process was started for, and ends when whoever started it has ended. */
export function answerStep<T>(work: (input: T) => Promise<unknown>): void {
  process.once('disconnect', () => process.exit());
  process.once('message', (input: T) => {
    work(input).then(
      (result) => answer({ result }),
      (error: unknown) => {
        const { message, code, hint } = error as AppError;
        answer({ error: { code: error instanceof AppError ? code : null, message, hint } });
      },
    );
  });
}

const answer = (message: Answer): void => void process.send?.(message, () => process.disconnect?.());
