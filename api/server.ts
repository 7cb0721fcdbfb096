import { LogController, fastify, type FastifyInstance } from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../contracts/errors.ts';
import { loggedPipeline } from './calls.ts';
import { installConsoleApi } from './console/session.ts';
import { ConsoleFiles, installConsolePages } from './console/static.ts';
import { installCard } from './a2a/card.ts';
import { installA2a } from './a2a/routes.ts';
import { installAgentRest } from './a2a/agents-rest.ts';
import { installEventStream } from './gateway/event-route.ts';
import { installGateway, installGatewayPages } from './gateway/routes.ts';
import { installMcp } from './mcp/routes.ts';
import { installSse } from './mcp/sse.ts';
import type { ServerParts } from './parts.ts';
import { declareAccess, installAccess } from './plugins/access.ts';
import { installBodies } from './plugins/bodies.ts';
import { callerHook, Failures, installChallenges } from './plugins/auth.ts';
import { scopeHook } from './plugins/scopes.ts';
import { Drain } from './plugins/drain.ts';
import { installSafeHeaders } from './plugins/headers.ts';
import { installErrors } from './plugins/errors.ts';
import { installOriginChecks } from './plugins/origins.ts';
import { installApprovals } from './rest/approvals.ts';
import { installApproveLinks } from './rest/approve.ts';
import { installCodec } from './rest/codec.ts';
import { installDocs } from './rest/docs.ts';
import { installBriefs } from './rest/briefs.ts';
import { installExports } from './rest/exports.ts';
import { installExecute } from './rest/execute.ts';
import { installStatus } from './rest/status.ts';
import { installTools } from './rest/tools.ts';
import { installWellKnown } from './rest/well-known.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Notifies every connected MCP client that its tool list changed. */
    toolsChanged(): void;
    /** From now on `/ready` answers 503 and connections end with their next answer: a load balancer goes elsewhere. */
    drain(): void;
  }
}

/**
 * Times of a shutdown in ms: how long connections are awaited that were accepted a moment ago, how long running requests
 * may take, and how long sockets may take to close. Meanwhile each connection gets one more answer, which closes it.
 */
const lingerMs = 50;
const drainMs = 2_500;
const socketsMs = 500;

/**
 * All HTTP front ends on one server that does not listen yet: for `inject()` as well as for sockets. `close()`
 * answers accepted requests, then ends sessions and streams, and closes remaining sockets.
 */
export function buildServer(given: ServerParts): FastifyInstance {
  const parts: ServerParts = { ...given, pipeline: loggedPipeline(given) };
  const { config } = parts;
  const app = fastify({
    loggerInstance: parts.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: config.BODY_LIMIT_BYTES,
    exposeHeadRoutes: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    forceCloseConnections: 'idle',
    // A client cannot know that the server stops: what it sends on an open connection is answered.
    return503OnClosing: false,
  }) as unknown as FastifyInstance;
  installBodies(app);
  installSafeHeaders(app);
  const drain = new Drain();
  drain.install(app);
  installErrors(app);
  declareAccess(app);
  installOriginChecks(app, config);
  const failures = new Failures();
  const authenticated = callerHook(app, parts, failures);
  installAccess(app, authenticated);
  const about = installStatus(app, parts, authenticated, drain);
  const files = new ConsoleFiles(parts.consoleFolder);
  installConsolePages(app, files, about);
  installDocs(app);
  installApprovals(app);
  installApproveLinks(app, parts, failures);
  installGatewayPages(app, parts);
  installExports(app, parts);
  installBriefs(app, parts);
  installCard(app, parts);
  installWellKnown(app, parts);
  installChallenges(app, config);
  app.decorate('toolsChanged', () => {});
  app.decorate('drain', () => {
    drain.draining = true;
  });

  void app.register(async (keyed) => {
    keyed.addHook('preHandler', scopeHook(parts));
    installTools(keyed, parts);
    installGateway(keyed, parts);
    installEventStream(keyed, parts);
    installCodec(keyed, parts);
    installConsoleApi(keyed, parts, { failures, files });
    installA2a(keyed, parts);
    // These routes have their own error format and hooks.
    void keyed.register(async (peers) => installAgentRest(peers, parts));
    if (!config.MCP_SERVER_ENABLED) return;
    const mcp = installMcp(keyed, parts);
    const sse = config.MCP_SSE_ENABLED ? installSse(keyed, parts, drain, mcp.changes) : null;
    if (!sse) keyed.get('/mcp/sse', sseIsOff);
    installExecute(keyed, parts, sse);
    app.toolsChanged = () => {
      mcp.toolsChanged();
      sse?.toolsChanged();
    };
    keyed.addHook('preClose', async () => {
      const until = Date.now() + lingerMs + drainMs;
      await sleep(lingerMs);
      await drain.idle(drainMs);
      sse?.close();
      await mcp.close();
      setTimeout(() => void drain.idle(Math.max(0, until - Date.now())).then(() => app.server.closeAllConnections()), socketsMs).unref();
    });
  });
  return app;
}

const sseIsOff = async (): Promise<never> => {
  throw new AppError('NOT_FOUND', 'The SSE transport is switched off.', {
    hint: 'Use Streamable HTTP at /mcp, or set MCP_SSE_ENABLED=true.',
  });
};
