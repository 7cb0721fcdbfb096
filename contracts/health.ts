import { z } from 'zod';

const reach = z.enum(['up', 'down']);

/** State of the platform. Null: unknown, because the component that knows it is unavailable. */
export const systemHealth = z.object({
  status: z.enum(['healthy', 'degraded', 'unhealthy']).describe('degraded: it works, with less; unhealthy: without its records'),
  database: z.object({ status: reach, latency_ms: z.number().nullable() }),
  neo4j_sync: z.object({
    status: z.enum(['disabled', 'in_sync', 'behind', 'down']).describe('disabled: the graph is traversed in Postgres alone'),
    pending: z.number().nullable().describe('Entities whose last change is not in Neo4j'),
    lag_seconds: z.number().nullable(),
  }),
  workflow_engine: z.object({ status: reach }),
  vector_store: z.object({ kind: z.enum(['pgvector', 'qdrant']), status: reach }),
  embeddings: z.object({
    status: z.enum(['up', 'down', 'disabled']).describe('down: its server does not answer, searches go by words'),
    model: z.string().nullable(),
  }),
  pending_ingestion_jobs: z.number().nullable(),
  failed_stages_waiting: z.number().nullable().describe('Items of the dead letter queue that wait for a decision'),
  entity_resolution_queue: z.number().nullable().describe('Doubtful matches that wait for a person'),
  last_pipeline_run: z
    .object({
      job_id: z.string(),
      scope: z.string().nullable(),
      status: z.string(),
      started_at: z.string(),
      finished_at: z.string().nullable(),
      documents: z.number().nullable(),
      done: z.number().nullable().describe('Documents so far, while it runs'),
      total: z.number().nullable(),
    })
    .nullable()
    .describe('Null also when there was none'),
});
/** Parts whose state is kept over time. */
export const watchedParts = ['database', 'workflow_engine', 'vector_store', 'neo4j_sync'] as const;
export type WatchedPart = (typeof watchedParts)[number];

const partSpan = z.object({
  status: z.string().describe('As system.health.get has it; unwatched: no api looked'),
  from: z.string(),
  to: z.string(),
  seconds: z.number(),
});
export type PartSpan = z.infer<typeof partSpan>;

/** States of each part over time, without gaps and overlaps, the oldest first. */
export const healthHistory = z.object({
  since: z.string(),
  until: z.string(),
  parts: z.array(z.object({ part: z.enum(watchedParts), spans: z.array(partSpan) })).describe('Those that the platform has'),
});
export type HealthHistory = z.infer<typeof healthHistory>;
export type SystemHealth = z.infer<typeof systemHealth>;
export type PipelineRun = NonNullable<SystemHealth['last_pipeline_run']>;
