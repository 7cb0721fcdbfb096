import { z } from 'zod';
import { run, runId } from '../../contracts/substrate/runs.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({ run_id: runId });

const start: Alias<z.input<typeof input>, z.infer<typeof run>> = {
  name: 'run.start',
  system: 'intelli-platform',
  input,
  toInput: (args) => args as z.input<typeof input>,
};

export default defineTool({
  name: 'run.record.start',
  title: 'Start a run',
  description: 'Marks a run as running: from now on it takes steps (run.step.log) and checkpoints (run.checkpoint.save).',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['run:write'],
  latency: 'L1',
  input,
  output: run,
  intents: ['start a run', 'mark a run as running', 'begin an opened run'],
  aliases: [start],
  async handler({ run_id }, { caller, services }) {
    const started = await services.runs.lifecycle.start(caller.tenant, run_id);
    return {
      data: started.run,
      refs: [{ type: 'run', id: run_id }],
      warnings: started.repeated ? ['It was running already.'] : [],
    };
  },
});
