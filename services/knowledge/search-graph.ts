import type { Logger } from 'pino';
import type { Database } from '../../adapters/postgres/database.ts';
import type { Fused } from '../../engines/retrieval/fusion.ts';
import type { Scope } from './search-sql.ts';

type Query = Database['query'];

/** A query's vector, and its model. */
export interface Like {
  vector: Float32Array;
  model: string;
}

export interface GraphNode {
  name: string;
  type: string;
}

export interface ToExpand {
  text: string;
  like: Like | null;
  /** Fused candidates, best first. */
  ranked: readonly Fused[];
  /** The query's terms with their idf; undefined: it was not searched by words. */
  terms: ReadonlyMap<string, number> | undefined;
  /** Maximum nodes. */
  nodes: number;
}

export interface Expanded {
  /** Best first; hits that the graph moved or added have `graph`. */
  ranked: Fused[];
  /** Names of entities in the query that its best passages mention. */
  asked: string[];
  /** Entities of the query and of its best passages. */
  nodes: GraphNode[];
  /** Rounds that brought something: 2 when what the first one brought led on. */
  rounds: number;
}

/** The search's interface to the knowledge graph; both run in its transaction. */
export interface SearchGraph {
  expand(query: Query, scope: Scope, given: ToExpand): Promise<Expanded>;
  /** The tenant's graph is empty. */
  isEmpty(query: Query, tenant: string): Promise<boolean>;
}

export interface GraphDeps {
  /** Absent: there is no knowledge graph. */
  graph?: SearchGraph | undefined;
  log?: Pick<Logger, 'warn'> | undefined;
}

const maxNodes = 10;

/**
 * Adds the graph's results to the ranking; unchanged, with a warning, when there is no graph or it cannot be read.
 * @param asked whether the caller asked for the graph; otherwise nobody misses an absent or empty one
 */
export async function expandedBy(
  { graph, log }: GraphDeps,
  query: Query,
  scope: Scope,
  given: Omit<ToExpand, 'nodes'>,
  { asked, warnings }: { asked: boolean; warnings: string[] },
): Promise<Expanded> {
  const plain = { ranked: [...given.ranked], asked: [], nodes: [], rounds: 0 };
  if (!graph) {
    if (asked) warnings.push('No knowledge graph is configured: there are no graph results.');
    return plain;
  }
  // A failure here must not fail the whole search.
  await query('savepoint graph');
  try {
    const expanded = await graph.expand(query, scope, { ...given, nodes: maxNodes });
    if (asked && expanded.nodes.length === 0 && (await graph.isEmpty(query, scope.tenant))) {
      warnings.push('The knowledge graph is empty: it fills as sources are ingested.');
    }
    return expanded;
  } catch (error) {
    await query('rollback to savepoint graph');
    log?.warn({ err: error, tenant: scope.tenant }, 'a search went on without the graph');
    warnings.push('The knowledge graph cannot be read just now: there are no graph results.');
    return plain;
  }
}
