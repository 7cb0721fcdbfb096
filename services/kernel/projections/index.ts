import { asTenant } from '../../../adapters/postgres/tenancy.ts';
import type { CaughtUp, RebuildPlace, RebuildProgress, RebuildStep } from '../../../contracts/activities/kernel/projection.ts';
import type { Ref } from '../../../contracts/envelope.ts';
import { AppError } from '../../../contracts/errors.ts';
import { agreement, type Agreement } from './agreement.ts';
import type { Copied, Parts } from './copied.ts';
import { vectorsCopied } from './documents.ts';
import { graphCopied } from './entities.ts';
import { graphFailures } from './failures.ts';
import { catchUp, type Budget, type Witness } from './follow.ts';
import { ProjectionProcesses, type CopyName } from './processes.ts';
import { rebuild } from './rebuild.ts';
import { caughtUp, statusOf, type ProjectionStatus } from './status.ts';
import { Service } from '../service.ts';

/** One copy: its content and its process. */
interface Projection {
  parts: Parts | null;
  processes: ProjectionProcesses;
  witness?: Witness;
}

/** State of the graph's copy, for health checks. */
export interface GraphSync {
  state: 'disabled' | 'in_sync' | 'behind' | 'down';
  /** Entities whose last change is not in the copy. */
  pending: number;
  lag_seconds: number;
}

/** How long the state of the graph's copy is cached, in ms: it takes a query per tenant. */
const syncFreshFor = 5_000;

/** Copies of records outside Postgres: the vectors in Qdrant, the graph in Neo4j. */
export class ProjectionService extends Service<'temporal' | 'processes' | 'projected' | 'graphCopy'> {
  private readonly copies: Record<CopyName, Projection> = {
    vectors: {
      parts: this.partsOf(this.deps.projected && vectorsCopied(this.db, this.deps.projected)),
      processes: new ProjectionProcesses({ ...this.deps, copy: 'vectors' }),
    },
    graph: {
      parts: this.partsOf(this.deps.graphCopy && graphCopied(this.db, this.deps.graphCopy)),
      processes: new ProjectionProcesses({ ...this.deps, copy: 'graph' }),
      witness: graphFailures(this.db),
    },
  };
  private sync: { at: number; found: Promise<GraphSync> } | null = null;

  private partsOf(copy: Copied | null): Parts | null {
    return copy && { db: this.db, copy };
  }

  /**
   * Starts the process of each configured copy.
   * @throws AppError SERVICE_UNAVAILABLE
   */
  async start(): Promise<void> {
    await Promise.all(this.configured().map(({ processes }) => processes.start()));
  }

  /** Call it after a change of documents or entities was committed. Never fails, and costs nothing without a copy. */
  async wake(): Promise<void> {
    await Promise.all(this.configured().map(({ processes }) => processes.wake()));
  }

  /**
   * Rebuilds a copy for one tenant, or for all. Meanwhile reads use Postgres.
   * @param tenant null: all, one after the other
   * @throws AppError CONFLICT while a rebuild is running, or without a copy; SERVICE_UNAVAILABLE
   */
  async rebuild(tenant: string | null, callKey: string, copy: CopyName = 'vectors'): Promise<RebuildProgress> {
    const { parts, processes } = this.copies[copy];
    if (parts) return await processes.rebuild({ tenant }, callKey);
    throw new AppError(
      'CONFLICT',
      copy === 'vectors'
        ? 'There is nothing to rebuild: vectors are searched where they are stored, in Postgres.'
        : 'There is nothing to rebuild: the graph is traversed where it is stored, in Postgres.',
      {
        hint:
          copy === 'vectors'
            ? 'QDRANT_URL, together with an embedding model, keeps a copy of them in Qdrant.'
            : 'NEO4J_URI keeps a copy of it in Neo4j.',
        details: { reason: 'no_copy' },
      },
    );
  }

  /** Progress of the running rebuild, or of the last one. */
  async progress(copy: CopyName = 'vectors'): Promise<RebuildProgress> {
    return await this.copies[copy].processes.progress();
  }

  /** For operators: all tenants together. One query per tenant, so do not call it per request. */
  async projectionStatus(copy: CopyName = 'vectors'): Promise<ProjectionStatus> {
    const { parts, processes } = this.copies[copy];
    if (parts) return await statusOf(parts, await processes.runs().catch(() => false));
    return { store: copy === 'vectors' ? 'pgvector' : 'postgres', projected: null, pending: 0, lag_seconds: 0, healthy: true };
  }

  /**
   * `neo4j_sync` of the health checks, over all tenants.
   * @throws AppError SERVICE_UNAVAILABLE without Postgres
   */
  async graphSync(): Promise<GraphSync> {
    if (!this.copies.graph.parts) return { state: 'disabled', pending: 0, lag_seconds: 0 };
    if (!this.sync || Date.now() - this.sync.at > syncFreshFor) {
      const found = this.projectionStatus('graph').then(({ healthy, pending, lag_seconds }): GraphSync => {
        return { state: healthy ? (pending === 0 ? 'in_sync' : 'behind') : 'down', pending, lag_seconds };
      });
      this.sync = { at: Date.now(), found };
      found.catch(() => (this.sync = null));
    }
    return await this.sync.found;
  }

  /**
   * Whether Postgres and Neo4j have the same graph. They may differ while changes are being copied.
   * @returns null without a copy.
   * @throws AppError SERVICE_UNAVAILABLE
   */
  async agreement(tenant: string): Promise<Agreement | null> {
    const copy = this.deps.graphCopy;
    return copy && (await asTenant(tenant, () => agreement(this.db, copy, tenant)));
  }

  /**
   * Waits until the copy of the graph has every change of a tenant committed so far; returns immediately without a
   * copy.
   * @throws AppError SERVICE_UNAVAILABLE when it takes too long
   */
  async graphCaughtUp(tenant: string, withinMs = 10_000): Promise<void> {
    const { parts } = this.copies.graph;
    if (!parts) return;
    await asTenant(tenant, () => caughtUp(parts, tenant, withinMs, () => this.wake()));
  }

  refs(copy: CopyName = 'vectors'): Ref[] {
    const { processes } = this.copies[copy];
    const url = processes.link();
    return [{ type: 'workflow', id: processes.id, ...(url ? { url } : {}) }];
  }

  /** @returns null without a copy */
  async catchUp(budget: Budget, copy: CopyName = 'vectors'): Promise<CaughtUp | null> {
    const { parts, witness } = this.copies[copy];
    return parts && (await catchUp(parts, budget, witness));
  }

  /** @returns null without a copy */
  async rebuildStep(place: RebuildPlace, budget: Budget, copy: CopyName = 'vectors'): Promise<RebuildStep | null> {
    const { parts, witness } = this.copies[copy];
    return parts && (await rebuild(parts, place, budget, witness));
  }

  private configured(): Projection[] {
    return Object.values(this.copies).filter(({ parts }) => parts !== null);
  }
}
