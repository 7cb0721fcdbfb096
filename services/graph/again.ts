import type { Database } from '../../adapters/postgres/database.ts';
import type { EvidenceInput } from '../../engines/evidence/types.ts';
import { documentColumns, documentInput, passagesOfDocument, type DocumentRow } from './document-input.ts';
import { extractDocuments, type Extracting } from './extract.ts';
import type { MatchSettings } from './index.ts';
import { resolveDocuments, resolveSome } from './resolve.ts';

/** A document as input of the evidence engine; null: it is not active. */
export async function inputOfDocument(query: Database['query'], tenant: string, documentId: string): Promise<EvidenceInput | null> {
  const [row] = await query<DocumentRow>(
    `select ${documentColumns} from documents d join knowledge_sources s on s.tenant_id = d.tenant_id and s.id = d.source_id
     where d.tenant_id = $1 and d.id = $2 and d.status = 'active'`,
    [tenant, documentId],
  );
  return row ? documentInput(row, await passagesOfDocument(query, tenant, documentId)) : null;
}

/**
 * Extracts and resolves documents, a batch in one transaction: counts do not dip while they are read again.
 * @returns questions for people, whose processes must be started
 */
export async function graphTogether(
  { db, matching }: { db: Database; matching: MatchSettings },
  tenant: string,
  documentIds: readonly string[],
  options: Omit<Extracting, 'resolve'>,
): Promise<{ mentions: number; reviews: string[] }> {
  const done = { mentions: 0, reviews: [] as string[] };
  const add = ({ mentions, reviews }: { mentions: number; reviews: string[] }): void => {
    done.mentions += mentions;
    done.reviews.push(...reviews);
  };
  await extractDocuments(db, tenant, documentIds, {
    ...options,
    resolve: async (query, ids) => add(await resolveSome(query, tenant, ids, matching)),
  });
  // What was extracted before, by a worker that was killed then.
  add(await resolveDocuments({ db, matching }, tenant, documentIds, options.beat));
  return done;
}
