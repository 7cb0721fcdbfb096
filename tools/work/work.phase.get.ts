import { z } from 'zod';
import { phase, phaseId } from '../../contracts/work/work.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({ phase_id: phaseId });

const getPhaseInfo: Alias<z.input<typeof input>, { phase: z.infer<typeof phase> }> = {
  name: 'get_phase_info',
  system: 'devflow',
  description: 'What a phase is for and when its work counts as done.',
  input,
  toInput: (args) => args as z.input<typeof input>,
  toAnswer: ({ phase: { needs_review: _review, setup: _setup, checks: _checks, merge: _merge, ...found } }) => found,
};

export default defineTool({
  name: 'work.phase.get',
  title: 'Read a phase',
  description: 'What a phase is for, when its work counts as done, and where it happens.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:read'],
  latency: 'L1',
  input,
  output: z.object({ phase }),
  intents: ['definition of done', 'what does phase 2 mean', 'working directory of a phase'],
  aliases: [getPhaseInfo],
  async handler({ phase_id }, { caller, services }) {
    return { data: { phase: await services.work.queries.phase(caller.tenant, phase_id) } };
  },
});
