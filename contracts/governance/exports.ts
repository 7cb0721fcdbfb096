import { z } from 'zod';

/** What can be taken out. */
export const exportTypes = ['entities', 'signals', 'opportunities', 'knowledge_graph', 'feedback_log', 'full_backup'] as const;
export type ExportType = (typeof exportTypes)[number];

export const exportFormats = ['json', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number] | 'jsonl';

/** Of the ledger: as in a search of it. */
export interface LedgerRange {
  since?: string | undefined;
  /** Not included. */
  until?: string | undefined;
  toolCallId?: string | undefined;
  tool?: string | undefined;
  type?: string | undefined;
  principal?: string | undefined;
  errorCode?: string | undefined;
}

/** What both tools of exports answer. */
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
