import type { Database, Row } from '../../adapters/postgres/database.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import { severities, type Severity, type SignalClass } from '../../contracts/signals/signals.ts';
import { noteEvent } from '../kernel/outbox.ts';
import { countSignals } from './insight/counting.ts';

type Query = Database['query'];

export interface Correction {
  class?: SignalClass | undefined;
  /** -1 to 1 */
  sentiment?: number | undefined;
  severity?: Severity | undefined;
}

/**
 * Corrects a signal. The correction survives a new reading of its document, and trains the tenant's classifier.
 * Fields that are not given stay.
 * @throws AppError VALIDATION_ERROR (nothing is corrected), NOT_FOUND
 */
export async function correctSignal(db: Database, tenant: string, id: string, correction: Correction, by: string): Promise<void> {
  const { class: said, sentiment, severity } = correction;
  if (said === undefined && sentiment === undefined && severity === undefined) {
    throw new AppError('VALIDATION_ERROR', 'Nothing is corrected.', { hint: 'Give class, sentiment or severity.' });
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
  const { class: said, sentiment, severity } = correction;
  const values = [said ?? null, sentiment ?? null, severity === undefined ? null : severities.indexOf(severity)];
  const [standing] = await query<Row>('select 1 from signals where tenant_id = $1 and id = $2 for update', [tenant, id]);
  if (!standing) return false;
  await query(
    `insert into signal_corrections as c (tenant_id, signal_id, source_id, statement, class, sentiment, severity, model, embedding, corrected_by)
     select $1, s.id, s.source_id, s.statement, $3, $4, $5, s.model, s.embedding, $6 from signals s where s.tenant_id = $1 and s.id = $2
     on conflict (tenant_id, signal_id) do update set class = coalesce(excluded.class, c.class), sentiment = coalesce(excluded.sentiment, c.sentiment),
       severity = coalesce(excluded.severity, c.severity), model = excluded.model, embedding = excluded.embedding,
       corrected_by = excluded.corrected_by, updated_at = clock_timestamp()`,
    [tenant, id, ...values, by],
  );
  await countSignals(query, tenant, [id], -1);
  await query(
    `update signals set class = coalesce($3, class), class_confidence = case when $3::text is null then class_confidence else 1 end,
       sentiment = coalesce($4, sentiment), severity = coalesce($5, severity), corrected_by = $6, updated_at = now()
     where tenant_id = $1 and id = $2`,
    [tenant, id, ...values, by],
  );
  await countSignals(query, tenant, [id], 1);
  await noteEvent(query, tenant, 'signal.corrected', id, correction);
  return true;
}
