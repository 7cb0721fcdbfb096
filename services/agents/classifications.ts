/** Outputs that classify a signal. A person's verdict on one trains the classifier, as signal.record.correct does. */
import { z } from 'zod';
import type { Database, Row } from '../../adapters/postgres/database.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import { severities, signalClasses } from '../../contracts/signals/signals.ts';
import { correctIn, type Correction } from '../signals/index.ts';

type Query = Database['query'];

export const classificationKind = 'signal_classification';

const said = z.object({
  class: z.enum(signalClasses).optional(),
  sentiment: z.number().min(-1).max(1).optional(),
  severity: z.enum(severities).optional(),
});
const proposed = said.extend({ signal_id: z.string().min(1).max(64) });

/** Parses an output of this kind. @throws AppError VALIDATION_ERROR */
export const readProposal = (content: string): z.infer<typeof proposed> =>
  read(proposed, content, 'signal_id and class, sentiment or severity');

/** Parses a person's correction. Ignores a signal_id in it. @throws AppError VALIDATION_ERROR */
const readCorrection = (correction: string): Correction => read(said, correction, 'class, sentiment or severity');

function read<T extends Correction>(shape: z.ZodType<T>, text: string, fields: string): T {
  let value: unknown = null;
  try {
    value = JSON.parse(text);
  } catch {
    // Invalid JSON is reported below, like any other invalid text.
  }
  const { data, error } = shape.safeParse(value);
  if (data && (data.class ?? data.sentiment ?? data.severity) !== undefined) return data;
  throw new AppError('VALIDATION_ERROR', `A classification of a signal is JSON with ${fields}.`, {
    hint: 'For example {"signal_id": "sig_1", "class": "bug", "severity": "high"}; classes, sentiment (-1 to 1) and severities as in signal.record.correct.',
    ...(error ? { details: { problems: error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) } } : {}),
  });
}

/** @throws AppError NOT_FOUND */
export async function requireSignal(query: Query, tenant: string, id: string): Promise<void> {
  const [standing] = await query<Row>('select 1 from signals where tenant_id = $1 and id = $2', [tenant, id]);
  if (!standing)
    throw notFound('signal', id, 'signal.record.search finds the signals of your tenant; what is said of one that is gone is rejected.');
}

/**
 * The classification of a verdict: the output's if it was accepted, the person's if it was corrected.
 * @throws AppError VALIDATION_ERROR
 */
export function classified(content: string, correction: string | null): { signalId: string; correction: Correction } {
  const { signal_id: signalId, ...own } = readProposal(content);
  return { signalId, correction: correction === null ? own : readCorrection(correction) };
}

/**
 * Corrects the signal by the verdict, in the caller's transaction.
 * @returns the signal; null: it was deleted
 */
export async function applyClassification(
  query: Query,
  tenant: string,
  by: string,
  content: string,
  correction: string | null,
): Promise<string | null> {
  const { signalId, correction: final } = classified(content, correction);
  return (await correctIn(query, tenant, signalId, final, by)) ? signalId : null;
}
