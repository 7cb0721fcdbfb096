import { AppError } from '../../contracts/errors.ts';
import { currentTenant } from '../postgres/tenancy.ts';
import type { Config } from '../../platform/config.ts';
import { BoundedPool, type Trouble } from '../../platform/pool/pool.ts';
import { formatOf, parse } from './index.ts';
import { refusal } from './refusals.ts';
import type { Parsed, ParseInput } from './types.ts';
import { nextFile, type WaitingFile } from './waiting.ts';

/** Reads files that may be hostile: whatever a file does, this process goes on. */
export interface Parser {
  /**
   * @throws {AppError} VALIDATION_ERROR or PAYLOAD_TOO_LARGE with `details.reason` (refusals.ts) when the file cannot be
   *   read, however often it is tried; SERVICE_UNAVAILABLE when the reading was cut short by something else
   */
  parse(input: ParseInput): Promise<Parsed>;
  /** Ends the processes and refuses what still waits. Idempotent. */
  close(): Promise<void>;
}

export interface ParserSettings {
  /** For one file, from when its turn comes. */
  timeoutMs: number;
  memoryMb: number;
  maxPages: number;
  maxUnpackedBytes: number;
}

export const parserSettings = (
  config: Pick<Config, 'PARSE_TIMEOUT_SECONDS' | 'PARSE_MEMORY_MB' | 'PARSE_MAX_PAGES' | 'PARSE_MAX_UNPACKED_MB'>,
): ParserSettings => ({
  timeoutMs: config.PARSE_TIMEOUT_SECONDS * 1000,
  memoryMb: config.PARSE_MEMORY_MB,
  maxPages: config.PARSE_MAX_PAGES,
  maxUnpackedBytes: config.PARSE_MAX_UNPACKED_MB * 1024 * 1024,
});

/** Of one tenant; another one that has no file under way finds a further process, so that it never waits for these. */
const maxProcesses = 2;
/** Read within milliseconds, without which claims would wait: they are served by this process. */
const cheapBytes = 256 * 1024;
const cheapFormats: ReadonlySet<string> = new Set(['txt', 'md', 'vtt', 'srt']);

/** Small plain text is read here, everything else in a process of its own with bounds on time and memory. */
export function createParser(settings: ParserSettings): Parser {
  const { timeoutMs, memoryMb, maxPages, maxUnpackedBytes } = settings;
  const limits = { maxPages, maxUnpackedBytes };
  const pool = new BoundedPool<WaitingFile & { input: ParseInput }, Parsed>({
    kind: 'process',
    file: new URL('./bounded-host.ts', import.meta.url),
    size: maxProcesses + 1,
    memoryMb,
    jobMs: timeoutMs,
    jobsEach: 100,
    next: (waiting, busy) => nextFile(waiting, busy, maxProcesses),
    pack: ({ input: { bytes, filename, mediaType, as } }) => ({ bytes, filename, mediaType, as }),
    settings: () => ({ limits }),
    refuse: (trouble) => whyNot(trouble, settings),
  });
  let closed = false;
  return {
    async parse(input) {
      const cheap = input.as === undefined && input.bytes.length <= cheapBytes && cheapFormats.has(formatOf(input) ?? '');
      if (cheap && !closed) return await parse(input, limits);
      return await pool.run({ input, tenant: currentTenant() });
    },
    async close() {
      closed = true;
      await pool.close();
    },
  };
}

const unavailable = (why: string, cause?: unknown): AppError =>
  new AppError('SERVICE_UNAVAILABLE', `The file could not be read now: ${why}.`, {
    hint: 'Try again in a moment.',
    ...(cause === undefined ? {} : { cause }),
  });

/** The file is at fault when its process was late, ran out of memory or crashed, but not when something else ended the process. */
function whyNot({ why, ready, said, cause }: Trouble, { timeoutMs, memoryMb }: ParserSettings): Error {
  if (why === 'failed') return cause ?? new Error(said);
  if (why === 'closed') return unavailable('the parser was closed');
  if (!ready) return unavailable(why === 'late' ? 'its process did not start in time' : `its process did not start (${said})`, cause);
  if (why === 'late') return refusal('timeout', `The file took longer than ${said} to be read.`, { details: { timeout_ms: timeoutMs } });
  if (why === 'memory')
    return refusal('out_of_memory', `The file needs more than ${memoryMb} MB of memory to be read.`, { details: { memory_mb: memoryMb } });
  if (why === 'crashed') return refusal('damaged', `Reading the file ended its process (${said}).`);
  return unavailable(why === 'unusable' ? `its process could not be used (${said})` : `its process was ended (${said})`, cause);
}
