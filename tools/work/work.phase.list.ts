import { z } from 'zod';
import { phase } from '../../contracts/work/work.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.phase.list',
  title: 'List phases',
  description: 'All phases of the board with their definitions of done.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:read'],
  latency: 'L1',
  input: z.object({}),
  output: z.object({ phases: z.array(phase) }),
  intents: ['which phases are there', 'how is the work organised'],
  aliases: [],
  async handler(_args, { caller, services }) {
    const phases = await services.work.queries.phases(caller.tenant);
    return { data: { phases }, metadata: { result_count: phases.length } };
  },
});
