import { z } from 'zod';
import { serverName } from '../../contracts/governance/external.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'external.resource.read',
  title: 'Read a resource of an external server',
  description: 'Reads a resource by its URI, as its server gives it. Bytes and what is large come as artifacts.',
  effect: 'read',
  idempotent: true,
  external: true,
  approval: 'A0',
  scopes: ['external:use'],
  latency: 'L3',
  input: z.object({ server: serverName, uri: z.string().min(1).max(4_096).describe('As external.resource.list tells it') }),
  output: z.looseObject({}),
  intents: ['read a resource of another server', 'fetch a file from an MCP server'],
  aliases: [],
  handler: async ({ server, uri }, { caller, services, signal }) =>
    await services.external.read(caller, server, 'resources/read', { uri }, signal),
});
