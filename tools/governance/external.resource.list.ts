import { z } from 'zod';
import { serverName } from '../../contracts/governance/external.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'external.resource.list',
  title: 'List resources of an external server',
  description: 'What a server offers to read, by URI. external.resource.read reads one.',
  effect: 'read',
  idempotent: true,
  external: true,
  approval: 'A0',
  scopes: ['external:use'],
  latency: 'L3',
  input: z.object({ server: serverName, templates: z.boolean().default(false).describe('List the patterns of URIs instead') }),
  output: z.looseObject({}),
  intents: ['what can be read from another server', 'list resources'],
  aliases: [],
  handler: async ({ server, templates }, { caller, services, signal }) =>
    await services.external.read(caller, server, templates ? 'resources/templates/list' : 'resources/list', {}, signal),
});
