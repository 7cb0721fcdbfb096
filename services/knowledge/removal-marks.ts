/**
 * Marks sources and bases as being removed. The mark has the revision that the removal gave the source: a new
 * submission raises the revision, which invalidates the mark.
 */
export const removalKey = '_removal';

/** SQL: the row `alias` of knowledge_sources is not being removed. */
export const notRemoved = (alias: string): string =>
  `(${alias}.metadata->'${removalKey}'->>'revision') is distinct from ${alias}.revision::text`;

/** SQL: the row `alias` of knowledge_sources is being removed. */
export const isRemoved = (alias: string): string =>
  `(${alias}.metadata->'${removalKey}'->>'revision') is not distinct from ${alias}.revision::text`;

/** SQL: the row of jobs is an unfinished ingestion that a removal has cancelled. */
export const isCalledOff = `status in ('queued', 'running') and spec->>'document_id' is null`;

/** Tag of a base that is being removed; removed when sources are submitted to it again. */
export const removedTag = '@removed';
