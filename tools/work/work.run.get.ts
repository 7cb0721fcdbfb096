import { z } from 'zod';
import { runId, workRun } from '../../contracts/work/runs.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.run.get',
  title: 'Read the run of an agent',
  description: 'One run of a coding agent: its state, outcome, checks, changes, usage and review. work.run.tail has what it said.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:read'],
  latency: 'L1',
  input: z.object({ run_id: runId }),
  output: z.object({ run: workRun }),
  intents: ['what did the agent do', 'did the checks of a run pass', 'which branch has the work'],
  aliases: [],
  async handler({ run_id }, { caller, services }) {
    const run = await services.work.runQueries.get(caller.tenant, run_id);
    return { data: { run }, refs: services.work.runRefs(caller.tenant, run) };
  },
});
