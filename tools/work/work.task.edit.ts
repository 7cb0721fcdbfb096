import { z } from 'zod';
import {
  dueDate,
  expectedRev,
  leaseSeconds,
  maxAttempts,
  task,
  taskDescription,
  taskId,
  taskMetadata,
  taskTags,
  taskTitle,
} from '../../contracts/work/work.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.task.edit',
  title: 'Edit a task',
  description:
    'Changes what a task says and how it is worked on, for people and its creator; fields that are left out stay. work.task.history shows who changed what. Move it with work.task.move.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L1',
  input: z.object({
    task_id: taskId,
    title: taskTitle.nullable().optional(),
    description: taskDescription.optional(),
    tags: taskTags.optional().describe('Replaces all'),
    metadata: taskMetadata.optional().describe('Merged; null removes a key'),
    due_at: dueDate.nullable().optional(),
    parent_id: taskId.nullable().optional().describe('The task that it is a part of'),
    needs_review: z.boolean().optional(),
    max_attempts: maxAttempts.optional(),
    lease_seconds: leaseSeconds.optional().describe('From the next claim or heartbeat on'),
    expected_rev: expectedRev,
  }),
  output: z.object({ task }),
  intents: ['change the description of a task', 'rename a task', 'set a due date', 'correct the tags'],
  aliases: [],
  async handler({ task_id, needs_review, max_attempts, lease_seconds, expected_rev, ...labels }, { caller, services, callKey }) {
    const settings = { needsReview: needs_review, maxAttempts: max_attempts, leaseSeconds: lease_seconds };
    const edited = await services.work.shaping.edit(caller, task_id, { ...labels, ...settings, expected: expected_rev }, callKey);
    return { data: { task: edited }, refs: services.work.refs(caller.tenant, task_id) };
  },
});
