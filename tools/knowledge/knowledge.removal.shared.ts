import type { RemovalAnswer } from '../../contracts/knowledge/bases.ts';
import type { Removed } from '../../services/knowledge/index.ts';
import type { ToolResult } from '../catalogue/define.ts';

/** Answer of deleting tools: like ingesting ones, `accepted` when it takes longer. */
export const removed = <T extends object>({ answer, finished, warnings, refs }: Removed, which: T): ToolResult<RemovalAnswer & T> => ({
  data: { ...which, ...answer },
  refs,
  warnings: finished
    ? warnings
    : [...warnings, 'Out of sight already; what is left is being deleted: system.job.get with this job_id tells when it is gone.'],
  ...(finished ? {} : { status: 'accepted' as const }),
});
