/**
 * Activities of the projection workflows. Imports nothing, so that workflow code may use it. For the copy of the
 * graph, `documents` are entities and `passages` are relations.
 */

export interface CaughtUp {
  /** `more`: work is left; `off`: this worker has no copy configured. */
  state: 'done' | 'more' | 'off';
  documents: number;
  passages: number;
  /** A tenant whose copy was never completed; null: none. */
  unprojected: string | null;
}

/** Progress of a rebuild. */
export interface RebuildPlace {
  /** Null: every tenant. */
  only: string | null;
  /** Null: before the first. */
  tenant: string | null;
  stage: 'begin' | 'documents' | 'strays';
  /** Document or cursor after which the stage continues; null: from its start. */
  after: string | null;
}

/** Figures of a rebuild, or of a part of it. */
export interface RebuildCounts {
  /** Completed. */
  tenants: number;
  documents: number;
  passages: number;
  /** Documents, or entities and relations, that were removed from the copy because Postgres does not have them. */
  strays: number;
}

export interface RebuildStep {
  /** Null: finished. */
  place: RebuildPlace | null;
  done: RebuildCounts;
}

export interface RebuildProgress extends RebuildCounts {
  /** `none`: no rebuild yet. */
  state: 'none' | 'running' | 'done';
  /** Null: every tenant. */
  tenant: string | null;
}

/** Each works for some seconds at most, is idempotent, and fails while the copy or Postgres is unavailable. */
export interface ProjectionActivities {
  /** Applies the outbox of every tenant. */
  catchUpVectors(): Promise<CaughtUp>;
  /** Continues a rebuild: writes every document again and removes all others. */
  rebuildVectors(place: RebuildPlace): Promise<RebuildStep>;
  /** As `catchUpVectors`. A tenant that fails repeatedly is shown as a dead letter and does not fail the call. */
  catchUpGraph(): Promise<CaughtUp>;
  rebuildGraph(place: RebuildPlace): Promise<RebuildStep>;
}
