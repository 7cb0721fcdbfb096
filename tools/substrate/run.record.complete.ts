import { z } from 'zod';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { runDetail, runEndings, runId, runJson } from '../../contracts/substrate/runs.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({
  run_id: runId,
  status: z.enum(runEndings),
  outputs: runJson.optional().describe('What it yielded; any JSON up to 256 KB'),
  error: words(8_000).optional().describe('Why it failed or was cancelled'),
});

const complete: Alias<z.input<typeof input>, z.infer<typeof runDetail>> = {
  name: 'run.complete',
  system: 'intelli-platform',
  input,
  toInput: (args) => args as z.input<typeof input>,
};

export default defineTool({
  name: 'run.record.complete',
  title: 'End a run',
  description:
    'Ends a run as completed, failed or cancelled, with what it yielded or why. An ending stands; the same one again is answered.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['run:write'],
  latency: 'L1',
  input,
  output: runDetail,
  intents: ['end a run', 'a run has failed', 'finish a run with outputs', 'cancel a run'],
  aliases: [complete],
  async handler({ run_id, status, outputs, error }, { caller, services }) {
    const done = await services.runs.lifecycle.complete(caller.tenant, run_id, { status, outputs, error });
    return {
      data: done.run,
      refs: [{ type: 'run', id: run_id }],
      warnings: done.repeated ? ['It ended this way before: nothing was done.'] : [],
    };
  },
});
