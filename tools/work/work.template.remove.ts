import { z } from 'zod';
import { templateName } from '../../contracts/work/templates.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.template.remove',
  title: 'Remove a task template',
  description: 'Removes a template. Tasks made of it stay; recurring tasks that use it must be removed first.',
  effect: 'destructive',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L1',
  input: z.object({ name: templateName }),
  output: z.object({ removed: z.boolean() }),
  intents: ['delete a task template', 'we do not need this template any more'],
  aliases: [],
  async handler({ name }, { caller, services }) {
    return { data: { removed: await services.work.templates.remove(caller.tenant, name) } };
  },
});
