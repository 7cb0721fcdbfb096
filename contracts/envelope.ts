import { z } from 'zod';
import { errorCodes } from './errors.ts';

/** A platform object that an answer points at; `url` is where a person can look at it. */
export const ref = z.object({
  type: z.enum([
    'artifact',
    'pointer',
    'run',
    'job',
    'workflow',
    'approval',
    'entity',
    'task',
    'document',
    'source',
    'signal',
    'opportunity',
    'draft',
    'manifest',
    'claim',
    'schema',
    'agent',
    'feed',
    'brief',
    'notification',
    'subscription',
    'schedule',
    'server',
    'policy',
    'key',
    'external_tool',
  ]),
  id: z.string(),
  /** Set for artifacts, whose SHA-256 is their id in other tools. */
  sha256: z.string().optional(),
  url: z.string().optional(),
});
export type Ref = z.infer<typeof ref>;

export const statuses = ['success', 'accepted', 'partial', 'pending_approval', 'error'] as const;
export type Status = (typeof statuses)[number];

export const metadata = z.object({
  source: z.string(),
  query_time_ms: z.number(),
  confidence: z.number().min(0).max(1).optional(),
  provenance: z.array(z.record(z.string(), z.unknown())).optional(),
  result_count: z.number().optional(),
  total_count: z.number().optional(),
  next_cursor: z.string().optional(),
  cached: z.boolean().optional(),
  /** Explained by index.answer.explain. */
  trajectory_id: z.string().optional(),
});
export type Metadata = z.infer<typeof metadata>;

export const envelopeError = z.object({
  code: z.enum(errorCodes),
  message: z.string(),
  suggestion: z.string().optional(),
  alternatives: z.array(z.string()).optional(),
  candidates: z.array(z.record(z.string(), z.unknown())).optional(),
  details: z.record(z.string(), z.unknown()).optional(),
  retryable: z.boolean(),
  retry_after_seconds: z.number().optional(),
});
export type EnvelopeError = z.infer<typeof envelopeError>;

/** The one wrapper around every answer. Front ends project it; they add nothing to it. */
export interface Envelope {
  status: Status;
  data: unknown;
  metadata: Metadata;
  refs: Ref[];
  warnings: string[];
  tool_call_id: string;
  error?: EnvelopeError;
}
