import type { Database } from '../../../adapters/postgres/database.ts';
import type { Caller } from '../../../contracts/caller.ts';
import {
  maxEvidence,
  type Claim,
  type ClaimDecision,
  type ClaimDetail,
  type ClaimStatus,
  type NewEvidence,
} from '../../../contracts/substrate/claims.ts';
import { AppError, notFound } from '../../../contracts/errors.ts';
import { derivedId } from '../../../contracts/ids.ts';
import { down, keysetPage, matching, up, type Page, type Paging } from '../../kernel/paging.ts';
import { noteEvent } from '../../kernel/outbox.ts';
import { Service } from '../../kernel/service.ts';
import { claimView, counted, decisionsOf, evidenceOf, type ClaimRow, type CountedRow } from './records.ts';

type Query = Database['query'];
type By = Pick<Caller, 'tenant' | 'principal'>;

export interface NewClaim {
  statement: string;
  subjectRef?: string | undefined;
  confidence?: number | undefined;
}

export interface ClaimFilter extends Paging {
  status?: ClaimStatus | undefined;
  subjectRef?: string | undefined;
}

/**
 * Claims with evidence for and against, and rulings. An acceptance or rejection is final; a request for more evidence
 * is not.
 */
export class ClaimsService extends Service {
  async create({ tenant, principal }: By, wanted: NewClaim, callKey: string): Promise<{ claim_id: string; status: ClaimStatus }> {
    const id = derivedId('claim', tenant, callKey);
    return await this.db.transaction(async (query) => {
      const [made] = await query<ClaimRow>(
        `insert into claims (tenant_id, id, statement, subject_ref, confidence, created_by) values ($1, $2, $3, $4, $5, $6)
         on conflict do nothing returning *`,
        [tenant, id, wanted.statement, wanted.subjectRef ?? null, wanted.confidence ?? null, principal],
      );
      if (!made) return { claim_id: id, status: (await claimRow(query, tenant, id)).status };
      await noteEvent(query, tenant, 'claim.created', id, { subject_ref: made.subject_ref });
      return { claim_id: id, status: made.status };
    });
  }

  /** @throws AppError NOT_FOUND */
  async get(tenant: string, id: string): Promise<ClaimDetail> {
    return await detail(this.db.query, tenant, id);
  }

  /** Newest first. */
  async list(tenant: string, { status, subjectRef, ...paging }: ClaimFilter): Promise<Page<Claim>> {
    const where = matching({ 'c.tenant_id = $': tenant, 'c.status = $': status, 'c.subject_ref = $': subjectRef });
    const list = { select: `c.*, ${counted}`, from: 'claims c', ...where, order: [down('c.created_at', 'timestamptz'), up('c.id')] };
    return await keysetPage(this.db.query, list, paging, claimView);
  }

  /**
   * Adds evidence for or against. The same reference with the same stance is stored once, with its first note.
   * @throws AppError NOT_FOUND, CONFLICT: it is decided, or has the maximum amount of evidence
   */
  async link({ tenant, principal }: By, id: string, given: readonly NewEvidence[]): Promise<{ claim: ClaimDetail; added: number }> {
    return await this.db.transaction(async (query) => {
      const before = await claimRow(query, tenant, id, 'for update');
      if (isFinal(before.status)) throw decided(before);
      const made = await query(
        `insert into claim_evidence (tenant_id, claim_id, id, ref, stance, note, created_by, created_at)
         select $1, $2, e.id, e.ref, e.stance, e.note, $3, clock_timestamp() from jsonb_to_recordset($4::jsonb) as e(id text, ref text, stance text, note text)
         on conflict do nothing returning 1`,
        [tenant, id, principal, JSON.stringify(given.map((entry) => withId(tenant, id, entry)))],
      );
      const claim = await detail(query, tenant, id);
      if (claim.evidence.length > maxEvidence) {
        throw new AppError('CONFLICT', `A claim may have at most ${maxEvidence} pieces of evidence.`, {
          hint: 'Decide it, or state a narrower claim.',
          details: { claim_id: id, max_evidence: maxEvidence },
        });
      }
      await query('update claims set rev = rev + 1, updated_at = now() where tenant_id = $1 and id = $2 and $3', [
        tenant,
        id,
        made.length > 0,
      ]);
      return { claim, added: made.length };
    });
  }

  /**
   * Rules on a claim; each ruling is kept. The last one may be repeated by the same decider.
   * @throws AppError NOT_FOUND, CONFLICT: it is already accepted or rejected
   */
  async decide(
    { tenant, principal }: By,
    id: string,
    ruling: { decision: ClaimDecision; rationale: string },
  ): Promise<{ claim: ClaimDetail; repeated: boolean }> {
    return await this.db.transaction(async (query) => {
      const before = await claimRow(query, tenant, id, 'for update');
      const same = before.status === ruling.decision && before.rationale === ruling.rationale && before.decided_by === principal;
      if (same) return { claim: await detail(query, tenant, id), repeated: true };
      if (isFinal(before.status)) throw decided(before);
      await query(
        `insert into claim_decisions (tenant_id, claim_id, seq, decision, rationale, decided_by)
         select $1, $2, coalesce(max(seq), 0) + 1, $3, $4, $5 from claim_decisions where tenant_id = $1 and claim_id = $2`,
        [tenant, id, ruling.decision, ruling.rationale, principal],
      );
      await query(
        `update claims set status = $3, rationale = $4, decided_by = $5, decided_at = now(), rev = rev + 1, updated_at = now()
         where tenant_id = $1 and id = $2`,
        [tenant, id, ruling.decision, ruling.rationale, principal],
      );
      await noteEvent(query, tenant, 'claim.decided', id, { decision: ruling.decision, subject_ref: before.subject_ref });
      return { claim: await detail(query, tenant, id), repeated: false };
    });
  }
}

const isFinal = (status: ClaimStatus): boolean => status === 'accepted' || status === 'rejected';

const decided = (row: ClaimRow): AppError =>
  new AppError('CONFLICT', `The claim is ${row.status} already.`, {
    hint: 'A decision is final. State a new claim if there is new evidence.',
    details: { claim_id: row.id, status: row.status, decided_by: row.decided_by },
  });

const withId = (tenant: string, claim: string, { ref, stance, note: said }: NewEvidence) => ({
  id: derivedId('ev', tenant, claim, ref, stance),
  ref: ref.toWellFormed(),
  stance,
  note: said?.toWellFormed() ?? null,
});

async function claimRow(query: Query, tenant: string, id: string, lock: '' | 'for update' = ''): Promise<ClaimRow> {
  const [row] = await query<ClaimRow>(`select * from claims where tenant_id = $1 and id = $2 ${lock}`, [tenant, id]);
  if (!row) throw notFound('claim', id, 'claim.record.list shows the claims of your tenant.');
  return row;
}

async function detail(query: Query, tenant: string, id: string): Promise<ClaimDetail> {
  const [row] = await query<CountedRow>(`select c.*, ${counted} from claims c where c.tenant_id = $1 and c.id = $2`, [tenant, id]);
  if (!row) throw notFound('claim', id, 'claim.record.list shows the claims of your tenant.');
  const evidence = await evidenceOf(query, tenant, id);
  return { ...claimView(row), evidence, decisions: await decisionsOf(query, tenant, id) };
}
