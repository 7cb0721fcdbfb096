import { z } from 'zod';
import { agentId, jsonSchema } from '../../contracts/agents/agents.ts';
import { callbackToken, correlationId, httpUrl, taskPriority, taskResult, taskTimeout } from '../../contracts/agents/delegations.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'agent.task.delegate',
  title: 'Delegate a task to another agent',
  description:
    'Hands a task to an agent outside: the named one, else a healthy one with the capability and the least in hand. wait_seconds waits for the result; else agent.task.get_result fetches it.',
  effect: 'write',
  idempotent: false,
  external: true,
  approval: 'A0',
  scopes: ['agent:write'],
  latency: 'L2',
  input: z.object({
    target_agent: agentId.optional(),
    capability_name: z.string().min(1).max(128).describe('What it is to do: agent.capability.list shows who can do what'),
    parameters: jsonSchema.default({}).describe('By the parameters_schema of the capability'),
    priority: taskPriority.default(5),
    timeout_seconds: taskTimeout.optional(),
    callback_url: httpUrl.optional().describe('Is posted the result once'),
    callback_token: callbackToken.optional().describe('Shown at callback_url as X-A2A-Task-Token'),
    session_id: z.string().min(1).max(128).optional(),
    correlation_id: correlationId.optional(),
    wait_seconds: z.number().int().min(0).max(300).default(0),
  }),
  output: taskResult.omit({ completed_at: true }).extend({ completed_at: z.string().nullable().optional(), target_agent: z.string() }),
  intents: [
    'let another agent do this',
    'hand work to a partner agent',
    'ask an outside agent and wait for its answer',
    'find an agent that can do it and delegate',
  ],
  aliases: [],
  async handler(args, { caller, services, callKey, signal, progress }) {
    const { tasks } = services.agents.delegation;
    const task = await tasks.delegate(
      caller,
      {
        targetAgent: args.target_agent,
        capability: args.capability_name,
        parameters: args.parameters,
        priority: args.priority,
        timeoutSeconds: args.timeout_seconds,
        callbackUrl: args.callback_url,
        callbackToken: args.callback_token,
        sessionId: args.session_id,
        correlationId: args.correlation_id,
      },
      callKey,
    );
    const refs = tasks.refs(caller.tenant, task);
    const handle = { task_id: task.task_id, status: task.status, target_agent: task.target_agent };
    if (args.wait_seconds === 0) return { data: handle, status: 'accepted', refs };
    const told = await tasks.waited(caller.tenant, task.task_id, args.wait_seconds * 1_000, signal, ({ done, total, message }) =>
      progress(done ?? 0, total, message),
    );
    if (!told.over)
      return {
        data: { ...handle, status: told.result.status },
        status: 'accepted',
        refs,
        warnings: ['It is still running: agent.task.get_result fetches the result.'],
      };
    return { data: { ...told.result, target_agent: task.target_agent }, refs };
  },
});
