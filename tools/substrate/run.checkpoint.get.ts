import { z } from 'zod';
import { checkpoint, runId } from '../../contracts/substrate/runs.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'run.checkpoint.get',
  title: 'Get a checkpoint of a run',
  description: 'The latest checkpoint of a run, or a certain one, with its state (or the artifact that holds it): where to go on from.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['run:read'],
  latency: 'L1',
  input: z.object({ run_id: runId, checkpoint_id: z.string().min(1).max(64).optional().describe('Default: the latest') }),
  output: z.object({ checkpoint }),
  intents: ['resume a run', 'latest checkpoint', 'where did the run stop'],
  aliases: [],
  async handler({ run_id, checkpoint_id }, { caller, services }) {
    const found = await services.runs.progress.checkpoint(caller.tenant, run_id, checkpoint_id);
    return {
      data: { checkpoint: found },
      refs: [{ type: 'run', id: run_id }, ...(found.state_ref === null ? [] : [{ type: 'artifact' as const, id: found.state_ref }])],
    };
  },
});
