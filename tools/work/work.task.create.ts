import { z } from 'zod';
import {
  dueDate,
  leaseSeconds,
  maxAttempts,
  phaseId,
  priorities,
  task,
  taskDescription,
  taskId,
  taskMetadata,
  taskTags,
  taskTitle,
  workerName,
} from '../../contracts/work/work.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({
  title: taskTitle.optional().describe('Becomes the first line of the description, too'),
  description: taskDescription.optional().describe('What is to be done, with requirements and acceptance criteria; without it the title'),
  phase_id: phaseId.describe('1 investigate and plan, 2 implement, 3 verify'),
  priority: z.enum(priorities).default('medium'),
  blocked_by: z.array(taskId).max(100).default([]).describe('Ids of tasks that must be done first'),
  tags: taskTags.default([]),
  metadata: taskMetadata.default({}),
  lease_seconds: leaseSeconds.default(300).describe('How long a claim lasts without a heartbeat'),
  max_attempts: maxAttempts.default(3).describe('Claims before a lapsed lease means triage'),
  needs_review: z.boolean().optional().describe('Overrides the phase'),
  due_at: dueDate.optional(),
  assign_to: workerName.optional().describe('Reserve it for this worker'),
  parent_id: taskId.optional().describe('The task that it is a part of'),
});

type Output = { task: z.infer<typeof task> };

const createTask: Alias<z.input<typeof input>, Output> = {
  name: 'create_task',
  system: 'devflow',
  description: 'File a task for any phase. Put requirements and acceptance criteria into the description.',
  // Its contract requires a description.
  input: input
    .required({ description: true })
    .pick({ description: true, phase_id: true, priority: true, blocked_by: true, tags: true, metadata: true }),
  toInput: (args) => args as z.input<typeof input>,
  toAnswer: ({ task: created }) => ({ task_id: created.id, status: created.status, kanban_column: created.kanban_column }),
};

export default defineTool({
  name: 'work.task.create',
  title: 'Create a task',
  description:
    'Files a task for a phase, for any agent to claim. Tasks in blocked_by are waited for; it becomes ready by itself when they are done.',
  effect: 'write',
  idempotent: false,
  external: false,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L1',
  input,
  output: z.object({ task }),
  intents: ['add a todo', 'file a bug for somebody else to fix', 'plan work with dependencies', 'split this job into tasks'],
  core: { seldom: ['metadata', 'lease_seconds', 'max_attempts', 'needs_review', 'due_at', 'parent_id'] },
  aliases: [createTask],
  async handler(args, { caller, services, callKey }) {
    const created = await services.work.commands.create(
      caller,
      {
        title: args.title,
        description: args.description,
        phaseId: args.phase_id,
        priority: args.priority,
        blockedBy: [...new Set(args.blocked_by)],
        tags: args.tags,
        metadata: args.metadata,
        leaseSeconds: args.lease_seconds,
        maxAttempts: args.max_attempts,
        needsReview: args.needs_review,
        dueAt: args.due_at ?? null,
        reservedFor: args.assign_to ?? null,
        parentId: args.parent_id ?? null,
      },
      callKey,
    );
    return { data: { task: created }, refs: services.work.refs(caller.tenant, created.id) };
  },
});
