import { z } from 'zod';
import { template } from '../../contracts/work/templates.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.template.list',
  title: 'List task templates',
  description: 'Templates of tasks with their variables, by name.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:read'],
  latency: 'L1',
  input: z.object({}),
  output: z.object({ templates: z.array(template) }),
  intents: ['which task templates are there', 'show the variables of a template'],
  aliases: [],
  async handler(_input, { caller, services }) {
    return { data: { templates: await services.work.templates.list(caller.tenant) } };
  },
});
