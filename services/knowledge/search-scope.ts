import type { Database } from '../../adapters/postgres/database.ts';
import { AppError } from '../../contracts/errors.ts';
import { defaultBase } from '../../contracts/knowledge/knowledge.ts';
import { bases, byWords, filteredSources, idfsByRows, statistics, type Scope } from './search-sql.ts';

export interface SearchFilters {
  /** Sources with all of these tags. */
  tags?: string[] | undefined;
  /** Source ids. */
  sources?: string[] | undefined;
  has_code?: boolean | undefined;
  kb_id?: string | undefined;
}

/** Word search; all functions run in the search's repeatable-read transaction. */
export interface WordSearch {
  statistics(query: Database['query'], tenant: string, scopes: number[]): ReturnType<typeof statistics>;
  /** Passages by BM25, with the result of `byWords`. */
  search: typeof byWords;
  /** The idf of each term, in the given order. */
  idfs: typeof idfsByRows;
}

/** Directly from the posting rows. */
export const postingRows: WordSearch = { statistics, search: byWords, idfs: idfsByRows };

/**
 * The documents that a search with these filters covers, in this snapshot.
 * @throws AppError NOT_FOUND (knowledge base)
 */
export async function scopeOf(query: Database['query'], tenant: string, filters: SearchFilters, words: WordSearch): Promise<Scope> {
  const known = await bases(query, tenant);
  const open = known.filter((base) => !base.id.startsWith('_'));
  const chosen = filters.kb_id === undefined ? open : known.filter((base) => base.id === filters.kb_id);
  if (chosen.length === 0 && filters.kb_id !== undefined && filters.kb_id !== defaultBase) {
    throw new AppError('NOT_FOUND', `There is no knowledge base "${filters.kb_id}".`, {
      hint:
        open.length > 0
          ? `Knowledge bases: ${open
              .map((base) => base.id)
              .slice(0, 20)
              .join(', ')}.`
          : 'Nothing has been ingested yet.',
      alternatives: open.map((base) => base.id).slice(0, 20),
    });
  }
  const scopes = chosen.map((base) => base.scope);
  const tags = filters.tags ?? [];
  const ids = filters.sources ?? [];
  const sources = tags.length > 0 || ids.length > 0 ? await filteredSources(query, tenant, scopes, tags, ids) : undefined;
  return { tenant, scopes, ...(await words.statistics(query, tenant, scopes)), sources, hasCode: filters.has_code };
}
