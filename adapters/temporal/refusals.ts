/** What a refused or failed connection to Temporal means for the person who configures it. */
import { AppError } from '../../contracts/errors.ts';
import type { TemporalTarget } from './connection.ts';

/** Codes that say more than the message beside them. */
const grpcNames: Record<number, string> = { 7: 'PERMISSION_DENIED', 16: 'UNAUTHENTICATED' };

/** Everything that an error and its causes say, as one text. */
function said(error: unknown): string {
  const parts: string[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = (cause as { code?: unknown }).code;
    parts.push(typeof code === 'number' ? (grpcNames[code] ?? '') : '', cause.message);
  }
  return parts.join(' ');
}

/** In order: the first that matches is told. */
const meanings: [RegExp, string, string][] = [
  [
    /PERMISSION_DENIED|PermissionDenied/i,
    'Temporal knows these credentials, but they may not use this namespace.',
    'Check TEMPORAL_NAMESPACE (in Temporal Cloud: name.account) and the rights of the API key or certificate there.',
  ],
  [
    /UNAUTHENTICATED|unauthorized|jwt|token is expired/i,
    'Temporal refused the credentials.',
    'Check TEMPORAL_API_KEY (or TEMPORAL_API_KEY_FILE), or the client certificate: they may be missing, expired, or of another account.',
  ],
  [
    /NotValidForName|does not match certificate|altnames|Hostname\/IP/i,
    "The server's certificate is for another name.",
    'Set TEMPORAL_TLS_SERVER_NAME to the name in its certificate, or correct TEMPORAL_ADDRESS.',
  ],
  [
    /UnknownIssuer|self[- ]signed|unable to (verify|get)|invalid peer certificate|CERT_/i,
    "The server's certificate is not signed by a known authority.",
    'Set TEMPORAL_TLS_SERVER_CA_CERT_PATH to the certificate of the authority that signed it.',
  ],
  [
    /certificate ?required|bad certificate|alert number (42|46|116)|unknown ca|handshake failure/i,
    'The server wants a client certificate, or refuses the given one.',
    'Set TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH to a pair that the server accepts.',
  ],
  [
    /wrong version number|InvalidContentType|packet length too long|corrupt message/i,
    'The server does not speak TLS.',
    'Set TEMPORAL_TLS=false and remove the TEMPORAL_TLS_… settings, or correct TEMPORAL_ADDRESS.',
  ],
  [/Namespace .*not found|NamespaceNotFound/i, 'The namespace does not exist.', '`signalbox temporal setup` creates it.'],
  [
    /ENOTFOUND|EAI_AGAIN|dns error|Name resolution failed/i,
    'The name of the server is not known.',
    'Correct TEMPORAL_ADDRESS (host:port).',
  ],
];

/** A failed call to Temporal as an error that names the setting to look at. */
export function connectionProblem(error: unknown, { address, namespace, tls }: TemporalTarget): AppError {
  if (error instanceof AppError) return error;
  const text = said(error);
  const [, what, hint] = meanings.find(([pattern]) => pattern.test(text)) ?? [
    null,
    'Temporal does not answer.',
    `Does it run, and is TEMPORAL_ADDRESS right?${tls ? '' : ' If it wants TLS, set TEMPORAL_TLS=true.'}`,
  ];
  return new AppError('SERVICE_UNAVAILABLE', `${what} (${address}, namespace ${namespace}${tls ? ', TLS' : ''})`, { hint, cause: error });
}
