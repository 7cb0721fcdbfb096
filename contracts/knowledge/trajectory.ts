import { z } from 'zod';

/** One step towards an answer. */
export const trajectoryStep = z.object({
  /** In plain words. */
  thought: z.string(),
  /** The same in figures. */
  data: z.record(z.string(), z.unknown()).optional(),
});
export type TrajectoryStep = z.infer<typeof trajectoryStep>;

/** A source of an answer. */
export const trajectorySource = z.object({
  type: z.enum(['chunk', 'document', 'source', 'entity', 'fact']),
  /** For a chunk: its citation, `{document_id}#{ordinal}`. */
  id: z.string(),
  title: z.string().optional(),
  source_id: z.string().optional(),
  /** Its score in the answer. */
  score: z.number().optional(),
  /** Score from each retriever: BM25 score, cosine similarity, rerank score, and the rank in each. */
  scores: z.record(z.string(), z.number()).optional(),
});
export type TrajectorySource = z.infer<typeof trajectorySource>;

export const trajectory = z.object({
  trajectory_id: z.string(),
  kind: z.string(),
  query: z.string(),
  plan: z.array(z.string()),
  steps: z.array(trajectoryStep),
  sources: z.array(trajectorySource),
  principal: z.string(),
  tool_call_id: z.string().optional(),
  created_at: z.string(),
});
export type Trajectory = z.infer<typeof trajectory>;
