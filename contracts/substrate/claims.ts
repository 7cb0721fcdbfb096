import { z } from 'zod';
import { ref, type Ref } from '../envelope.ts';
import { words } from '../knowledge/knowledge.ts';

export const claimStatuses = ['open', 'accepted', 'rejected', 'needs_more_evidence'] as const;
export type ClaimStatus = (typeof claimStatuses)[number];
export const claimDecisions = ['accepted', 'rejected', 'needs_more_evidence'] as const;
export type ClaimDecision = (typeof claimDecisions)[number];
export const stances = ['supports', 'refutes', 'context'] as const;
export type Stance = (typeof stances)[number];

/** Maximum per claim. */
export const maxEvidence = 200;

export const claimId = z.string().min(1).max(64).describe('Id of a claim');

export const newEvidence = z.object({
  ref: z
    .union([words(1_000), ref])
    .describe('What speaks: a passage (document#ordinal), an entity, an artifact, a run, a URL; or one of the refs of an answer, as it is')
    .meta({ examples: ['https://example.com/report'] }),
  stance: z.enum(stances),
  note: words(2_000).optional(),
});
export type NewEvidence = Omit<z.infer<typeof newEvidence>, 'ref'> & { ref: string };

/** A ref of an answer as the text that evidence is kept under: `artifact:9f86…`, `run:run_1`. */
export const refText = (given: string | Ref): string => (typeof given === 'string' ? given : `${given.type}:${given.id}`);

export const evidence = z.object({
  evidence_id: z.string(),
  ref: z.string(),
  stance: z.enum(stances),
  note: z.string().nullable(),
  linked_by: z.string(),
  at: z.string(),
});

export const decision = z.object({
  seq: z.number(),
  decision: z.enum(claimDecisions),
  rationale: z.string(),
  decided_by: z.string(),
  at: z.string(),
});

export const claim = z.object({
  claim_id: z.string(),
  statement: z.string(),
  subject_ref: z.string().nullable(),
  confidence: z.number().nullable(),
  status: z.enum(claimStatuses),
  rationale: z.string().nullable(),
  decided_by: z.string().nullable(),
  decided_at: z.string().nullable(),
  evidence_counts: z.object({ supports: z.number(), refutes: z.number(), context: z.number() }),
  created_by: z.string(),
  created_at: z.string(),
});
export type Claim = z.infer<typeof claim>;

export const claimDetail = claim.extend({ evidence: z.array(evidence), decisions: z.array(decision) });
export type ClaimDetail = z.infer<typeof claimDetail>;
