import { isLegacyJsonRpcMethod, isV1JsonRpcMethod } from '@a2a-js/sdk/compat/v0_3';
import { VersionNotSupportedError } from '@a2a-js/sdk/errors';
import type { FastifyRequest } from 'fastify';

export type Version = '1.0' | '0.3';

/**
 * The version from `A2A-Version`, as header or in the query; null: none given.
 * @throws VersionNotSupportedError
 */
export function namedVersion(request: FastifyRequest): Version | null {
  const header = request.headers['a2a-version'] ?? (request.query as Record<string, unknown> | undefined)?.['A2A-Version'];
  const named = (Array.isArray(header) ? header[0] : header) as unknown;
  if (typeof named !== 'string' || named.trim() === '') return null;
  const [, version] = /^(\d+\.\d+)(?:\.\d+)?$/.exec(named.trim()) ?? [];
  if (version === '1.0' || version === '0.3') return version;
  throw new VersionNotSupportedError(`A2A ${named.slice(0, 40)} is not supported. Supported versions: 1.0, 0.3.`);
}

/** The named version, otherwise the one of the method's name. Null: no version has this method. */
export function versionOf(request: FastifyRequest, method: unknown): Version | null {
  const named = namedVersion(request);
  if (named) return named;
  return isV1JsonRpcMethod(method) ? '1.0' : isLegacyJsonRpcMethod(method) ? '0.3' : null;
}
