import type { Database, Row } from '../../adapters/postgres/database.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import { severities, type Severity, type SignalClass, type StatementState, type Tone } from '../../contracts/signals/signals.ts';
import { noteEvent } from '../kernel/outbox.ts';
import { countSignals } from './insight/counting.ts';
import { unsettle } from './relate.ts';

type Query = Database['query'];

const sentimentOf: Record<Tone, number> = { positive: 0.8, negative: -0.8, neutral: 0, mixed: 0 };
const toneOf = (sentiment: number): Tone => (sentiment > 0.25 ? 'positive' : sentiment < -0.25 ? 'negative' : 'neutral');

export interface Correction {
  /** none: it is no statement of a customer, and is removed. */
  class?: SignalClass | 'none' | undefined;
  /** -1 to 1 */
  sentiment?: number | undefined;
  severity?: Severity | undefined;
  tone?: Tone | undefined;
  state?: StatementState | undefined;
}

/**
 * Corrects a signal. The correction survives a new reading of its document, and trains the tenant's classifier.
 * Fields that are not given stay.
 * @throws AppError VALIDATION_ERROR (nothing is corrected), NOT_FOUND
 */
export async function correctSignal(db: Database, tenant: string, id: string, correction: Correction, by: string): Promise<void> {
  if (Object.values(correction).every((value) => value === undefined)) {
    throw new AppError('VALIDATION_ERROR', 'Nothing is corrected.', { hint: 'Give class, sentiment, tone, severity or state.' });
  }
  await db.transaction(async (query) => {
    if (!(await correctIn(query, tenant, id, correction, by)))
      throw notFound('signal', id, 'signal.record.search finds the signals of your tenant.');
  });
}

/**
 * The same within a transaction.
 * @returns whether the signal exists
 */
export async function correctIn(query: Query, tenant: string, id: string, correction: Correction, by: string): Promise<boolean> {
  const { class: said, severity } = correction;
  // A tone without a number still moves the number.
  const sentiment = correction.sentiment ?? (correction.tone === undefined ? undefined : sentimentOf[correction.tone]);
  const tone = correction.tone ?? (correction.sentiment === undefined ? undefined : toneOf(correction.sentiment));
  const values = [
    said ?? null,
    sentiment ?? null,
    severity === undefined ? null : severities.indexOf(severity),
    tone ?? null,
    correction.state ?? null,
  ];
  const [standing] = await query<Row>('select 1 from signals where tenant_id = $1 and id = $2 for update', [tenant, id]);
  if (!standing) return false;
  await query(
    `insert into signal_corrections as c (tenant_id, signal_id, source_id, statement, class, sentiment, severity, tone, state, model, embedding, corrected_by)
     select $1, s.id, s.source_id, s.statement, $3, $4, $5, $6, $7, s.model, s.embedding, $8 from signals s where s.tenant_id = $1 and s.id = $2
     on conflict (tenant_id, signal_id) do update set class = coalesce(excluded.class, c.class), sentiment = coalesce(excluded.sentiment, c.sentiment),
       severity = coalesce(excluded.severity, c.severity), tone = coalesce(excluded.tone, c.tone), state = coalesce(excluded.state, c.state), model = excluded.model, embedding = excluded.embedding,
       corrected_by = excluded.corrected_by, updated_at = clock_timestamp()`,
    [tenant, id, ...values, by],
  );
  await countSignals(query, tenant, [id], -1);
  if (said === 'none') {
    await query('delete from signals where tenant_id = $1 and id = $2', [tenant, id]);
    await unsettle(query, tenant, [id]);
    await noteEvent(query, tenant, 'signal.corrected', id, correction);
    return true;
  }
  await query(
    `update signals set class = coalesce($3, class), class_confidence = case when $3::text is null then class_confidence else 1 end,
       sentiment = coalesce($4, sentiment), severity = coalesce($5, severity), tone = coalesce($6, tone), state = coalesce($7, state),
       corrected_by = $8, updated_at = now()
     where tenant_id = $1 and id = $2`,
    [tenant, id, ...values, by],
  );
  await countSignals(query, tenant, [id], 1);
  await noteEvent(query, tenant, 'signal.corrected', id, correction);
  return true;
}
