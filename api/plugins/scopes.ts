import type { FastifyReply, FastifyRequest } from 'fastify';
import { byToken } from '../../contracts/governance/oidc.ts';
import { isMcpPath, isRpcRequest, jsonRpcError } from '../mcp/jsonrpc.ts';
import { calledFor } from '../../tools/catalogue/standing-in.ts';
import type { ServerParts } from '../parts.ts';

/**
 * A call over MCP whose access token lacks the scope is refused with 403 and the missing scope, so that the client
 * can get a better token from its user. Keys cannot be extended that way, and get the refusal as the tool's answer.
 */
export function scopeHook({ pipeline, config }: Pick<ServerParts, 'pipeline' | 'config'>) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { caller, body } = request;
    // Public routes have no caller.
    if (config.OIDC_ISSUER === undefined || !isMcpPath(request.url) || !byToken(caller)) return;
    if (!isRpcRequest(body) || body.method !== 'tools/call' || typeof body.params?.['name'] !== 'string') return;
    const { catalogue } = pipeline;
    const called = calledFor(catalogue, { name: body.params['name'], arguments: body.params['arguments'] });
    const found = catalogue.find(called.name);
    if (!found || catalogue.allows(caller, found.tool) || !catalogue.allows({ ...caller, scopes: [] }, found.tool)) return;
    // The pipeline refuses it as well, so the refusal is counted and in the ledger.
    const { envelope, error } = await pipeline.call({
      ...called,
      caller,
      front: 'mcp',
    });
    if (!error || error.code !== 'FORBIDDEN') return;
    // With those that it has: a client asks for these scopes alone, and would lose the others.
    const scopes = [...caller.scopes.filter((scope) => scope !== 'none:none'), found.tool.scopes[0]].join(' ');
    request.challenge = `error="insufficient_scope", scope="${scopes}", error_description="${found.tool.name} needs ${found.tool.scopes[0]}"`;
    return await reply.code(403).send(jsonRpcError(body.id, -32003, error.message, envelope.error));
  };
}
