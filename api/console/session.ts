import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { hashOf } from '../../contracts/ids.ts';
import type { ConsoleFacts } from '../../contracts/governance/console.ts';
import { judge } from '../../tools/catalogue/policy.ts';
import { isRecord } from '../mcp/jsonrpc.ts';
import type { ServerParts } from '../parts.ts';
import { publicUrl, type Failures } from '../plugins/auth.ts';
import { calling, sendEnvelope } from '../rest/calling.ts';
import { sendFile } from '../rest/exports.ts';
import { installIssuerSignIn } from './issuer.ts';
import { assertOwnPage, cookieOf, keepsCookies, pageOf, sessionsOf, setCookie } from './browser.ts';
import type { ConsoleFiles } from './static.ts';

/**
 * The console's own API: who is signed in and what it may, and tool calls through the same pipeline as all other
 * front ends. `docs/console.md` describes the rules.
 */
export function installConsoleApi(
  app: FastifyInstance,
  parts: ServerParts,
  { failures, files }: { failures: Failures; files: ConsoleFiles },
): void {
  const { config, pipeline } = parts;

  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/console/api/')) reply.header('cache-control', 'no-store');
  });

  installIssuerSignIn(app, parts, failures);

  app.post('/console/api/session', async (request, reply) => {
    assertOwnPage(request);
    if (!keepsCookies(pageOf(request))) {
      throw new AppError('CONFLICT', 'Browsers keep no session on plain http, except on this machine.', {
        hint: 'Put TLS in front of Signalbox, or open the console as http://localhost or http://signalbox.localhost.',
        details: { reason: 'insecure_origin' },
      });
    }
    const sessions = sessionsOf(parts);
    const { key, code } = isRecord(request.body) ? request.body : {};
    if (typeof key !== 'string' && typeof code !== 'string') {
      throw new AppError('VALIDATION_ERROR', 'Send {"key": "sb_…"} or {"code": "…"}.');
    }
    const cookie = await failures.counting(request, async () =>
      typeof key === 'string'
        ? await sessions.open(key.trim(), request.headers['user-agent'])
        : await sessions.redeem(String(code).trim(), request.headers['user-agent']),
    );
    const former = cookieOf(request, sessions);
    if (former !== undefined) await sessions.end(former);
    const known = await sessions.known(cookie);
    if (!known) throw new AppError('UNAUTHORIZED', 'The key ended a moment ago.');
    setCookie(reply, sessions, cookie);
    return await factsOf(known.caller, known.endsAt);
  });

  app.get('/console/api/session', async (request, reply) => {
    const endsAt = await renewed(request, reply);
    const facts = await factsOf(request.caller, endsAt);
    const etag = `"${hashOf({ ...facts, session: null }).slice(0, 32)}"`;
    reply.header('etag', etag);
    return request.headers['if-none-match'] === etag ? await reply.code(304).send() : facts;
  });

  /** Answers with the issuer's address where the browser signs out, too, if it signed in there. */
  app.delete('/console/api/session', async (request, reply) => {
    if (request.cookie === undefined) return await reply.code(204).send();
    const sessions = sessionsOf(parts);
    const elsewhere = await sessions.end(request.cookie, `${publicUrl(request, config)}/`);
    setCookie(reply, sessions, '');
    return elsewhere === null ? await reply.code(204).send() : await reply.send({ sign_out: elsewhere });
  });

  /** For `signalbox console`: the key's holder opens a browser that signs in with it once. */
  app.post('/console/api/codes', async (request) => await sessionsOf(parts).code(request.caller));

  app.post<{ Params: { name: string } }>('/console/api/tools/:name', async (request, reply) => {
    const body = request.body ?? {};
    if (!isRecord(body)) throw new AppError('VALIDATION_ERROR', 'The body must be a JSON object: the arguments of the tool.');
    const answer = await pipeline.call({ ...calling(request, reply), front: 'console', name: request.params.name, arguments: body });
    return sendEnvelope(reply, answer);
  });

  /** The file of an export, by its job: the session authorizes, and no token stands in an address. */
  app.get<{ Params: { id: string } }>('/console/api/exports/:id', async (request, reply) =>
    sendFile(reply, await parts.services!().exports.file(request.caller, request.params.id)),
  );

  /** The cookie again, whose age the browser counts from now. @returns the session's end */
  async function renewed(request: FastifyRequest, reply: FastifyReply): Promise<Date | null> {
    if (request.cookie === undefined) return null;
    const sessions = sessionsOf(parts);
    setCookie(reply, sessions, request.cookie);
    return (await sessions.known(request.cookie))?.endsAt ?? null;
  }

  async function factsOf(given: Caller, endsAt: Date | null): Promise<ConsoleFacts> {
    const caller = given.access ? given : { ...given, access: await parts.services!().governance.policies.accessOf(given) };
    const { governance, events } = parts.services!();
    const [health, expires, latest] = await Promise.all([
      parts.health(),
      governance.keys.endOf(caller.tenant, caller.keyId),
      asTenant(caller.tenant, () => events.latest(caller.tenant)),
    ]);
    return {
      tenant: caller.tenant,
      principal: caller.principal,
      kind: caller.principalKind,
      role: caller.role,
      team: caller.team,
      ...(caller.access?.scope ? { scope: caller.access.scope } : {}),
      scopes: caller.scopes,
      capabilities: caller.capabilities,
      policy: `${caller.access?.policy.name ?? caller.policy}@${caller.access?.policy.version ?? '0'}`,
      key: { id: caller.keyId, name: caller.keyName, ends: expires?.toISOString() ?? null },
      may: Object.fromEntries(pipeline.catalogue.tools.map((tool) => [tool.name, judge(tool, caller, 'console').effect])),
      features: { a2a: config.A2A_ENABLED, neo4j: 'neo4j' in health, qdrant: 'qdrant' in health, llm: config.LLM_PROVIDER !== undefined },
      temporal: config.TEMPORAL_UI_URL === undefined ? null : { url: config.TEMPORAL_UI_URL, namespace: config.TEMPORAL_NAMESPACE },
      sign_in: config.AUTH_MODE !== 'local',
      version: parts.version,
      build: await files.build(),
      session: { ends: endsAt?.toISOString() ?? null, events: latest },
    };
  }
}
