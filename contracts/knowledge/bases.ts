import { z } from 'zod';

export const base = z.object({
  kb_id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  tags: z.array(z.string()),
  source_count: z.number(),
  chunk_count: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Base = z.infer<typeof base>;

/** Answer of a removal. The records are hidden immediately; `completed` means that they are deleted. */
export const removalAnswer = z.object({
  job_id: z.string(),
  workflow_id: z.string(),
  status: z.enum(['queued', 'running', 'completed', 'failed', 'cancelled']),
  /** Counts at the time it was hidden. */
  source_count: z.number(),
  document_count: z.number(),
  chunk_count: z.number(),
});
export type RemovalAnswer = z.infer<typeof removalAnswer>;
