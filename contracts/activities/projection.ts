/**
 * What the projection workflows do to the world. Imports nothing, so that workflow code may use it. Of the graph's copy
 * `documents` are its entities and `passages` their relations.
 */

export interface CaughtUp {
  /** `more`: there was more to do than one call does; `off`: no copy is configured where this ran. */
  state: 'done' | 'more' | 'off';
  documents: number;
  passages: number;
  /** A tenant whose copy has never been completed; null: none. */
  unprojected: string | null;
}

/** How far a rebuild has come. */
export interface RebuildPlace {
  /** Null: every tenant. */
  only: string | null;
  /** Null: before the first. */
  tenant: string | null;
  stage: 'begin' | 'documents' | 'strays';
  /** Document or cursor after which the stage goes on; null: from its start. */
  after: string | null;
}

/** Figures of a rebuild so far, or of a part of it. */
export interface RebuildCounts {
  /** Completed. */
  tenants: number;
  documents: number;
  passages: number;
  /** Documents, or entities and relations, that were in the copy and should not have been. */
  strays: number;
}

export interface RebuildStep {
  /** Null: all is done. */
  place: RebuildPlace | null;
  done: RebuildCounts;
}

export interface RebuildProgress extends RebuildCounts {
  /** `none`: nothing was rebuilt yet. */
  state: 'none' | 'running' | 'done';
  /** Null: every tenant. */
  tenant: string | null;
}

/** All work for some seconds at most, repeat harmlessly, and fail while the copy or Postgres is away. */
export interface ProjectionActivities {
  /** Follows the outbox of every tenant. */
  catchUpVectors(): Promise<CaughtUp>;
  /** Goes on with a rebuild: writes every document anew and removes what should not be there. */
  rebuildVectors(place: RebuildPlace): Promise<RebuildStep>;
  /** As `catchUpVectors`. A tenant that fails again and again is shown as a dead letter instead of failing the call. */
  catchUpGraph(): Promise<CaughtUp>;
  rebuildGraph(place: RebuildPlace): Promise<RebuildStep>;
}
