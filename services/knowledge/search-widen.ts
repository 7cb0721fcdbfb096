import type { Database } from '../../adapters/postgres/database.ts';
import { fuse, weigh, type Fused, type LexicalHit, type Ranked } from '../../engines/retrieval/fusion.ts';
import { feeding, sharedBy, widened, widens } from '../../engines/retrieval/widening.ts';
import type { Reasons } from './search-reasons.ts';
import type { WordSearch } from './search-scope.ts';
import { weighted } from './search-second.ts';
import { sharedTerms, type Scope } from './search-sql.ts';

type Query = Database['query'];

/** What both methods found. */
export interface Found {
  /** Distinct terms of the query with their occurrences. */
  terms: ReadonlyMap<string, number>;
  lexical: { hits: readonly LexicalHit[]; idfs: readonly number[] };
  dense: readonly Ranked[];
}

export interface FuseOptions {
  /** Hits by words. */
  limit: number;
  /** Only the query's own words count. */
  narrowed: boolean;
  reasons: Reasons;
}

/** Fuses both lists; where that helps, after another search with words that the best passages share. */
export async function fusedByBoth(words: WordSearch, query: Query, scope: Scope, found: Found, options: FuseOptions): Promise<Fused[]> {
  const { terms, lexical, dense } = found;
  const { limit, narrowed, reasons } = options;
  const fused = fuse(lexical.hits, dense, { idfs: lexical.idfs });
  if (lexical.hits.length === 0 || dense.length === 0) return fused;
  const weights = weigh(lexical.hits, dense);
  reasons.fused(weights, fused.length);
  if (narrowed) return fused;
  const decision = widens({ terms: terms.size, lexical: lexical.hits, weights });
  const wider = decision.run ? await withShared(words, query, scope, found, fused) : null;
  if (!wider) {
    reasons.widened(decision.run ? 'the best passages share no other word' : decision.why, []);
    return fused;
  }
  const { hits } = await words.search(query, scope, wider.terms, limit);
  reasons.widened(decision.why, wider.added);
  return fuse(hits, dense, { idfs: lexical.idfs });
}

/** The query's terms and those that the best passages share. */
async function withShared(
  words: WordSearch,
  query: Query,
  scope: Scope,
  { terms, lexical }: Found,
  fused: readonly Fused[],
): Promise<ReturnType<typeof widened>> {
  const best = fused.slice(0, feeding).map(({ id, score }) => ({ id, weight: score }));
  const shared = await sharedTerms(query, scope, best, [...terms.keys()], sharedBy);
  const names = shared.map(({ term }) => term);
  const idfs = await words.idfs(query, scope, names);
  return widened(
    weighted(terms, lexical.idfs),
    terms,
    shared.map(({ term, share }) => ({ term, share, idf: idfs.get(term) ?? 0 })),
  );
}
