import { z } from 'zod';
import { a2aTaskDetail, a2aTaskId } from '../../contracts/agents/a2a-tools.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'agent.a2a.get',
  title: 'Get an A2A task',
  description:
    'An A2A task that was sent to this platform: its state, messages and artifacts, and the tool or the board task that does the work.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['agent:read'],
  latency: 'L1',
  input: z.object({ task_id: a2aTaskId }),
  output: z.object({ task: a2aTaskDetail }),
  intents: ['what became of this A2A message', 'show the artifacts of an A2A task'],
  aliases: [],
  async handler({ task_id }, { caller, services }) {
    return { data: { task: await services.a2a.detail(caller, task_id) }, refs: services.a2a.refs(caller.tenant, task_id) };
  },
});
