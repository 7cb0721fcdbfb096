import type { FastifyInstance } from 'fastify';
import { cliMetadata, resourceMetadataPath } from '../../contracts/governance/oidc.ts';
import type { ServerParts } from '../parts.ts';
import { publicUrl } from '../plugins/auth.ts';

/** Accepted issuers and scopes: RFC 9728, for the whole server and for MCP. Public. */
export function installWellKnown(app: FastifyInstance, { config, pipeline }: Pick<ServerParts, 'config' | 'pipeline'>): void {
  const issuer = config.OIDC_ISSUER;
  if (issuer === undefined) return;
  const told = config.OIDC_SCOPES_SUPPORTED;
  const scopes = told.length > 0 ? told : [...new Set(pipeline.catalogue.tools.flatMap((tool) => tool.scopes))].sort();
  for (const path of ['', '/mcp']) {
    app.get(`${resourceMetadataPath}${path}`, async (request, reply) => {
      const base = publicUrl(request, config);
      return await reply.header('cache-control', 'public, max-age=300').send({
        resource: `${base}${path}`,
        authorization_servers: [issuer],
        scopes_supported: scopes,
        bearer_methods_supported: ['header'],
        resource_name: 'Signalbox',
        resource_documentation: `${base}/docs`,
        // For `signalbox login`.
        ...(config.OIDC_CLI_CLIENT_ID === undefined
          ? {}
          : { [cliMetadata]: { client_id: config.OIDC_CLI_CLIENT_ID, scopes: config.OIDC_SIGN_IN_SCOPES } }),
      });
    });
  }
}
