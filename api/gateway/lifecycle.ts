import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../contracts/errors.ts';
import type { ServerParts } from '../parts.ts';
import { publicUrl } from '../plugins/auth.ts';

/** The deprecation of an operation. */
export interface Deprecation {
  /** Days, UTC. In between it works, and announces its end. */
  since: string;
  sunset: string;
  /** Path of the replacement. */
  successor: string;
  /** A page of docs/migrations, without its ending. */
  guide: string;
}

/** Minimum notice in days. */
export const noticeDays = 90;

export type Stage = 'active' | 'deprecated' | 'sunset';

export function stageAt({ since, sunset }: Pick<Deprecation, 'since' | 'sunset'>, now: Date): Stage {
  if (now >= new Date(sunset)) return 'sunset';
  return now >= new Date(since) ? 'deprecated' : 'active';
}

export const guidePath = ({ guide }: Pick<Deprecation, 'guide'>): string => `/docs/migrations/${guide}`;

/** `Deprecation` as pm-intelligence shows it, an HTTP date, or as RFC 9745 has it; `Sunset` (RFC 8594) is an HTTP date in both. */
export function lifecycleHeaders(deprecation: Deprecation, format: 'http-date' | 'rfc9745'): { deprecation: string; sunset: string } {
  const since = new Date(deprecation.since);
  return {
    deprecation: format === 'rfc9745' ? `@${since.getTime() / 1000}` : since.toUTCString(),
    sunset: new Date(deprecation.sunset).toUTCString(),
  };
}

/** Adds a value to the `Link` header (RFC 8288). */
export function addLink(reply: FastifyReply, path: string, parameters: string): void {
  const link = `<${path}>; ${parameters}`;
  const former = reply.getHeader('link');
  reply.header('link', former === undefined ? link : `${String(former)}, ${link}`);
}

/**
 * A hook for a deprecated operation: announces the end in headers, log and metrics, and refuses after the sunset.
 * @throws AppError GONE with the URL of the guide, from the sunset on
 */
export function retiring(id: string, deprecation: Deprecation, parts: Pick<ServerParts, 'config' | 'log' | 'now' | 'pipeline'>) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const stage = stageAt(deprecation, parts.now?.() ?? new Date());
    if (stage === 'active') return;
    const { successor, sunset } = deprecation;
    const guide = guidePath(deprecation);
    reply.headers(lifecycleHeaders(deprecation, parts.config.DEPRECATION_HEADER_FORMAT));
    addLink(reply, successor, 'rel="successor-version"');
    addLink(reply, guide, 'rel="deprecation"; type="text/html"');
    parts.pipeline.metrics.deprecated(id, stage);
    const { tenant, principal } = request.caller;
    parts.log.warn({ operation: id, stage, sunset, successor, tenant, principal, request_id: request.id }, 'deprecated operation called');
    if (stage === 'deprecated') return;
    const url = publicUrl(request, parts.config) + guide;
    throw new AppError('GONE', `This ended on ${sunset}: use ${successor}.`, {
      hint: `How to move: ${url}`,
      details: { successor, sunset, migration_guide: url },
    });
  };
}
