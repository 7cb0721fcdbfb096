import { z } from 'zod';
import { mergeWays, phase } from '../../contracts/work/work.ts';
import { defineTool } from '../catalogue/define.ts';

const limit = z.number().int().min(0);
const command = z.string().trim().min(1).max(1_000);

export default defineTool({
  name: 'work.phase.set',
  title: 'Create or change a phase',
  description:
    'Creates a phase or changes the given fields of one: name, description, definitions of done, notes, directory, review gate, and what runs of agents need.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:admin'],
  latency: 'L1',
  input: z.object({
    phase_id: z.number().int().min(1).max(1_000),
    name: z.string().trim().min(1).max(128).optional(),
    description: z.string().max(4_000).optional(),
    done_definitions: z.array(z.string().min(1).max(1_000)).max(50).optional(),
    additional_notes: z.string().max(8_000).optional(),
    working_directory: z.string().max(1_024).optional(),
    needs_review: z.boolean().optional().describe('Completed work waits for approval'),
    setup: z.array(command).max(20).optional().describe('Commands that prepare a worktree for an agent, e.g. npm ci'),
    checks: z.array(command).max(20).optional().describe('Commands that finished work must pass, e.g. npm test'),
    stuck_minutes: limit
      .max(1_440)
      .nullable()
      .optional()
      .describe('Minutes without output after which an agent is told to be stuck; null: 10, 0: never'),
    stuck_repeats: limit.max(100).nullable().optional().describe('The same for equal steps with equal results in a row; null: 5, 0: never'),
    merge: z.enum(mergeWays).nullable().optional().describe('How finished work reaches the base branch; null: the runner decides'),
  }),
  output: z.object({ phase }),
  intents: ['add a phase', 'require a review before done', 'change the definition of done'],
  aliases: [],
  async handler({ phase_id, ...fields }, { caller, services }) {
    return { data: { phase: await services.work.changes.setPhase(caller.tenant, phase_id, fields) } };
  },
});
