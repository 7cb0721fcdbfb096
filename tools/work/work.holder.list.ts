import { z } from 'zod';
import { holder } from '../../contracts/work/board.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.holder.list',
  title: 'List who holds tasks and who is present',
  description:
    'Everybody who holds a task in progress, with the number of tasks and whether they are present, quiet, offline or paused. agent.registry.list has more about each.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:read'],
  latency: 'L1',
  input: z.object({ limit: z.number().int().min(1).max(1_000).default(200) }),
  output: z.object({ holders: z.array(holder) }),
  intents: ['which tasks are held by agents that are offline', 'who holds tasks now', 'is the one who works on the task still there'],
  aliases: [],
  async handler({ limit }, { caller, services }) {
    const holders = await services.work.lanes.holders(caller.tenant, limit);
    return { data: { holders }, metadata: { result_count: holders.length } };
  },
});
