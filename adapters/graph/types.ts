/** A current relation: between two active entities, supported by at least one passage. */
export interface Relation {
  source: string;
  target: string;
  /** mentioned_with, or the predicate of current facts. */
  kind: string;
  passages: number;
  documents: number;
}

/** One step of a path, in the path's direction; the relation itself may point the other way. */
export interface Step {
  from: string;
  to: string;
  /** Kind of the strongest relation between the two. */
  kind: string;
  /** 0 to 1: passages / (passages + 2). */
  strength: number;
}

export interface Related {
  id: string;
  /** Length of the shortest path. */
  hops: number;
  /** Product of the strengths along the strongest of the shortest paths. */
  strength: number;
  path: Step[];
}

export interface RelatedOptions {
  /** 1 to 4. */
  maxHops: number;
  /** Only entities of these types are returned; paths may cross others. Undefined: any type. */
  types?: readonly string[] | undefined;
  limit: number;
}

export interface AroundOptions {
  /** 0 to 3; 0: only the roots. */
  depth: number;
  /** Maximum entities, including roots. */
  limit: number;
}

export interface Around {
  /** Roots first (as given), then by depth, strength and id. */
  nodes: { id: string; depth: number }[];
  /** Between these nodes, the 2,000 strongest, in order. */
  edges: Relation[];
  /** There are more entities within the depth. */
  more: boolean;
}

/**
 * Finds entities by their relations, in both directions. To limit hubs, a root contributes its 200 strongest
 * relations, any other node its 50, and each hop its 50 strongest nodes. Merged, missing and other tenants' entities
 * are excluded. Every store gives the same answers. All methods throw AppError SERVICE_UNAVAILABLE when the store
 * cannot be reached.
 */
export interface GraphStore {
  readonly name: 'postgres' | 'neo4j';
  /** Ordered by hops, strength, id. Empty when the root does not exist. */
  related(tenant: string, rootId: string, options: RelatedOptions): Promise<Related[]>;
  /** The neighbourhood of some entities, for browsing. */
  around(tenant: string, rootIds: readonly string[], options: AroundOptions): Promise<Around>;
  /** The strongest of the shortest paths; null: none within `maxHops` (1 to 4). Empty from an entity to itself. */
  shortestPath(tenant: string, from: string, to: string, maxHops: number): Promise<Step[] | null>;
}

/** An entity in a copy. */
export interface GraphNode {
  id: string;
  type: string;
  name: string;
}

/** Changes to write to a copy; everything else stays. */
export interface GraphChanges {
  nodes: GraphNode[];
  /** Merged or deleted entities, with their relations. */
  gone: string[];
  /** Written if both entities exist. */
  relations: Relation[];
  ended: Pick<Relation, 'source' | 'target' | 'kind'>[];
  /** Entities whose relations are complete after this write. */
  whole: string[];
}

/**
 * A copy of the active entities and their relations outside Postgres. It can be rebuilt. Writes are idempotent. All
 * methods throw AppError SERVICE_UNAVAILABLE when the store cannot be reached or refuses.
 */
export interface GraphCopy extends GraphStore {
  /** The outbox follower whose cursors belong to this copy. */
  readonly follower: string;
  /** False: never created, or wiped. */
  exists(): Promise<boolean>;
  /** Creates whatever is missing. */
  ensure(): Promise<void>;
  /** Atomic. */
  write(tenant: string, changes: GraphChanges): Promise<void>;
  /** Which of these entities it has with complete relations. */
  present(tenant: string, ids: readonly string[]): Promise<string[]>;
  removeTenant(tenant: string): Promise<void>;
  /**
   * Entities.
   * @param tenant undefined: all
   */
  count(tenant?: string): Promise<number>;
  find(tenant: string, ids: readonly string[]): Promise<GraphNode[]>;
  /** Ordered by id, after `after`. */
  nodes(tenant: string, after: string, limit: number): Promise<GraphNode[]>;
  /** Outgoing relations of these nodes; unordered. */
  relationsFrom(tenant: string, ids: readonly string[]): Promise<Relation[]>;
  /** @throws AppError SERVICE_UNAVAILABLE when it does not answer, or refuses the user */
  health(): Promise<void>;
  close(): Promise<void>;
}
