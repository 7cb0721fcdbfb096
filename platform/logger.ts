import { trace } from '@opentelemetry/api';
import { pino, type Logger } from 'pino';
import { AppError } from '../contracts/errors.ts';

/** Ids of the active span, so that a line is found from its trace and a trace from its line. */
export function traceIds(): object {
  const { traceId, spanId } = trace.getActiveSpan()?.spanContext() ?? {};
  return traceId === undefined ? {} : { trace_id: traceId, span_id: spanId };
}

/** JSON lines on stderr, because stdout is for protocols and answers. Secrets are removed by name. */
export const createLogger = (service: string, level: string): Logger =>
  pino(
    {
      level,
      base: { service },
      messageKey: 'message',
      mixin: traceIds,
      formatters: { level: (label) => ({ severity: label === 'warn' ? 'WARNING' : label.toUpperCase() }) },
      redact: {
        paths: [
          'apiKey',
          'api_key',
          '*.apiKey',
          '*.api_key',
          'headers.authorization',
          'headers["x-api-key"]',
          'headers.cookie',
          '*.password',
          'err.config.headers',
        ],
        censor: '[removed]',
      },
    },
    pino.destination({ dest: 2, sync: false }),
  );

/** Prints why a process cannot start, as its last line, and exits. Errors that the operator can fix need no stack. */
export function cannotStart(log: Logger, error: unknown): never {
  if (error instanceof AppError) log.fatal({ hint: error.hint }, `cannot start: ${error.message}`);
  else log.fatal({ err: error }, `cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
