import { z } from 'zod';
import { leaseSeconds, phaseId, priorities, task, taskId } from '../../contracts/work/work.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({
  title: z.string().trim().min(1).max(200).optional().describe('Becomes the first line of the description'),
  description: z.string().trim().min(1).max(20_000).describe('What is to be done, with requirements and acceptance criteria'),
  phase_id: phaseId.describe('1 investigate and plan, 2 implement, 3 verify'),
  priority: z.enum(priorities).default('medium'),
  blocked_by: z.array(taskId).max(100).default([]).describe('Ids of tasks that must be done first'),
  tags: z.array(z.string().min(1).max(64)).max(32).default([]),
  metadata: z.record(z.string(), z.unknown()).default({}),
  lease_seconds: leaseSeconds.default(300).describe('How long a claim lasts without a heartbeat'),
  max_attempts: z.number().int().min(1).max(20).default(3).describe('Claims before a lapsed lease means triage'),
  needs_review: z.boolean().optional().describe('Overrides the phase'),
});

type Output = { task: z.infer<typeof task> };

const createTask: Alias<z.input<typeof input>, Output> = {
  name: 'create_task',
  system: 'devflow',
  description: 'File a task for any phase. Put requirements and acceptance criteria into the description.',
  input: input.pick({ description: true, phase_id: true, priority: true, blocked_by: true, tags: true, metadata: true }),
  toInput: (args) => args as z.input<typeof input>,
  toAnswer: ({ task: created }) => ({ task_id: created.id, status: created.status, kanban_column: created.kanban_column }),
};

/** Some clients send a title; boards and lists show the first line. */
const titled = (title: string | undefined, description: string): string =>
  title === undefined || description.split('\n', 1)[0]!.trim() === title ? description : `${title}\n\n${description}`;

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
  core: true,
  aliases: [createTask],
  async handler(args, { caller, services, callKey }) {
    const created = await services.work.commands.create(
      caller,
      {
        description: titled(args.title, args.description),
        phaseId: args.phase_id,
        priority: args.priority,
        blockedBy: [...new Set(args.blocked_by)],
        tags: args.tags,
        metadata: args.metadata,
        leaseSeconds: args.lease_seconds,
        maxAttempts: args.max_attempts,
        needsReview: args.needs_review,
      },
      callKey,
    );
    return { data: { task: created }, refs: services.work.refs(caller.tenant, created.id) };
  },
});
