import type { Logger } from 'pino';
import type { Database } from '../../adapters/postgres/database.ts';
import type { Fused } from '../../engines/retrieval/fusion.ts';
import type { Scope } from './search-sql.ts';

type Query = Database['query'];

/** A query's vector, and the model that made it. */
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
  /** Nodes wanted, at most. */
  nodes: number;
}

export interface Expanded {
  /** Best first; what the graph moved or added says so in `graph`. */
  ranked: Fused[];
  /** Names of the entities of the query that its best passages mention. */
  asked: string[];
  /** Things and people that the query, and its best passages, are about. */
  nodes: GraphNode[];
}

/** What a search asks of the knowledge graph; both run in its own transaction. */
export interface SearchGraph {
  expand(query: Query, scope: Scope, given: ToExpand): Promise<Expanded>;
  /** Nothing is in the tenant's graph. */
  isEmpty(query: Query, tenant: string): Promise<boolean>;
}

export interface GraphDeps {
  /** Absent: there is no knowledge graph. */
  graph?: SearchGraph | undefined;
  log?: Pick<Logger, 'warn'> | undefined;
}

const maxNodes = 10;

/** The ranking with what the graph adds; as it was, with a warning, when there is no graph or it cannot be read. */
export async function expandedBy(
  { graph, log }: GraphDeps,
  query: Query,
  scope: Scope,
  given: Omit<ToExpand, 'nodes'>,
  warnings: string[],
): Promise<Expanded> {
  const plain = { ranked: [...given.ranked], asked: [], nodes: [] };
  if (!graph) {
    warnings.push('No knowledge graph is configured: there are no graph results.');
    return plain;
  }
  // What fails in between must not take the whole search with it.
  await query('savepoint graph');
  try {
    const expanded = await graph.expand(query, scope, { ...given, nodes: maxNodes });
    if (expanded.nodes.length === 0 && (await graph.isEmpty(query, scope.tenant))) {
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
