import { z } from 'zod';
import { AppError } from '../../contracts/errors.ts';
import { dlqItem, words, type DlqItem } from '../../contracts/knowledge/knowledge.ts';
import type { Services } from '../../services/index.ts';
import type { ToolResult } from '../catalogue/define.ts';

/** Shared by the tools that decide dead letters. */
export const dlqChoice = z.object({
  dlq_id: words(128).optional(),
  dlq_ids: z.array(words(128)).min(1).max(100).optional().describe('Instead of dlq_id, for several: each is decided separately'),
});

export const dlqAnswer = z.object({
  item: dlqItem.optional(),
  results: z
    .array(
      z.object({
        dlq_id: z.string(),
        item: dlqItem.optional(),
        error: z.object({ code: z.string(), message: z.string(), suggestion: z.string().optional() }).optional(),
      }),
    )
    .optional()
    .describe('With dlq_ids: the result of each'),
});

/** @throws AppError VALIDATION_ERROR unless one of the two is given; as `decide`, for one */
export async function decideLetters(
  { dlq_id, dlq_ids }: z.infer<typeof dlqChoice>,
  dlq: Services['knowledge']['dlq'],
  decide: (id: string) => Promise<DlqItem>,
): Promise<ToolResult<z.infer<typeof dlqAnswer>>> {
  if ((dlq_id === undefined) === (dlq_ids === undefined)) {
    throw new AppError('VALIDATION_ERROR', 'Give either dlq_id or dlq_ids.', { hint: 'ingest.dlq.list shows the ids.' });
  }
  if (dlq_id !== undefined) {
    const item = await decide(dlq_id);
    return { data: { item }, refs: [{ type: 'job', id: item.job_id }] };
  }
  const results = await dlq.each(dlq_ids!, decide);
  const refused = results.filter((result) => 'error' in result).length;
  return {
    data: { results },
    ...(refused > 0 ? { status: 'partial' as const, warnings: [`${refused} of ${results.length} were not decided: each says why.`] } : {}),
  };
}
