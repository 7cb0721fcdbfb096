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
  embeddings: z.object({ status: z.enum(['up', 'disabled']), model: z.string().nullable() }),
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
    })
    .nullable()
    .describe('Null also when there was none'),
});
export type SystemHealth = z.infer<typeof systemHealth>;
export type PipelineRun = NonNullable<SystemHealth['last_pipeline_run']>;
