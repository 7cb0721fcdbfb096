import type { Database } from '../../adapters/postgres/database.ts';
import type { EvidenceInput } from '../../engines/evidence/types.ts';
import { documentColumns, documentInput, passagesOfDocument, type DocumentRow } from './document-input.ts';
import { extractDocuments, type Extracting } from './extract.ts';
import type { MatchSettings } from './index.ts';
import { resolveDocuments } from './resolve.ts';

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
 * Extracts and resolves a document again.
 * @returns questions for people, whose processes must be started
 */
export async function graphAgain(
  deps: { db: Database; matching: MatchSettings },
  tenant: string,
  documentId: string,
  options: Omit<Extracting, 'again'>,
): Promise<string[]> {
  await extractDocuments(deps.db, tenant, [documentId], { ...options, again: true });
  return (await resolveDocuments(deps, tenant, [documentId], options.beat)).reviews;
}
