import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { hashOf } from '../../contracts/ids.ts';
import type { Health, ServerParts } from '../parts.ts';
import { secretOf, type callerHook } from '../plugins/auth.ts';
import { landingPage, pageHeaders } from './landing.ts';

/**
 * Public pages about the server itself: they contain no tenant, key or internal address.
 * @returns the page that stands in for the console where that is not built
 */
export function installStatus(
  app: FastifyInstance,
  parts: ServerParts,
  authenticated: ReturnType<typeof callerHook>,
  drain: { draining: boolean },
) {
  const started = Date.now();
  const { METRICS_TOKEN: scrapeToken, AUTH_MODE: mode } = parts.config;

  /** Figures by tool need a key or the scraper's token. */
  async function mayReadNames(request: FastifyRequest): Promise<boolean> {
    const secret = secretOf(request);
    if (secret === undefined) return mode === 'local';
    if (scrapeToken !== undefined && hashOf(secret) === hashOf(scrapeToken)) return true;
    await authenticated(request);
    return true;
  }

  /** Monitors ask by HEAD, too. */
  const monitored = (url: string, handler: RouteHandlerMethod): void => void app.route({ method: ['GET', 'HEAD'], url, handler });

  monitored('/health', async () => ({
    status: 'ok',
    service: 'signalbox',
    version: parts.version,
    uptime_seconds: Math.round((Date.now() - started) / 1000),
  }));

  monitored('/ready', async (_request, reply) => {
    const health = await parts.health();
    const ready = !drain.draining && Object.values(health).every((part) => part.up || part.optional);
    const degraded = Object.entries(health).flatMap(([name, part]) => (!part.up && part.writes ? [name] : []));
    return await reply.code(ready ? 200 : 503).send({
      ready,
      ...(degraded.length > 0 ? { degraded } : {}),
      ...(drain.draining ? { draining: true } : {}),
      dependencies: Object.fromEntries(
        Object.entries(health).map(([name, part]) => [
          name,
          {
            status: part.up ? 'up' : 'down',
            ...(part.optional ? { optional: true } : {}),
            ...(part.detail ? { detail: part.detail } : {}),
          },
        ]),
      ),
    });
  });

  app.get('/mcp/health', async (_request, reply) => {
    const services = backendServices(await parts.health());
    const states = Object.values(services);
    const down = states.filter((state) => state === 'down').length;
    const status = down === 0 ? 'healthy' : down === states.length ? 'unhealthy' : 'degraded';
    return await reply.code(status === 'unhealthy' ? 503 : 200).send({ status, version: parts.version, backend_services: services });
  });

  const { metrics } = parts.pipeline;
  app.get('/mcp/metrics', async (request) => metrics.json({ names: await mayReadNames(request) }));

  app.get('/metrics', async (request, reply) => {
    const text = await metrics.text({ names: await mayReadNames(request) });
    return await reply.type(metrics.contentType).send(text);
  });

  const page = async (request: FastifyRequest, reply: FastifyReply, withoutConsole: boolean): Promise<FastifyReply> =>
    reply.headers(pageHeaders).send(
      landingPage({
        version: parts.version,
        host: request.headers.host ?? 'localhost',
        health: await parts.health(),
        temporalUi: parts.config.TEMPORAL_UI_URL,
        open: parts.config.AUTH_MODE === 'local',
        withoutConsole,
      }),
    );
  app.get('/about', (request, reply) => page(request, reply, false));
  return (request: FastifyRequest, reply: FastifyReply) => page(request, reply, true);
}

/** devflow's three names. Knowledge and vectors are in Postgres unless Qdrant is configured. */
export function backendServices(health: Health): Record<'knowledge_hub' | 'workflow_engine' | 'qdrant', 'up' | 'down'> {
  const up = (...names: string[]) => (names.every((name) => health[name]?.up ?? false) ? 'up' : 'down');
  return {
    knowledge_hub: up('postgres'),
    workflow_engine: up('postgres', 'temporal'),
    qdrant: 'qdrant' in health ? up('qdrant') : up('postgres'),
  };
}
