import type { KnowledgeSearch } from '../knowledge/index.ts';
import type { FoundPassage } from './provenance.ts';

/** The best passages for a claim from all the tenant's knowledge bases. */
export async function passagesBySearch(search: KnowledgeSearch, tenant: string, query: string, limit: number): Promise<FoundPassage[]> {
  const { hits } = await search.chunks(tenant, { query, mode: 'hybrid', limit });
  return hits.map(({ citation, content, document_id, metadata }) => ({
    citation,
    content,
    document_id,
    ...(metadata.scores.cosine === undefined ? {} : { cosine: metadata.scores.cosine }),
  }));
}
