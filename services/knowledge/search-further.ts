import type { Database } from '../../adapters/postgres/database.ts';
import type { Fused, LexicalHit } from '../../engines/retrieval/fusion.ts';
import { reach, shareWithNeighbours, sharing } from '../../engines/retrieval/neighbours.ts';
import { noConversation } from './lexical.ts';
import { expandedBy, type Expanded, type GraphDeps, type Like } from './search-graph.ts';
import type { Reasons } from './search-reasons.ts';
import { secondRound, weighted } from './search-second.ts';
import { neighboursOf, type Scope } from './search-sql.ts';

type Query = Database['query'];

/** What the first round found. */
export interface First {
  text: string;
  like: Like | null;
  /** Distinct terms of the query with their occurrences. */
  terms: ReadonlyMap<string, number>;
  lexical: { hits: readonly LexicalHit[]; idfs: readonly number[] };
  /** Fused, best first. */
  ranked: Fused[];
  /** Ranked by one method alone, or with a minimum similarity: then only a second round that is asked for changes it. */
  narrowed: boolean;
  includeGraph: boolean | undefined;
}

export interface Further {
  ranked: Fused[];
  /** The second round; null: there was none. */
  linked: Expanded | null;
}

/** What follows the first round: neighbours in conversations, then a second round where one pays. */
export async function furtherRounds(
  deps: GraphDeps,
  query: Query,
  scope: Scope,
  first: First,
  { warnings, reasons }: { warnings: string[]; reasons: Reasons },
): Promise<Further> {
  const { text, like, terms, lexical, narrowed, includeGraph } = first;
  const ranked = narrowed ? first.ranked : await withNeighbours(query, scope, first, reasons);
  const decision = secondRound({ includeGraph, narrowed, terms: terms.size, lexical: lexical.hits });
  reasons.second(decision);
  if (!decision.run) return { ranked, linked: null };
  const given = { text, like, ranked, terms: weighted(terms, lexical.idfs) };
  const linked = await expandedBy(deps, query, scope, given, { asked: includeGraph === true, warnings });
  return { ranked: linked.ranked, linked };
}

async function withNeighbours(query: Query, scope: Scope, { ranked, text }: First, reasons: Reasons): Promise<Fused[]> {
  if (ranked.length === 0 || noConversation(scope.seen)) return ranked;
  const best = ranked.slice(0, sharing).map((hit) => hit.id);
  const neighbours = await neighboursOf(query, scope, best, reach);
  if (neighbours.length === 0) return ranked;
  const near = shareWithNeighbours(ranked, neighbours, text);
  reasons.beside(near);
  return near;
}
