import { z } from 'zod';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { run, runId, runStatuses } from '../../contracts/substrate/runs.ts';
import { pageCursor } from '../../contracts/substrate/substrate.ts';
import { defineTool } from '../catalogue/define.ts';
import { paged } from '../catalogue/pages.ts';

export default defineTool({
  name: 'run.record.list',
  title: 'List runs',
  description: 'The runs of your tenant, newest first; by status, kind or the run they are a part of.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['run:read'],
  latency: 'L1',
  input: z.object({
    status: z.enum(runStatuses).optional(),
    kind: words(64).optional(),
    parent_run_id: runId.optional().describe('Only parts of this run'),
    limit: z.number().int().min(1).max(100).default(50),
    cursor: pageCursor.optional(),
  }),
  output: z.object({ runs: z.array(run) }),
  intents: ['which runs are running', 'list failed runs', 'parts of a run', 'recent runs'],
  aliases: [],
  async handler({ parent_run_id: parentRunId, ...filter }, { caller, services }) {
    return paged('runs', await services.runs.queries.list(caller.tenant, { parentRunId, ...filter }));
  },
});
