import type { KnowledgeSearch } from '../knowledge/index.ts';
import type { FindPassages } from './provenance.ts';

/** The best passages for a claim from all the tenant's knowledge bases. */
export const passagesBySearch =
  (search: KnowledgeSearch): FindPassages =>
  async (tenant, query, limit) => {
    const { hits } = await search.chunks(tenant, { query, mode: 'hybrid', limit });
    return hits.map(({ citation, content, document_id, metadata }) => ({
      citation,
      content,
      document_id,
      ...(metadata.scores.cosine === undefined ? {} : { cosine: metadata.scores.cosine }),
    }));
  };
