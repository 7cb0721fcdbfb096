import { z } from 'zod';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { sha256 } from '../../contracts/substrate/substrate.ts';
import { errorCodes, AppError } from '../../contracts/errors.ts';
import { defineTool } from '../catalogue/define.ts';

const table = z.object({
  file_path: words(4096).optional().describe("CSV, TSV, XLSX or JSON lines on Signalbox's machine, inside INGEST_ROOTS"),
  artifact_sha256: sha256.optional(),
});

const input = z.object({
  left: table.describe('One record per row; with or without a row of names'),
  right: table.optional().describe('Left out: rows of the first table that are the same thing'),
  threshold: z.number().min(0.5).max(0.999).default(0.9).describe('From this probability on a link is sure'),
  limit: z.number().int().min(1).max(500).default(50).describe('Links in the answer, the most probable ones; all stand in the artifact'),
});

const evidence = z.object({
  column: z.string(),
  left: z.string(),
  right: z.string(),
  says: z.enum(['equal', 'nearly equal', 'similar', 'different']),
  /** Natural log of the ratio of frequencies among matches and others; below 0 it is evidence against. */
  weight: z.number(),
});

const output = z.object({
  job_id: z.string(),
  status: z.string(),
  /** Rows of each table. */
  rows: z.array(z.number()).optional(),
  /** Compared columns with their detected kinds. */
  columns: z.array(z.object({ left: z.string(), right: z.string(), kind: z.string() })).optional(),
  /** one_to_one: each row has at most one partner; many: several; clusters: within one table. */
  shape: z.enum(['one_to_one', 'many', 'clusters']).optional(),
  /** Pairs of rows that were compared. */
  compared: z.number().optional(),
  /** Links at or above the threshold, and those below that a person should look at. */
  sure: z.number().optional(),
  to_review: z.number().optional(),
  links: z
    .array(
      z.object({
        /** From 1, not counting the header row. */
        left_row: z.number(),
        right_row: z.number(),
        left_id: z.string().optional(),
        right_id: z.string().optional(),
        probability: z.number(),
        columns: z.array(evidence).optional(),
      }),
    )
    .optional(),
  /** SHA-256 of the artifact with all links: figures in the first line, one link per line after it. */
  artifact_sha256: z.string().optional(),
});

export default defineTool({
  name: 'entity.table.link',
  title: 'Link tables',
  description:
    'Finds rows of two tables, or of one, that mean the same customer, place or product, without keys and without being configured: which columns belong together, how much each tells and what is a match is learnt from the tables. Probabilities with reasons; nothing is merged.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['graph:read'],
  latency: 'L5',
  input,
  output,
  intents: [
    'find duplicate rows',
    'match customers between two spreadsheets',
    'deduplicate a CSV',
    'which records are the same',
    'record linkage',
  ],
  aliases: [],
  async handler({ left, right, threshold, limit }, { caller, services, progress }) {
    const given = (each: z.infer<typeof table>) => ({ filePath: each.file_path, sha256: each.artifact_sha256 });
    const { job, joined, result } = await services.graph.tables.link(
      caller,
      { left: given(left), right: right === undefined ? null : given(right), threshold, limit },
      { onProgress: progress },
    );
    const refs = services.jobs.refs(job);
    const data = { job_id: job.job_id, status: job.status };
    if (job.status === 'failed' || job.status === 'cancelled') {
      const code = errorCodes.find((known) => known === job.error?.code) ?? 'CONFLICT';
      throw new AppError(code, job.error?.message ?? 'It was cancelled.', { details: { job_id: job.job_id } });
    }
    if (!result) {
      return { data, refs, status: 'accepted', warnings: ['Still running: system.job.get shows when it is done, then call this again.'] };
    }
    const { figures, links, artifact } = result;
    return {
      data: {
        ...data,
        rows: figures.rows,
        columns: figures.columns,
        shape: figures.shape,
        compared: figures.compared,
        sure: figures.sure,
        to_review: figures.links - figures.sure,
        links,
        artifact_sha256: artifact,
      },
      refs: [...refs, { type: 'artifact', id: artifact }],
      metadata: { result_count: links.length, total_count: figures.links },
      warnings: [
        ...figures.warnings,
        ...(figures.cut > 0 ? [`The ${figures.cut} least probable links did not fit into the artifact.`] : []),
        ...(joined ? ['The same was asked before: this is what was found.'] : []),
      ],
    };
  },
});
