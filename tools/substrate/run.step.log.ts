import { z } from 'zod';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { runId, stepJson, stepRef } from '../../contracts/substrate/runs.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({
  run_id: runId,
  step: words(500)
    .describe('What was done')
    .meta({ examples: ['fetched 40 reviews'] }),
  status: words(64).optional().describe('A word of yours, e.g. ok or retried'),
  data: stepJson.optional().describe('Any JSON up to 64 KB; larger things are artifacts'),
  refs: z.array(stepRef).max(50).default([]).describe('Platform objects that the step made or used'),
});
const output = z.object({ step_id: z.string(), seq: z.number() });

const logStep: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'run.log_step',
  system: 'intelli-platform',
  input,
  toInput: (args) => args as z.input<typeof input>,
};

export default defineTool({
  name: 'run.step.log',
  title: 'Log a step of a run',
  description: 'Appends a step to a running run. Steps are numbered from 1 without gaps, whoever logs at the same time.',
  effect: 'write',
  idempotent: false,
  external: false,
  approval: 'A0',
  scopes: ['run:write'],
  latency: 'L1',
  input,
  output,
  intents: ['log a step', 'note progress of a run', 'record what was just done'],
  aliases: [logStep],
  async handler({ run_id, step, status, data, refs }, { caller, services, callKey }) {
    const kept = refs.map(({ type, id, url }) => ({ type, id, ...(url === undefined ? {} : { url }) }));
    const logged = await services.runs.progress.log(caller, run_id, { step, status, data, refs: kept }, callKey);
    return { data: logged, refs: [{ type: 'run', id: run_id }] };
  },
});
