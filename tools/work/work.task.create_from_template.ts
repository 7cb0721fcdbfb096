import { z } from 'zod';
import { templateName, variables } from '../../contracts/work/templates.ts';
import { dueDate, task, taskId } from '../../contracts/work/work.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.task.create_from_template',
  title: 'Create a task from a template',
  description: 'Files a task with the fields of a template and values for its variables. work.template.list shows both.',
  effect: 'write',
  idempotent: false,
  external: false,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L1',
  input: z.object({
    template: templateName,
    variables: variables.default({}),
    blocked_by: z.array(taskId).max(100).default([]).describe('Ids of tasks that must be done first'),
    due_at: dueDate.optional(),
    parent_id: taskId.optional().describe('The task that it is a part of'),
  }),
  output: z.object({ task }),
  intents: ['file the release checklist again', 'new task from a template'],
  aliases: [],
  async handler({ template, variables: values, blocked_by, due_at, parent_id }, { caller, services, callKey }) {
    const wanted = { variables: values, blockedBy: [...new Set(blocked_by)], dueAt: due_at, parentId: parent_id };
    const created = await services.work.templates.create(caller, template, wanted, callKey);
    return { data: { task: created }, refs: services.work.refs(caller.tenant, created.id) };
  },
});
