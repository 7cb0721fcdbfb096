import { z } from 'zod';

/** Tables that can be exported. */
export const exportTypes = ['entities', 'signals', 'opportunities', 'knowledge_graph', 'feedback_log', 'full_backup'] as const;
export type ExportType = (typeof exportTypes)[number];

export const exportFormats = ['json', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number] | 'jsonl';

/** Filters for the ledger, as in its search. */
export interface LedgerRange {
  since?: string | undefined;
  /** Exclusive. */
  until?: string | undefined;
  toolCallId?: string | undefined;
  tool?: string | undefined;
  type?: string | undefined;
  principal?: string | undefined;
  errorCode?: string | undefined;
}

/** The answer of both export tools. */
export const exportAnswer = z.object({
  job_id: z.string(),
  status: z.string(),
  export_type: z.string(),
  format: z.string(),
  export_id: z.string().optional(),
  artifact_ref: z.string().optional().describe('SHA-256 of the file; the link alone gives it out'),
  link: z.string().optional().describe('Needs no key: whoever has it can download the file until expires_at'),
  filename: z.string().optional(),
  size_bytes: z.number().optional(),
  row_counts: z.record(z.string(), z.number()).optional().describe('By table'),
  expires_at: z.string().optional(),
});
export type ExportAnswer = z.infer<typeof exportAnswer>;

/** An export as a list shows it. */
export const listedExport = exportAnswer
  .pick({
    job_id: true,
    status: true,
    export_type: true,
    format: true,
    filename: true,
    size_bytes: true,
    row_counts: true,
    expires_at: true,
  })
  .extend({
    created_by: z.string(),
    created_at: z.string(),
    finished_at: z.string().nullable(),
    downloadable: z.boolean().describe('system.export.get gives the link; false: not written, or expired'),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  });
export type ListedExport = z.infer<typeof listedExport>;
