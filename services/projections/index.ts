import type { Database } from '../../adapters/postgres/database.ts';
import type { Temporal } from '../../adapters/temporal/client.ts';
import type { ProjectedVectors } from '../../adapters/vectors/types.ts';
import type { CaughtUp, RebuildPlace, RebuildProgress, RebuildStep } from '../../contracts/activities/projection.ts';
import type { Ref } from '../../contracts/envelope.ts';
import { AppError } from '../../contracts/errors.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { catchUp, type Budget } from './follow.ts';
import { ProjectionProcesses } from './processes.ts';
import { rebuild } from './rebuild.ts';
import { statusOf, type ProjectionStatus } from './status.ts';

interface Deps {
  db: Database;
  temporal: Temporal;
  projected: ProjectedVectors | null;
}

/** The copies of records that are kept outside of Postgres: so far the vectors in Qdrant. */
export class ProjectionService {
  private readonly db: Database;
  private readonly copy: ProjectedVectors | null;
  private readonly processes: ProjectionProcesses;

  constructor({ db, temporal, projected }: Deps) {
    this.db = db;
    this.copy = projected;
    this.processes = new ProjectionProcesses(temporal);
  }

  /** Starts the projection's process where a copy is configured. @throws AppError SERVICE_UNAVAILABLE */
  async start(): Promise<void> {
    if (this.copy) await this.processes.start();
  }

  /** To be called after a change of documents was committed. Never fails, and costs nothing without a copy. */
  async wake(): Promise<void> {
    if (this.copy) await this.processes.wake();
  }

  /**
   * Has a copy of one tenant, or of all, made anew. Searches go on meanwhile, in Postgres.
   * @param tenant null: all, one after the other
   * @throws AppError CONFLICT while a rebuild is under way, or without a copy; SERVICE_UNAVAILABLE
   */
  async rebuild(tenant: string | null, callKey: string): Promise<RebuildProgress> {
    if (!this.copy) {
      throw new AppError('CONFLICT', 'There is nothing to rebuild: vectors are searched where they are stored, in Postgres.', {
        hint: 'QDRANT_URL, together with an embedding model, keeps a copy of them in Qdrant.',
        details: { reason: 'no_copy' },
      });
    }
    return await this.processes.rebuild({ tenant }, callKey);
  }

  /** Of the rebuild under way, or of the last one. */
  async progress(): Promise<RebuildProgress> {
    return await this.processes.progress();
  }

  /** For operators: all tenants together. One query per tenant, so not for every request. */
  async projectionStatus(): Promise<ProjectionStatus> {
    if (!this.copy) return { store: 'pgvector', projected: null, pending: 0, lag_seconds: 0, healthy: true };
    return await statusOf({ db: this.db, copy: this.copy }, await this.processes.runs().catch(() => false));
  }

  refs(): Ref[] {
    const url = this.processes.link();
    return [{ type: 'workflow', id: workflowIds.projection('vectors'), ...(url ? { url } : {}) }];
  }

  /** @returns null without a copy */
  async catchUp(budget: Budget): Promise<CaughtUp | null> {
    return this.copy ? await catchUp({ db: this.db, copy: this.copy }, budget) : null;
  }

  /** @returns null without a copy */
  async rebuildStep(place: RebuildPlace, budget: Budget): Promise<RebuildStep | null> {
    return this.copy ? await rebuild({ db: this.db, copy: this.copy }, place, budget) : null;
  }
}
