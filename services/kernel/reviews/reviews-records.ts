import type { Database, Row } from '../../../adapters/postgres/database.ts';
import { derivedId, newId } from '../../../contracts/ids.ts';
import type { Columns } from '../../../prisma/rows.ts';
import { noteEvent } from '../outbox.ts';

type Query = Database['query'];

export type ReviewAction = 'merge' | 'split' | 'alias';
export type ReviewStatus = 'pending' | 'deciding' | 'confirmed' | 'rejected' | 'withdrawn';

/**
 * The subject of an entity match. merge: is `a` the same as `b`? split: does `key` of `a` belong to `b`? alias: is
 * `alias` a name of `a`?
 */
export interface MatchSubject {
  a?: string;
  b?: string;
  key?: string;
  alias?: string;
  /** Levels of the compared features, to train the matcher. */
  levels?: Record<string, number>;
  /** The name for the split-off part, if it is not an entity yet. */
  name?: string;
}

export interface NewReview {
  action: ReviewAction;
  type: string;
  subject: MatchSubject;
  /** Asked only once, see `pairOf`. Null: may be asked again. */
  pair: string | null;
  confidence: number;
  evidence: string[];
  origin: string;
  createdBy: string;
  notes?: string | null;
}

export interface ReviewRow
  extends Row, Columns<'reviews', 'id' | 'pair' | 'notes' | 'origin' | 'created_by' | 'decided_by' | 'decided_at' | 'created_at'> {
  action: ReviewAction;
  type: string;
  subject: MatchSubject;
  confidence: number;
  evidence: string[];
  status: ReviewStatus;
  result: Record<string, unknown> | null;
}

/** Two names of a type, in either order; hashed, so that it may be kept after they are deleted. */
export const pairOf = (type: string, a: string, b: string): string => derivedId('pair', type, ...[a, b].sort());

/** The change of a confirmed question, as the history of its entities names it. */
export const changeOf = (tenant: string, { id, action }: Pick<ReviewRow, 'id' | 'action'>): string =>
  action === 'alias' ? id : derivedId('job', 'change', tenant, id);

/**
 * Opens a question once. Its process is started after the commit.
 * @returns its id; null when it was asked before
 */
export async function openReview(query: Query, tenant: string, review: NewReview): Promise<string | null> {
  const [row] = await query<{ id: string }>(
    `insert into reviews (tenant_id, id, kind, action, type, subject, pair, confidence, evidence, origin, created_by, notes)
     values ($1, $2, 'entity_match', $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing returning id`,
    [
      tenant,
      newId('fb'),
      review.action,
      review.type,
      JSON.stringify(review.subject),
      review.pair,
      review.confidence,
      JSON.stringify(review.evidence),
      review.origin,
      review.createdBy,
      review.notes ?? null,
    ],
  );
  if (!row) return null;
  await noteEvent(query, tenant, 'entity.review_requested', row.id, {
    action: review.action,
    type: review.type,
    confidence: review.confidence,
  });
  return row.id;
}

export async function reviewRow(query: Query, tenant: string, id: string): Promise<ReviewRow | null> {
  const [row] = await query<ReviewRow>(`select * from reviews where tenant_id = $1 and id = $2 and kind = 'entity_match'`, [tenant, id]);
  return row ?? null;
}

/** Any kind of review, as its process needs it. */
export interface AnyReview extends Row, Columns<'reviews', 'notes' | 'decided_by'> {
  kind: 'entity_match' | 'agent_output' | 'claim' | 'tool_approval';
  status: ReviewStatus;
  result: Record<string, unknown> | null;
}

export async function anyReview(query: Query, tenant: string, id: string): Promise<AnyReview | null> {
  const [row] = await query<AnyReview>('select kind, status, result, notes, decided_by from reviews where tenant_id = $1 and id = $2', [
    tenant,
    id,
  ]);
  return row ?? null;
}
