import { z } from 'zod';
import { delegatedStatuses } from '../../contracts/agents/agents.ts';
import { delegatedTaskId, progressOf } from '../../contracts/agents/delegations.ts';
import { AppError } from '../../contracts/errors.ts';
import { defineTool } from '../catalogue/define.ts';

const failure = z.object({ code: z.string().min(1).max(64).default('FAILED'), message: z.string().max(4_000) });

export default defineTool({
  name: 'agent.task.report',
  title: 'Report on a delegated task',
  description:
    'For agents that were handed a task: reports how far it is (progress) or how it ended (status with result or error), with the token that came with the task. The first result counts.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['agent:write'],
  latency: 'L1',
  input: z.object({
    task_id: delegatedTaskId,
    token: z.string().min(1).max(512).describe('The callback_token that came with the task'),
    status: z.enum(['accepted', 'running', 'completed', 'failed', 'cancelled']).optional(),
    result: z.unknown().optional(),
    error: z.union([z.string().max(4_000), failure]).optional(),
    execution_time_ms: z.number().int().min(0).max(86_400_000).optional(),
    progress: progressOf.optional(),
  }),
  output: z.object({ task_id: z.string(), status: z.enum(delegatedStatuses), applied: z.boolean() }),
  intents: ['hand in the result of a delegated task', 'report progress of a task another agent gave me'],
  aliases: [],
  async handler({ task_id, token, status, result, error, execution_time_ms, progress }, { caller, services }) {
    const ended = status === 'completed' || status === 'failed' || status === 'cancelled';
    if (!ended && status === undefined && progress === undefined) {
      throw new AppError('VALIDATION_ERROR', 'A report needs progress or a final status.', {
        hint: 'Send status (with result or error), or progress.',
      });
    }
    const { warning, ...reported } = await services.agents.delegation.reports.report(
      caller.tenant,
      task_id,
      token,
      ended
        ? {
            outcome: {
              status,
              result,
              error: typeof error === 'string' ? { code: 'FAILED', message: error } : error,
              executionTimeMs: execution_time_ms,
            },
          }
        : { progress: progress ?? {} },
    );
    return { data: { task_id, ...reported }, ...(warning === undefined ? {} : { warnings: [warning] }) };
  },
});
