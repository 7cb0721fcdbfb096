import { z } from 'zod';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { runId, runJson, runStatuses } from '../../contracts/substrate/runs.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({
  name: words(200).meta({ examples: ['nightly report'] }),
  kind: words(64).default('run').describe('A word of yours by which runs are told apart'),
  parent_run_id: runId.optional().describe('The run that this one is a part of'),
  input: runJson.optional().describe('What it works on; any JSON up to 256 KB'),
});
const output = z.object({ run_id: z.string(), status: z.enum(runStatuses) });

const create: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'run.create',
  system: 'intelli-platform',
  input,
  toInput: (args) => args as z.input<typeof input>,
};

export default defineTool({
  name: 'run.record.create',
  title: 'Open a run',
  description:
    'Opens a record of work that you drive yourself: its steps, checkpoints and outcome are kept under its id. Start it with run.record.start.',
  effect: 'write',
  idempotent: false,
  external: false,
  approval: 'A0',
  scopes: ['run:write'],
  latency: 'L1',
  input,
  output,
  intents: ['open a run', 'record what an agent does', 'begin a pipeline run', 'keep a record of an execution'],
  aliases: [create],
  async handler({ name, kind, parent_run_id, input: given }, { caller, services, callKey }) {
    const run = await services.runs.lifecycle.create(caller, { name, kind, parentRunId: parent_run_id, input: given }, callKey);
    return { data: { run_id: run.run_id, status: run.status }, refs: [{ type: 'run', id: run.run_id }] };
  },
});
