import type { FastifyInstance } from 'fastify';
import { opened, tenantOf } from '../../adapters/temporal/encryption.ts';
import { AppError } from '../../contracts/errors.ts';
import { isRecord } from '../mcp/jsonrpc.ts';
import type { ServerParts } from '../parts.ts';

/** Payloads of one request, as many as Temporal's UI asks for a page of a history. */
const most = 10_000;

/**
 * Temporal's codec server protocol: its UI shows encrypted payloads to people who may see them. Only payloads of the
 * caller's tenant are opened; all others come back as they are. Nothing is encoded: workers refuse what the UI sends.
 */
export function installCodec(app: FastifyInstance, parts: ServerParts): void {
  app.post('/temporal/codec/decode', async (request, reply) => {
    const payloads = isRecord(request.body) ? request.body['payloads'] : undefined;
    if (!Array.isArray(payloads) || payloads.length > most || !payloads.every(isWirePayload))
      throw new AppError('VALIDATION_ERROR', 'Send {"payloads": [{"metadata": {…}, "data": "…"}]}, both in base64.');
    const { secrets } = parts.services!().kernel;
    const { tenant, principal } = request.caller;
    let count = 0;
    const decoded = payloads.map((wire) => {
      const payload = { metadata: mapped(wire.metadata ?? {}, fromBase64), data: fromBase64(wire.data ?? '') };
      const found = tenantOf(payload) === tenant ? opened(secrets, payload) : null;
      if (!found) return wire;
      count += 1;
      return { metadata: mapped(found.metadata ?? {}, toBase64), data: toBase64(found.data ?? new Uint8Array()) };
    });
    if (count > 0) request.log.info({ tenant, principal, payloads: count }, 'payloads were decoded for Temporal’s UI');
    return await reply.header('cache-control', 'no-store').send({ payloads: decoded });
  });
}

interface WirePayload {
  metadata?: Record<string, string> | null;
  data?: string | null;
}

const isWirePayload = (given: unknown): given is WirePayload =>
  isRecord(given) &&
  (given['data'] == null || typeof given['data'] === 'string') &&
  (given['metadata'] == null ||
    (isRecord(given['metadata']) && Object.values(given['metadata']).every((value) => typeof value === 'string')));

const fromBase64 = (text: string): Buffer => Buffer.from(text, 'base64');
const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const mapped = <A, B>(record: Record<string, A>, by: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, by(value)]));
