import type { Database, Row } from '../../../adapters/postgres/database.ts';
import {
  maxEvidence,
  type Claim,
  type ClaimDecision,
  type ClaimDetail,
  type ClaimStatus,
  type Stance,
} from '../../../contracts/substrate/claims.ts';
import type { Columns } from '../../../prisma/rows.ts';

type Query = Database['query'];

export interface ClaimRow
  extends
    Row,
    Columns<
      'claims',
      'id' | 'statement' | 'subject_ref' | 'confidence' | 'rationale' | 'decided_by' | 'decided_at' | 'created_by' | 'created_at'
    > {
  status: ClaimStatus;
}

export interface CountedRow extends ClaimRow {
  counts: Partial<Record<Stance, number>> | null;
}

/** Counts of a claim's evidence by stance. */
export const counted = `(select jsonb_object_agg(s.stance, s.n) from (select e.stance, count(*) as n from claim_evidence e
  where e.tenant_id = c.tenant_id and e.claim_id = c.id group by e.stance) s) as counts`;

/** In order of linking; one more than allowed, to detect an overflow. */
export async function evidenceOf(query: Query, tenant: string, id: string): Promise<ClaimDetail['evidence']> {
  const rows = await query<{ id: string; ref: string; stance: Stance; note: string | null; created_by: string; created_at: Date }>(
    `select * from claim_evidence where tenant_id = $1 and claim_id = $2 order by created_at, id limit ${maxEvidence + 1}`,
    [tenant, id],
  );
  return rows.map((row) => ({
    evidence_id: row.id,
    ref: row.ref,
    stance: row.stance,
    note: row.note,
    linked_by: row.created_by,
    at: row.created_at.toISOString(),
  }));
}

export async function decisionsOf(query: Query, tenant: string, id: string): Promise<ClaimDetail['decisions']> {
  const rows = await query<{ seq: number; decision: ClaimDecision; rationale: string; decided_by: string; created_at: Date }>(
    'select * from claim_decisions where tenant_id = $1 and claim_id = $2 order by seq desc limit 100',
    [tenant, id],
  );
  return rows
    .map((row) => ({
      seq: row.seq,
      decision: row.decision,
      rationale: row.rationale,
      decided_by: row.decided_by,
      at: row.created_at.toISOString(),
    }))
    .reverse();
}

export const claimView = (row: CountedRow): Claim => ({
  claim_id: row.id,
  statement: row.statement,
  subject_ref: row.subject_ref,
  // Stored in single precision, but returned as entered: 0.9 as 0.9.
  confidence: row.confidence === null ? null : Number(row.confidence.toPrecision(6)),
  status: row.status,
  rationale: row.rationale,
  decided_by: row.decided_by,
  decided_at: row.decided_at?.toISOString() ?? null,
  evidence_counts: { supports: row.counts?.supports ?? 0, refutes: row.counts?.refutes ?? 0, context: row.counts?.context ?? 0 },
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
});
