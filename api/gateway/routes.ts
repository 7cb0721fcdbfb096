import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../contracts/errors.ts';
import { closestKey } from '../../tools/catalogue/answers.ts';
import type { CallRequest } from '../../tools/catalogue/pipeline.ts';
import { conform } from '../../tools/catalogue/validate.ts';
import { isRecord } from '../mcp/jsonrpc.ts';
import type { ServerParts } from '../parts.ts';
import { sendFailure } from '../plugins/errors.ts';
import { calling, sendEnvelope } from '../rest/calling.ts';
import { addLink, retiring } from './lifecycle.ts';
import { openApiDocument, openApiPath } from './openapi.ts';
import { base, pathOf, pathsOf, unversioned, type Operation } from './operation.ts';
import { operations } from './operations.ts';
import { installPages } from './pages.ts';
import { fromQuery, type Properties } from './query.ts';

/** `/api/agents/v1/*`, and the same without the version: a path per operation; answers with the envelope. */
export function installGateway(app: FastifyInstance, parts: ServerParts): void {
  for (const operation of operations) {
    const { catalogue } = parts.pipeline;
    const { properties = {} } = catalogue.jsonSchema(operation.input) as { properties?: Properties };
    for (const url of pathsOf(operation)) {
      app.route({
        method: operation.method === 'GET' ? ['GET', 'HEAD'] : 'POST',
        url,
        ...(operation.deprecated ? { onRequest: retiring(operation.id, operation.deprecated, parts) } : {}),
        handler: async (request, reply) => {
          const { path, search } = placeOf(request, operation);
          if (path !== request.url.split('?')[0]?.replace(/\/$/, '')) addLink(reply, path + search, 'rel="canonical"');
          const answer = await parts.pipeline.call({
            ...calling(request, reply),
            name: operation.tool.name,
            ...asked(operation, request, properties),
          });
          const next = answer.envelope.metadata.next_cursor;
          if (next !== undefined) addLink(reply, path + withCursor(search, next), 'rel="next"');
          return await sendEnvelope(reply, answer);
        },
      });
    }
  }
}

const documentPaths = [openApiPath, openApiPath.replace(base, unversioned)];
const eventPaths = [`${base}/events`, `${unversioned}/events`];

/** The document, its pages, and the answers for unknown paths and methods: public. */
export function installGatewayPages(app: FastifyInstance, parts: ServerParts): void {
  const document = openApiDocument(parts);
  for (const url of documentPaths) {
    app.get(url, async (_request, reply) => reply.header('cache-control', 'public, max-age=300').send(document));
  }
  installPages(app, document);

  const methods = new Map([
    ...operations.flatMap((operation) =>
      pathsOf(operation).map((path): [string, string] => [path, operation.method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS']),
    ),
    ...[...documentPaths, ...eventPaths].map((path): [string, string] => [path, 'GET, OPTIONS']),
  ]);
  // Before the body is read.
  app.all(`${unversioned}/*`, {
    onRequest: async (request, reply) => {
      const path = request.url.split('?')[0]!.replace(/\/$/, '');
      const allowed = methods.get(path);
      if (allowed !== undefined) reply.header('allow', allowed);
      if (allowed !== undefined && request.method === 'OPTIONS') return await reply.code(204).send();
      if (allowed !== undefined) {
        const refusal = new AppError('VALIDATION_ERROR', `${path} takes ${allowed}, not ${request.method}.`, { details: { allowed } });
        return sendFailure(request, reply, refusal, 405);
      }
      const near = closestKey(path, [...methods.keys()]);
      return sendFailure(
        request,
        reply,
        new AppError('NOT_FOUND', `There is no ${request.method} ${path.slice(0, 200)}.`, {
          hint: `${near ? `Did you mean ${near}? ` : ''}${openApiPath} describes all there are.`,
          ...(near ? { alternatives: [near] } : {}),
        }),
      );
    },
    handler: async () => {},
  });
}

/** The request's versioned path, with its unchanged query. */
function placeOf(request: FastifyRequest, operation: Operation): { path: string; search: string } {
  const at = request.url.indexOf('?');
  return { path: pathOf(operation), search: at < 0 ? '' : request.url.slice(at) };
}

function withCursor(search: string, cursor: string): string {
  const query = new URLSearchParams(search);
  query.set('cursor', cursor);
  return `?${query}`;
}

/** The request as the tool's arguments, or the refusal. */
function asked(operation: Operation, request: FastifyRequest, properties: Properties): Pick<CallRequest, 'arguments' | 'refused'> {
  try {
    const given = operation.method === 'GET' ? fromQuery(properties, request.query as Record<string, unknown>) : bodyOf(request);
    const name = `${operation.method} ${pathOf(operation)}`;
    conform(operation.input, given, { name, hint: `${openApiPath} has its schema.` });
    // Pass the original values: the pipeline applies limits and defaults, and adds warnings for them.
    return { arguments: operation.toArguments?.(given) ?? given };
  } catch (error) {
    if (error instanceof AppError) return { arguments: {}, refused: error };
    throw error;
  }
}

function bodyOf({ body, query }: FastifyRequest): Record<string, unknown> {
  const [parameter] = Object.keys(query as object);
  if (parameter !== undefined) {
    throw new AppError('VALIDATION_ERROR', `There is no query parameter "${parameter.slice(0, 64)}".`, {
      hint: 'Put it into the JSON body.',
      details: { unknown_fields: [parameter.slice(0, 64)] },
    });
  }
  if (isRecord(body)) return body;
  throw new AppError('VALIDATION_ERROR', 'The body must be a JSON object.', { hint: `${openApiPath} has its schema.` });
}
