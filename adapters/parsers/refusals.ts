import { AppError } from '../../contracts/errors.ts';
import { maxCharacters } from './types.ts';

/** Why a file was not parsed; the value of `details.reason`. */
export type RefusalReason =
  | 'encrypted'
  | 'no_text_layer'
  | 'truncated'
  | 'damaged'
  | 'empty'
  | 'too_large'
  | 'too_many_pages'
  | 'timeout'
  | 'out_of_memory'
  | 'unsupported'
  | 'mislabelled';

const tooLarge: ReadonlySet<RefusalReason> = new Set(['too_large', 'too_many_pages', 'timeout', 'out_of_memory']);

const hints: Record<RefusalReason, string> = {
  encrypted: 'Remove the password and give the file again.',
  no_text_layer: 'Run OCR over it first and give the result.',
  truncated: 'The transfer may have been cut off: give the whole file again.',
  damaged: 'Open it and save it again in its own program, or export it to another format.',
  empty: 'Give a file with content.',
  too_large: 'Split the file, or raise PARSE_MAX_UNPACKED_MB.',
  too_many_pages: 'Split the file, or raise PARSE_MAX_PAGES.',
  timeout: 'Split the file, or raise PARSE_TIMEOUT_SECONDS.',
  out_of_memory: 'Split the file, or raise PARSE_MEMORY_MB.',
  unsupported: 'Convert it to a supported format.',
  mislabelled: 'Give the file with its right name, or the file that was meant.',
};

export interface RefusalExtra {
  /** Replaces the reason's default hint. */
  hint?: string;
  details?: Record<string, unknown>;
  cause?: unknown;
}

/** A file that cannot be parsed, however often it is retried. */
export function refusal(reason: RefusalReason, message: string, { hint = hints[reason], details, cause }: RefusalExtra = {}): AppError {
  return new AppError(tooLarge.has(reason) ? 'PAYLOAD_TOO_LARGE' : 'VALIDATION_ERROR', message, {
    hint,
    details: { reason, ...details },
    ...(cause === undefined ? {} : { cause }),
  });
}

/**
 * @throws AppError PAYLOAD_TOO_LARGE before too much text is created: a small file may repeat one text a million
 * times
 */
export function assertCharacters(count: number): void {
  if (count <= maxCharacters) return;
  throw refusal('too_large', `The file holds more than ${maxCharacters} characters of text.`, {
    hint: 'Split the file.',
    details: { max_characters: maxCharacters },
  });
}

/** Maps a library's error for the submitter of the file. */
export function refusalOf(error: unknown, what: string): AppError {
  if (error instanceof AppError) return error;
  const said = error instanceof Error ? error.message : String(error);
  if (/invalid (string|array|typed array) length|array buffer allocation failed|longer than 0x/i.test(said)) {
    return refusal('out_of_memory', `${what} needs more memory to be read than it may take.`, { cause: error });
  }
  // A RangeError of the call stack is caused by nesting only.
  const nested = /maximum call stack|nested tags/i.test(said);
  const why = nested ? 'it is nested too deep' : said.replace(/\s+/g, ' ').slice(0, 200);
  return refusal('damaged', `${what} cannot be read: ${why}`, { cause: error });
}
