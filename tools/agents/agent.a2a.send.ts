import { z } from 'zod';
import { a2aTaskDetail, a2aTaskId } from '../../contracts/agents/a2a-tools.ts';
import { AppError } from '../../contracts/errors.ts';
import { derivedId } from '../../contracts/ids.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'agent.a2a.send',
  title: 'Send an A2A message to this platform',
  description:
    'Sends a message to this platform as an A2A peer would: plain text, or a skill with arguments. The message becomes an A2A task; with task_id it answers a waiting task. agent.a2a.get shows the result.',
  effect: 'write',
  idempotent: false,
  external: false,
  approval: 'A0',
  scopes: ['agent:write'],
  latency: 'L2',
  input: z.object({
    text: z.string().trim().min(1).max(20_000).optional().describe('Plain text'),
    skill: z.string().min(1).max(128).optional().describe('Id of a skill on the agent card'),
    arguments: z.record(z.string(), z.unknown()).optional().describe('Arguments of the skill'),
    task_id: a2aTaskId.optional().describe('The task that waits for this message'),
    context_id: z.string().min(1).max(128).optional(),
    wait_seconds: z.number().int().min(0).max(60).default(0).describe('How long to wait until the task ends or asks for input'),
  }),
  output: z.object({ task: a2aTaskDetail }),
  intents: ['send an A2A message', 'try a skill of the agent card', 'answer the question of an A2A task'],
  aliases: [],
  async handler({ text, skill, arguments: args, task_id, context_id, wait_seconds }, { caller, services, callKey, signal }) {
    if (text === undefined && skill === undefined) {
      throw new AppError('VALIDATION_ERROR', 'Send a text, or a skill with its arguments.', { hint: 'The agent card lists the skills.' });
    }
    const message = {
      messageId: derivedId('msg', caller.tenant, callKey),
      parts: [...(text === undefined ? [] : [{ text }]), ...(skill === undefined ? [] : [{ data: { skill, arguments: args ?? {} } }])],
      ...(task_id === undefined ? {} : { taskId: task_id }),
      ...(context_id === undefined ? {} : { contextId: context_id }),
    };
    const task = await services.a2a.say(caller, message, wait_seconds * 1_000, signal);
    return { data: { task }, refs: services.a2a.refs(caller.tenant, task.task_id) };
  },
});
