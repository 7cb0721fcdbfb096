import { pino, type Logger } from 'pino';

/** JSON lines on stderr, so that stdout stays free for protocols and answers. Secrets are cut out by name. */
export const createLogger = (service: string, level: string): Logger =>
  pino(
    {
      level,
      base: { service },
      messageKey: 'message',
      formatters: { level: (label) => ({ severity: label === 'warn' ? 'WARNING' : label.toUpperCase() }) },
      redact: {
        paths: [
          'apiKey',
          'api_key',
          '*.apiKey',
          '*.api_key',
          'headers.authorization',
          'headers["x-api-key"]',
          '*.password',
          'err.config.headers',
        ],
        censor: '[removed]',
      },
    },
    pino.destination({ dest: 2, sync: false }),
  );
