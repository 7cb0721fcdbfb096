import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../../contracts/errors.ts';
import type { ExportFile } from '../../services/governance/exports/index.ts';
import type { ServerParts } from '../parts.ts';

/** Files of exports. The token in the link authorizes: a browser without a key may open it. */
export function installExports(app: FastifyInstance, { services }: ServerParts): void {
  app.get<{ Params: { id: string }; Querystring: { token?: unknown } }>('/api/exports/:id', async (request, reply) => {
    if (!services) throw new AppError('SERVICE_UNAVAILABLE', 'Exports are not served here.');
    const { token } = request.query;
    return await sendFile(reply, await services().exports.download(request.params.id, typeof token === 'string' ? token : ''));
  });
}

/** Streams it as a download, which no shared cache may store. */
export async function sendFile(reply: FastifyReply, { filename, mediaType, size, stream }: ExportFile): Promise<FastifyReply> {
  reply.raw.once('close', () => stream.destroy());
  return await reply
    .headers({
      'content-type': mediaType,
      'content-length': size,
      'content-disposition': `attachment; filename="${filename}"`,
      'cache-control': 'private, no-store',
    })
    .send(stream);
}
