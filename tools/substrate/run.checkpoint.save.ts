import { z } from 'zod';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { runId, stateJson } from '../../contracts/substrate/runs.ts';
import { sha256 } from '../../contracts/substrate/substrate.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({
  run_id: runId,
  label: words(200).optional(),
  state: stateJson.optional().describe('What is needed to go on; any JSON up to 1 MB'),
  state_ref: sha256.optional().describe('Instead of state: an artifact that holds it'),
});
const output = z.object({ checkpoint_id: z.string(), seq: z.number() });

const checkpoint: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'run.checkpoint',
  system: 'intelli-platform',
  input,
  toInput: (args) => args as z.input<typeof input>,
};

export default defineTool({
  name: 'run.checkpoint.save',
  title: 'Save a checkpoint of a run',
  description: 'Saves a state from which a running run can go on after a crash; run.checkpoint.get gives back the latest.',
  effect: 'write',
  idempotent: false,
  external: false,
  approval: 'A0',
  scopes: ['run:write'],
  latency: 'L1',
  input,
  output,
  intents: ['save a checkpoint', 'keep the state of a run', 'be able to resume later'],
  aliases: [checkpoint],
  async handler({ run_id, label, state, state_ref }, { caller, services, callKey }) {
    const data = await services.runs.progress.save(caller, run_id, { label, state, stateRef: state_ref }, callKey);
    return {
      data,
      refs: [{ type: 'run', id: run_id }, ...(state_ref === undefined ? [] : [{ type: 'artifact' as const, id: state_ref }])],
    };
  },
});
