import { z } from 'zod';
import { jsonSchema, workCapability } from '../../contracts/agents/agents.ts';
import { callbackToken, correlationId, delegatedTaskId, httpUrl, taskPriority, taskTimeout } from '../../contracts/agents/delegations.ts';
import { AppError } from '../../contracts/errors.ts';
import { defineTool, onlyReads, type AnyTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'agent.task.receive',
  title: 'Take a task from another agent',
  description:
    'For other agents: hands this platform a task. The capability is a reading or ingesting tool by any name, or "work" for a task on the board. The result is posted to callback_url and kept for seven days.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['agent:write'],
  latency: 'L1',
  input: z.object({
    task_id: delegatedTaskId,
    source_agent: z.string().min(1).max(128).optional(),
    target_agent: z.string().min(1).max(128).optional(),
    capability_name: z.string().min(1).max(128),
    parameters: jsonSchema.default({}),
    priority: taskPriority.default(5),
    timeout_seconds: taskTimeout.optional(),
    correlation_id: correlationId.optional(),
    created_at: z.string().max(64).optional(),
    callback_url: httpUrl.optional().describe('Is posted the result'),
    progress_url: httpUrl.optional().describe('Is posted how far it is'),
    callback_token: callbackToken.optional().describe('Shown there as X-A2A-Task-Token'),
  }),
  output: z.object({ status: z.literal('accepted'), task_id: z.string() }),
  intents: ['give this platform a task as an outside agent', 'take over a delegated task'],
  aliases: [],
  async handler(args, { caller, services, tools }) {
    checkCapability(args.capability_name, (name) => {
      const found = tools.catalogue.find(name);
      return found && tools.catalogue.allows(caller, found.tool) ? found.tool : undefined;
    });
    const task = await services.agents.delegation.received.receive(caller, {
      taskId: args.task_id,
      sourceAgent: args.source_agent,
      targetAgent: args.target_agent,
      capability: args.capability_name,
      parameters: args.parameters,
      priority: args.priority,
      timeoutSeconds: args.timeout_seconds,
      correlationId: args.correlation_id,
      callbackUrl: args.callback_url,
      progressUrl: args.progress_url,
      callbackToken: args.callback_token,
    });
    return {
      data: { status: 'accepted' as const, task_id: task.task_id },
      refs: services.agents.delegation.tasks.refs(caller.tenant, task),
    };
  },
});

/** Other agents may call all reading and ingesting tools that their key allows. */
function checkCapability(name: string, find: (tool: string) => AnyTool | undefined): void {
  const tool = find(name === workCapability ? 'work.task.create' : name);
  if (tool && (name === workCapability || onlyReads(tool) || (tool.effect === 'write' && tool.name.startsWith('ingest.')))) return;
  throw new AppError('VALIDATION_ERROR', `This platform lacks capability: ${name}`, {
    hint: 'The card at /.well-known/agent-card.json and GET /mcp/tools show what there is; only reading and ingesting tools are offered.',
    details: { reason: 'lacks_capability', capability_name: name },
  });
}
