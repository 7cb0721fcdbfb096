import { z } from 'zod';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { run, runId, runStatuses } from '../../contracts/substrate/runs.ts';
import { pageCursor } from '../../contracts/substrate/substrate.ts';
import { defineTool } from '../catalogue/define.ts';

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
  async handler({ status, kind, parent_run_id, limit, cursor }, { caller, services }) {
    const { runs, next } = await services.runs.queries.list(caller.tenant, { status, kind, parentRunId: parent_run_id, limit, cursor });
    return { data: { runs }, metadata: { result_count: runs.length, ...(next ? { next_cursor: next } : {}) } };
  },
});
