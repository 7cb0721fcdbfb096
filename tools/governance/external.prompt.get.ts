import { z } from 'zod';
import { serverName } from '../../contracts/governance/external.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'external.prompt.get',
  title: 'Get a prompt of an external server',
  description: 'A prompt of a server, filled in with arguments: messages to give to a model, if you trust their author.',
  effect: 'read',
  idempotent: true,
  external: true,
  approval: 'A0',
  scopes: ['external:use'],
  latency: 'L3',
  input: z.object({ server: serverName, name: z.string().min(1).max(256), arguments: z.record(z.string(), z.string()).default({}) }),
  output: z.looseObject({}),
  intents: ['use a prompt of another server', 'fill in a prompt template'],
  aliases: [],
  handler: async ({ server, name, arguments: values }, { caller, services, signal }) =>
    await services.external.read(caller, server, 'prompts/get', { name, arguments: values }, signal),
});
