/** A relation as it stands: between two active entities, shown by at least one passage. */
export interface Relation {
  source: string;
  target: string;
  /** mentioned_with, or the predicate of current facts. */
  kind: string;
  passages: number;
  documents: number;
}

/** One step of a path, in the direction of the path; the relation itself may point the other way. */
export interface Step {
  from: string;
  to: string;
  /** Of the strongest relation between the two. */
  kind: string;
  /** 0 to 1: passages / (passages + 2). */
  strength: number;
}

export interface Related {
  id: string;
  /** Steps of the shortest path. */
  hops: number;
  /** Product over the strongest of the shortest paths. */
  strength: number;
  path: Step[];
}

export interface RelatedOptions {
  /** 1 to 4. */
  maxHops: number;
  /** Only entities of these types are told; paths lead over all. Undefined: of any type. */
  types?: readonly string[] | undefined;
  limit: number;
}

export interface AroundOptions {
  /** 0 to 3; 0: the roots alone. */
  depth: number;
  /** Most entities, roots included. */
  limit: number;
}

export interface Around {
  /** Roots first (as given), then by depth, strength and id. */
  nodes: { id: string; depth: number }[];
  /** Between these nodes, strongest first; the 2,000 strongest. */
  edges: Relation[];
  /** There are more entities within that depth. */
  more: boolean;
}

/**
 * Where entities are found by how they hang together. Relations are gone along in both directions. So that a hub does
 * not draw in the whole graph, a root is left by its 200 strongest relations, any other node by its 50, and each hop by its 50 strongest nodes.
 * Entities that are merged, missing or another tenant's are not there. Every store gives the same answers.
 * All throw AppError SERVICE_UNAVAILABLE when the store cannot be reached.
 */
export interface GraphStore {
  readonly name: 'postgres' | 'neo4j';
  /** Fewest hops first, then strength, then id. Empty when there is no such root. */
  related(tenant: string, rootId: string, options: RelatedOptions): Promise<Related[]>;
  /** What surrounds some entities, for browsing. */
  around(tenant: string, rootIds: readonly string[], options: AroundOptions): Promise<Around>;
  /** The strongest of the shortest paths; null: none within `maxHops` (1 to 4). Empty from an entity to itself. */
  shortestPath(tenant: string, from: string, to: string, maxHops: number): Promise<Step[] | null>;
}

/** An entity as a copy keeps it. */
export interface GraphNode {
  id: string;
  type: string;
  name: string;
}

/** What is to hold in a copy from now on; everything else in it stays. */
export interface GraphChanges {
  nodes: GraphNode[];
  /** Entities that are merged or gone, their relations with them. */
  gone: string[];
  /** Written where both entities are there. */
  relations: Relation[];
  ended: Pick<Relation, 'source' | 'target' | 'kind'>[];
  /** Entities all of whose relations are written with this. */
  whole: string[];
}

/**
 * A copy of the active entities and their relations outside of Postgres. Everything in it can be made anew. Writes may
 * be repeated. All throw AppError SERVICE_UNAVAILABLE when the store cannot be reached or refuses.
 */
export interface GraphCopy extends GraphStore {
  /** The outbox follower whose cursors say how far this copy has come. */
  readonly follower: string;
  /** False: never made, or wiped. */
  exists(): Promise<boolean>;
  /** Makes whatever is missing. */
  ensure(): Promise<void>;
  /** All of it or nothing. */
  write(tenant: string, changes: GraphChanges): Promise<void>;
  /** Which of these entities it has with all the relations they had then. */
  present(tenant: string, ids: readonly string[]): Promise<string[]>;
  removeTenant(tenant: string): Promise<void>;
  /** Entities. @param tenant undefined: of all together */
  count(tenant?: string): Promise<number>;
  find(tenant: string, ids: readonly string[]): Promise<GraphNode[]>;
  /** In order of id, from behind `after`. */
  nodes(tenant: string, after: string, limit: number): Promise<GraphNode[]>;
  /** Of these nodes, those that lead away from them; in any order. */
  relationsFrom(tenant: string, ids: readonly string[]): Promise<Relation[]>;
  /** @throws AppError SERVICE_UNAVAILABLE when it does not answer, or not to this user */
  health(): Promise<void>;
  close(): Promise<void>;
}
