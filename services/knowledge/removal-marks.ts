/**
 * How a source or base is marked as being removed. The mark names the revision that the removal gave the source:
 * whoever submits the source anew raises the revision, and the mark is void.
 */
export const removalKey = '_removal';

/** SQL: the row `alias` of knowledge_sources is not being removed. */
export const notRemoved = (alias: string): string =>
  `(${alias}.metadata->'${removalKey}'->>'revision') is distinct from ${alias}.revision::text`;

/** SQL: the row `alias` of knowledge_sources is being removed. */
export const isRemoved = (alias: string): string =>
  `(${alias}.metadata->'${removalKey}'->>'revision') is not distinct from ${alias}.revision::text`;

/** SQL: the row of jobs is an ingestion that a removal has called off, and has not ended. */
export const isCalledOff = `status in ('queued', 'running') and spec->>'document_id' is null`;

/** Tag of a base that is being removed; it goes, too, when sources are submitted to it again. */
export const removedTag = '@removed';
