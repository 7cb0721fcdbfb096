import { AppError, type ErrorCode } from '../contracts/errors.ts';

/** Exit codes of the command. */
export const exits = { ok: 0, failed: 1, usage: 2, unreachable: 3, refused: 4, interrupted: 130 } as const;

/** An error that the user can act on. `code` is an error code of the API, or USAGE. */
export class CliError extends Error {
  readonly exit: number;
  readonly code: ErrorCode | 'USAGE';
  readonly hint: string | undefined;
  /** The server's whole answer, which `--json` prints instead of code, message and hint. */
  readonly document: unknown;

  constructor(exit: number, code: ErrorCode | 'USAGE', message: string, extra: { hint?: string | undefined; document?: unknown } = {}) {
    super(message);
    this.name = 'CliError';
    this.exit = exit;
    this.code = code;
    this.hint = extra.hint;
    this.document = extra.document;
  }
}

export const usage = (message: string, hint?: string): CliError => new CliError(exits.usage, 'USAGE', message, { hint });

export const unreachable = (message: string, hint = 'Start it with `npm start` (or `npx signalbox up --detach`).'): CliError =>
  new CliError(exits.unreachable, 'SERVICE_UNAVAILABLE', message, { hint });

export const exitOf = (code: string): number => (code === 'UNAUTHORIZED' || code === 'FORBIDDEN' ? exits.refused : exits.failed);

/** Converts every expected failure to a CliError. @returns null for a defect */
export function asCliError(error: unknown): CliError | null {
  if (error instanceof CliError) return error;
  if (error instanceof AppError) return new CliError(exitOf(error.code), error.code, error.message, { hint: error.hint });
  return null;
}
