import { z } from 'zod';
import { listRuns, workRun } from '../../contracts/work/runs.ts';
import { defineTool } from '../catalogue/define.ts';
import { countedPages } from '../catalogue/pages.ts';

export default defineTool({
  name: 'work.run.list',
  title: 'List runs of agents',
  description: 'Runs of coding agents by task, phase, state, worker, host, repository or time, newest first.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:read'],
  latency: 'L1',
  input: listRuns.extend({ limit: z.number().int().min(1).max(100).default(50), cursor: z.string().max(512).optional() }),
  output: z.object({ runs: z.array(workRun) }),
  intents: ['which agents are running', 'what waits for review', 'runs that were lost', 'approved work to merge'],
  aliases: [],
  async handler({ limit, cursor, ...filter }, { caller, services }) {
    return countedPages('runs', await services.work.runQueries.list(caller.tenant, filter, { limit, cursor }));
  },
});
