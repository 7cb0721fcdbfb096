import type { Database, Row } from '../../adapters/postgres/database.ts';
import { hashOf } from '../../contracts/ids.ts';
import type { Answer, Batch } from '../../engines/evidence/model-types.ts';

/** What a language model answered about portions of documents. Untrusted: it is checked whenever it is used. */

/** Which model, asked how. */
export interface Asker {
  prompt: string;
  model: string;
}

/** Relative dates depend on the day. */
export const portionOf = ({ records }: Batch, day: string): string => hashOf([day, records]);

/** Bounds for servers that do not keep to the length of answers. */
const mostOfList = 100;
const longestText = 2_000;
const bounded = (answer: Answer): string =>
  JSON.stringify(answer, (_key, value: unknown) => {
    if (typeof value === 'string') return value.slice(0, longestText).replaceAll('\0', '').toWellFormed();
    return Array.isArray(value) ? value.slice(0, mostOfList) : value;
  });

export async function keptAnswers(
  query: Database['query'],
  tenant: string,
  documentId: string,
  { prompt, model }: Asker,
): Promise<Map<string, Answer>> {
  const rows = await query<{ portion: string; answer: Answer } & Row>(
    'select portion, answer from model_answers where tenant_id = $1 and document_id = $2 and prompt = $3 and model = $4',
    [tenant, documentId, prompt, model],
  );
  return new Map(rows.map(({ portion, answer }) => [portion, answer]));
}

/**
 * Keeps an answer; if another worker has kept one meanwhile, that one counts, so that both read the same.
 * @returns the answer that counts; null: the document is gone
 */
export async function keepAnswer(
  query: Database['query'],
  tenant: string,
  documentId: string,
  { prompt, model }: Asker,
  portion: string,
  answer: Answer,
): Promise<Answer | null> {
  const [row] = await query<{ answer: Answer } & Row>(
    // The lock waits for a transaction that is retiring the document.
    `with standing as (select id from documents where tenant_id = $1 and id = $2 and status = 'active' for share)
     insert into model_answers as a (tenant_id, document_id, prompt, model, portion, answer)
     select $1, id, $3, $4, $5, $6 from standing
     on conflict (tenant_id, document_id, prompt, model, portion) do update set answer = a.answer returning a.answer`,
    [tenant, documentId, prompt, model, portion, bounded(answer)],
  );
  return row?.answer ?? null;
}

/** In the transaction that retires or deletes the documents. */
export async function forgetAnswers(query: Database['query'], tenant: string, documentIds: readonly string[]): Promise<void> {
  if (documentIds.length === 0) return;
  await query('delete from model_answers where tenant_id = $1 and document_id = any($2)', [tenant, documentIds]);
}
