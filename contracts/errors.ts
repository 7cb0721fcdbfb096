/** The closed set of error codes. Each front end renders them in its own way. */
export const errorCodes = [
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'AMBIGUOUS_ENTITY',
  'CONFLICT',
  'GONE',
  'TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMIT_EXCEEDED',
  'SERVICE_UNAVAILABLE',
  'INTERNAL',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

export const httpStatus: Record<ErrorCode, number> = {
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  AMBIGUOUS_ENTITY: 409,
  CONFLICT: 409,
  GONE: 410,
  TIMEOUT: 408,
  PAYLOAD_TOO_LARGE: 413,
  RATE_LIMIT_EXCEEDED: 429,
  SERVICE_UNAVAILABLE: 503,
  INTERNAL: 500,
};

export interface ErrorDetails {
  /** What the caller can do next, in one sentence. */
  hint?: string;
  /** Close names, best first ("did you mean"). */
  alternatives?: string[];
  retryAfterSeconds?: number;
  /** Overrides the default of the code: for example, a site that answers 410 is permanently unavailable. */
  retryable?: boolean;
  /** Possible meanings of an ambiguous name, best first. The caller repeats the call with one of them. */
  candidates?: Record<string, unknown>[];
  /** Machine-readable facts: ids, limits, the offending fields. Never secrets. */
  details?: Record<string, unknown>;
  cause?: unknown;
}

/** An error the caller can understand and act on. Anything else is a defect: logged once, answered as INTERNAL. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly alternatives: string[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly candidates: Record<string, unknown>[] | undefined;
  readonly details: Record<string, unknown> | undefined;
  private readonly mayPass: boolean | undefined;

  constructor(code: ErrorCode, message: string, extra: ErrorDetails = {}) {
    super(message, extra.cause === undefined ? undefined : { cause: extra.cause });
    this.name = 'AppError';
    this.code = code;
    this.hint = extra.hint;
    this.alternatives = extra.alternatives;
    this.retryAfterSeconds = extra.retryAfterSeconds;
    this.candidates = extra.candidates;
    this.details = extra.details;
    this.mayPass = extra.retryable;
  }

  /** Whether the same call may succeed later without being changed. */
  get retryable(): boolean {
    return this.mayPass ?? (this.code === 'RATE_LIMIT_EXCEEDED' || this.code === 'SERVICE_UNAVAILABLE' || this.code === 'TIMEOUT');
  }

  get httpStatus(): number {
    return httpStatus[this.code];
  }
}

export const notFound = (what: string, id: string, hint?: string): AppError =>
  new AppError('NOT_FOUND', `No ${what} with id "${id}".`, hint === undefined ? {} : { hint });
