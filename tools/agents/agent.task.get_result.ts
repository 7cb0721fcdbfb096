import { z } from 'zod';
import { delegatedTaskId, taskResult } from '../../contracts/agents/delegations.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'agent.task.get_result',
  title: 'Result of a delegated task',
  description: 'How a delegated task ended, waiting for it if need be. Waiting changes nothing; results can be read again for seven days.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['agent:read'],
  latency: 'L2',
  input: z.object({ task_id: delegatedTaskId, wait_seconds: z.number().min(0).max(300).default(30) }),
  output: taskResult,
  intents: ['what did the other agent answer', 'wait for the delegated task', 'fetch the result of a task I handed out'],
  aliases: [],
  async handler({ task_id, wait_seconds }, { caller, services, signal, progress }) {
    const data = await services.agents.delegation.tasks.result(
      caller.tenant,
      task_id,
      wait_seconds * 1_000,
      signal,
      ({ done, total, message }) => progress(done ?? 0, total, message),
    );
    return { data };
  },
});
