import { z } from 'zod';
import { template, templateName, templateTask } from '../../contracts/work/templates.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.template.save',
  title: 'Save a task template',
  description:
    'Keeps the fields of tasks that are filed again and again, with variables such as {{version}} in title, description and tags. work.task.create_from_template makes tasks of it. A template of this name is replaced.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L1',
  input: z.object({ name: templateName, task: templateTask }),
  output: z.object({ template }),
  intents: ['save this task as a template', 'make a checklist for every release', 'reusable task'],
  aliases: [],
  async handler({ name, task }, { caller, services }) {
    return { data: { template: await services.work.templates.save(caller, name, task) } };
  },
});
