import type { KnowledgeSearch } from '../knowledge/index.ts';
import type { FindPassages } from './provenance.ts';

/** The passages of all the tenant's knowledge bases that fit a claim best. */
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
