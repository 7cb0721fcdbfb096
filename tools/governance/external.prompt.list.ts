import { z } from 'zod';
import { serverName } from '../../contracts/governance/external.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'external.prompt.list',
  title: 'List prompts of an external server',
  description: 'Prompts that a server offers, with their arguments. external.prompt.get fills one in.',
  effect: 'read',
  idempotent: true,
  external: true,
  approval: 'A0',
  scopes: ['external:use'],
  latency: 'L3',
  input: z.object({ server: serverName }),
  output: z.looseObject({}),
  intents: ['which prompts does another server offer', 'list prompt templates of external servers'],
  aliases: [],
  handler: async ({ server }, { caller, services, signal }) => await services.external.read(caller, server, 'prompts/list', {}, signal),
});
