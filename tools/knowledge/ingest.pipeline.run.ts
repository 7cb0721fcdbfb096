import { z } from 'zod';
import { defineTool, type Alias } from '../catalogue/define.ts';

const scopes = ['recent', 'unprocessed', 'all'] as const;

const input = z.object({
  scope: z.enum(scopes).default('unprocessed').describe('unprocessed: what lacks vectors of the model in use; recent: the last 7 days'),
  skip_ingestion: z.boolean().default(false).describe('Only the stages after indexing'),
});

const output = z.object({
  job_id: z.string(),
  workflow_id: z.string(),
  scope: z.enum(scopes),
  status: z.string(),
  documents: z.number().optional(),
  passages: z.number().optional(),
});

const runPipeline: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'run_pipeline',
  system: 'pm-intelligence',
  description: 'Runs the processing stages again over what has been ingested; meant for after bulk ingestion.',
  input: z.object({ scope: z.enum(scopes).optional(), skip_ingestion: z.boolean().optional() }),
  toInput: (args) => args,
};

export default defineTool({
  name: 'ingest.pipeline.run',
  title: 'Process stored documents again',
  description:
    'Indexes stored documents anew: after a change of the embedding model, after bulk ingestion, or to complete what was stored without vectors. One run for each scope at a time.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A1',
  asks: ({ scope }) => scope === 'all',
  scopes: ['knowledge:write'],
  latency: 'L5',
  input,
  output,
  intents: ['reindex everything', 'run the pipeline', 'process unprocessed documents', 'rebuild embeddings'],
  aliases: [runPipeline],
  async handler({ scope, skip_ingestion }, { caller, services, progress }) {
    const { job, joined } = await services.knowledge.pipelines.run(
      caller,
      { scope, skipIngestion: skip_ingestion },
      { onProgress: progress },
    );
    const { documents, passages } = (job.result ?? {}) as { documents?: number; passages?: number };
    const finished = job.status === 'completed';
    return {
      data: {
        job_id: job.job_id,
        workflow_id: job.workflow_id,
        scope,
        status: job.status,
        ...(documents === undefined ? {} : { documents }),
        ...(passages === undefined ? {} : { passages }),
      },
      refs: services.jobs.refs(job),
      warnings: joined ? ['A run of this scope was under way: you look at that one.'] : [],
      ...(finished ? {} : { status: 'accepted' }),
    };
  },
});
