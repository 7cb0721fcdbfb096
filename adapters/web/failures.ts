import { AppError } from '../../contracts/errors.ts';
import { displayUrl } from './targets.ts';

const isTimeout = (code: string): boolean => /^(UND_ERR_(HEADERS|BODY|CONNECT)_TIMEOUT|ETIMEDOUT)$/.test(code);
const isCertificate = (code: string): boolean =>
  /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH)/.test(code);
const isProtocol = (code: string): boolean => /^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES|UND_ERR_REQ|ERR_HTTP)/.test(code);

const unavailable = (reason: string, message: string, hint: string, cause: unknown): AppError =>
  new AppError('SERVICE_UNAVAILABLE', message, { hint, details: { reason }, cause });

export const timedOut = (url: URL, what: string, cause?: unknown): AppError =>
  new AppError('TIMEOUT', `${url.host} ${what}.`, {
    hint: 'Try again later; a slow site may answer then.',
    details: { reason: 'timeout' },
    cause,
  });

/** Explains a failed request to the caller. Errors that are not about the network are returned unchanged. */
export function explainFailure(error: unknown, url: URL): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  // Several addresses were tried, each with its own error.
  const inner: Error = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
  const code = String((inner as NodeJS.ErrnoException).code ?? (inner.name === 'HTTPParserError' ? 'HPE_INVALID' : ''));
  if (isTimeout(code)) return timedOut(url, 'did not answer in time', error);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'ENODATA') {
    return unavailable('dns', `The host name ${url.hostname} was not found.`, 'Check its spelling, else try again later.', error);
  }
  if (isCertificate(code)) {
    return unavailable(
      'tls',
      `${url.host} has no valid certificate (${code}).`,
      'The site must correct it; without that it is not fetched.',
      error,
    );
  }
  if (isProtocol(code)) return unavailable('protocol', `${url.host} does not speak proper HTTP (${code}).`, 'Check the port.', error);
  if (code === '' || code === 'UND_ERR_INVALID_ARG') return error;
  return unavailable('network', `The connection to ${url.host} failed (${code}).`, 'Try again later.', error);
}

/** An answer whose status means that there is no document. `details`: reason http_status, status. */
export function statusError(url: URL, status: number, retryAfterSeconds: number | undefined): AppError {
  const at = displayUrl(url);
  const details = { reason: 'http_status', status, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
  if (status === 404 || status === 410) {
    return new AppError('NOT_FOUND', `There is nothing at ${at} (HTTP ${status}).`, { hint: 'Check the address.', details });
  }
  if (status === 401 || status === 402 || status === 403 || status === 407 || status === 451) {
    return new AppError('FORBIDDEN', `${at} is not open to everybody (HTTP ${status}).`, {
      hint: 'Download it where you may read it, and hand in the file.',
      details,
    });
  }
  if (status >= 500 || status === 408 || status === 425 || status === 429) {
    const busy = status === 429 || retryAfterSeconds !== undefined;
    return new AppError('SERVICE_UNAVAILABLE', `${at} is not available at the moment (HTTP ${status}).`, {
      hint: busy ? 'The site asks for a pause; try again after it.' : 'Try again later.',
      details,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    });
  }
  return new AppError('VALIDATION_ERROR', `${at} refuses the request (HTTP ${status}).`, { hint: 'Check the address.', details });
}
