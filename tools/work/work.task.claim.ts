import { z } from 'zod';
import type { RunBudget } from '../../contracts/work/runs.ts';
import { leaseSeconds, phaseId, task, taskId } from '../../contracts/work/work.ts';
import { AppError } from '../../contracts/errors.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({
  phase_id: phaseId.optional().describe('Take the next ready task of this phase'),
  task_id: taskId.optional().describe('Take this task instead'),
  lease_seconds: leaseSeconds.optional().describe('Default: as the task says (300)'),
  for_run: z.boolean().optional().describe('For the run of an agent: nothing is ready while a budget of runs is spent'),
});

type Output = { task: z.infer<typeof task> | null; already_held?: true | undefined };

const claimTask: Alias<z.input<typeof input>, Output> = {
  name: 'claim_task',
  system: 'devflow',
  description: 'Get the next available task of your phase. Work on it, then mark it done with update_task_status.',
  input: z.object({ phase_id: phaseId }),
  toInput: (args) => args,
  toAnswer: ({ task: claimed, already_held }) =>
    claimed && {
      id: claimed.id,
      description: claimed.description,
      phase_id: claimed.phase_id,
      priority: claimed.priority,
      created_by: claimed.created_by,
      created_at: claimed.created_at,
      fencing_token: claimed.fencing_token,
      lease_expires_at: claimed.lease_expires_at,
      ...(already_held ? { already_held } : {}),
    },
};

const alreadyHeld =
  'You already hold this task: finish, fail or release it before you claim another. If you did not claim it, another client works under your name: give each its own X-Agent-Id.';

const spentText = ({ phase_id, tokens_today, usd_today }: RunBudget): string =>
  `Today's budget for runs${phase_id === null ? '' : ` of phase ${phase_id}`} is spent (${tokens_today} tokens, ${usd_today.toFixed(2)} USD): runs begin again tomorrow (UTC), or when work.budget.set raises it.`;

export default defineTool({
  name: 'work.task.claim',
  title: 'Claim the next ready task',
  description:
    'Assigns you the next ready task of a phase (high priority first, then oldest) under a lease. Keep the fencing_token: heartbeat (before the lease ends), complete, fail and release need it. Null when nothing is ready.',
  effect: 'write',
  idempotent: false,
  external: false,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L1',
  input,
  output: z.object({ task: task.nullable(), already_held: z.literal(true).optional().describe('You had claimed it before: nothing new') }),
  intents: ['give me something to do', 'take the next job', 'pick up work', 'what should I work on'],
  core: { seldom: ['for_run'] },
  aliases: [claimTask],
  async handler({ phase_id, task_id, lease_seconds, for_run }, { caller, services, callKey }) {
    if ((phase_id === undefined) === (task_id === undefined)) {
      throw new AppError('VALIDATION_ERROR', 'Give either phase_id or task_id.', {
        hint: 'phase_id takes the next ready task; task_id a certain one.',
      });
    }
    const { commands, runBudgets } = services.work;
    const spent = for_run ? await runBudgets.spent(caller.tenant, { phase_id, task_id }) : null;
    if (spent) return { data: { task: null }, warnings: [spentText(spent)] };
    services.agents.presence.sign(caller.tenant, caller.principal);
    const claimed =
      task_id === undefined
        ? await commands.claim(caller, phase_id!, lease_seconds, callKey)
        : await commands.take(caller, task_id, lease_seconds, callKey);
    if (!claimed) return { data: { task: null }, warnings: ['No task of this phase is ready.'] };
    return {
      data: { task: claimed.task, ...(claimed.held ? { already_held: true as const } : {}) },
      refs: services.work.refs(caller.tenant, claimed.task.id, claimed.task.assigned_agent_id),
      ...(claimed.held ? { warnings: [alreadyHeld] } : {}),
    };
  },
});
