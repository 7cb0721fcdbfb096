import { z } from 'zod';
import { plan } from '../../contracts/work/plans.ts';
import { phaseId, taskId } from '../../contracts/work/work.ts';
import { plainText } from '../../contracts/json.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.plan.propose',
  title: 'Propose a plan',
  description:
    'Splits a big task or a Markdown text into tasks with phases and dependencies: by the language model where one is configured, otherwise by its headings, lists, checkboxes and words such as "after" and "depends on". Nothing is stored; work.plan.accept files it.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:read'],
  latency: 'L3',
  input: z.object({
    text: plainText(200_000).optional().describe('Markdown: headings, lists, checkboxes'),
    task_id: taskId.optional().describe('Instead of text: its description is split, and its parts are filed'),
    phase_id: phaseId.default(2).describe('Of tasks for which the text names none'),
    by_rules: z.boolean().default(false).describe('Without the language model'),
  }),
  output: z.object({ plan, by: z.enum(['model', 'rules']) }),
  intents: ['split this task', 'turn this document into tasks', 'break work down with dependencies'],
  aliases: [],
  async handler({ text, task_id, phase_id, by_rules }, { caller, services, callKey, signal }) {
    const source = { text, taskId: task_id, phaseId: phase_id, byModel: !by_rules };
    const { plan: proposed, by, warnings } = await services.work.plans.propose(caller, source, callKey, signal);
    return { data: { plan: proposed, by }, warnings, metadata: { result_count: proposed.tasks.length } };
  },
});
