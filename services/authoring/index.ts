import { asScoped, currentScope, rowsOf, type RowScope } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Draft } from '../../contracts/authoring/authoring.ts';
import { AppError, errorCodes, notFound } from '../../contracts/errors.ts';
import { derivedId } from '../../contracts/ids.ts';
import type { Job } from '../../contracts/jobs.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { scopeOfTeam } from '../governance/index.ts';
import type { EntityLookup, GraphService } from '../graph/index.ts';
import { waitDefault } from '../kernel/waiting.ts';
import { Service } from '../kernel/service.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { artifactBasis, reportBasis, type WantedArtifact, type WantedReport } from './basis.ts';
import { assertEvidence } from './evidence.ts';
import { artifactTitles, reportTitles } from './names.ts';
import { opportunityReader } from './opportunities.ts';
import { DraftQueries } from './queries.ts';
import type { StageDeps } from './records.ts';
import type { DraftSpec } from './types.ts';
import { ReportSchedules } from './schedules.ts';
import { DraftStatements } from './statements.ts';
import type { Notifications } from '../outbound/index.ts';

export { type SourceText, unsupported } from './check.ts';
export { DraftQueries } from './queries.ts';

export interface Asking {
  callKey: string;
  waitMs?: number;
  onProgress?: (done: number, total?: number, message?: string) => void;
}

export interface Generated {
  id: string;
  job: Job;
  /** Null: its job continues. */
  draft: Draft | null;
}

/** Documents generated from evidence: a statement without sources is dropped. */
export class AuthoringService extends Service<'processes' | 'jobs' | 'graph' | 'embedder' | 'language', { lookup: EntityLookup }> {
  readonly queries = new DraftQueries(this.deps);
  /** Dependencies of the workflow's stages. */
  readonly stages: StageDeps = { ...this.deps, opportunities: opportunityReader(this.db) };
  readonly statements = new DraftStatements({ ...this.deps, queries: this.queries, basis: this.stages });

  /**
   * @throws AppError VALIDATION_ERROR without exactly one basis; NOT_FOUND, AMBIGUOUS_ENTITY; NOT_FOUND with `missing` in its
   * details when there is not enough evidence
   */
  async artifact(caller: Caller, wanted: WantedArtifact, asking: Asking): Promise<Generated> {
    const spec = await artifactBasis(this.stages, caller.tenant, wanted);
    return await this.generate(caller, spec, currentScope(), asking);
  }

  /**
   * @param forTeam made within this stakeholder team's scope, so that the team may read it
   * @throws AppError VALIDATION_ERROR for incompatible filters or days; else as `artifact`
   */
  async report(
    caller: Caller,
    { forTeam, ...wanted }: WantedReport & { forTeam?: string | undefined },
    asking: Asking,
  ): Promise<Generated> {
    const { tenant } = caller;
    const scope = forTeam === undefined ? currentScope() : await this.scopeFor(tenant, forTeam);
    return await asScoped(tenant, scope, async () => {
      const spec = await reportBasis(this.stages, tenant, wanted);
      return await this.generate(caller, spec, scope, asking);
    });
  }

  /**
   * The id of a customer by name.
   * @throws AppError NOT_FOUND, AMBIGUOUS_ENTITY
   */
  async customer(tenant: string, name: string): Promise<string> {
    return (await this.deps.lookup.resolveName(tenant, name, { type: 'customer' })).entity.id;
  }

  /**
   * Starts the process of an unfinished job; does nothing if it is running.
   * @throws AppError SERVICE_UNAVAILABLE
   */
  async restart(tenant: string, job: Job): Promise<void> {
    await this.deps.processes.startJob('draft', tenant, job);
  }

  private async scopeFor(tenant: string, team: string): Promise<RowScope> {
    if (currentScope()) {
      throw new AppError('FORBIDDEN', 'A stakeholder team makes reports for itself only.', { hint: 'Leave for_team out.' });
    }
    const scope = await scopeOfTeam(this.db, tenant, team);
    if (!scope)
      throw notFound(
        'stakeholder team',
        team,
        'access.stakeholder.list shows the teams, access.stakeholder.configure says what one may see.',
      );
    return rowsOf(scope)!;
  }

  /** A repeat under one call key is the same draft. */
  private async generate(
    caller: Caller,
    spec: DraftSpec,
    scope: RowScope | null,
    { callKey, waitMs = waitDefault, onProgress }: Asking,
  ): Promise<Generated> {
    const { tenant, principal } = caller;
    const { db, jobs } = this.deps;
    const id = derivedId(spec.kind === 'report' ? 'report' : 'draft', tenant, callKey);
    const jobId = derivedId('job', tenant, 'draft', callKey);
    await assertEvidence(this.stages, tenant, spec);
    await db.query(
      `insert into drafts (tenant_id, id, kind, type, audience, format, title, spec, area, customer_id, scoped, scope_areas, scope_types, scope_min_age,
         job_id, created_by)
       values ($1, $2, $3, $4, $5, $6, $7, $8, lower($9), $10, $11, $12, $13, make_interval(hours => $14), $15, $16) on conflict do nothing`,
      [
        tenant,
        id,
        spec.kind,
        spec.type,
        spec.audience,
        spec.format,
        titleOf(spec),
        JSON.stringify(spec),
        spec.area,
        spec.customer?.id ?? null,
        scope !== null,
        scope?.areas ?? [],
        scope?.types ?? [],
        scope?.minAgeHours ?? 0,
        jobId,
        principal,
      ],
    );
    // Contains no names, because anybody with the job's id may read it.
    let job = await jobs.open(tenant, {
      id: jobId,
      kind: 'draft',
      title: titleOf(spec),
      workflowId: workflowIds.draft(tenant, id),
      spec: {},
      createdBy: principal,
    });
    if (job.status === 'queued' || job.status === 'running') {
      await this.restart(tenant, job);
      job = await jobs.settle(tenant, jobId, waitMs, ({ progress }) => onProgress?.(0, undefined, progress['stage'] as string));
    }
    if (job.status === 'failed' || job.status === 'cancelled') {
      const code = errorCodes.find((known) => known === job.error?.code) ?? 'CONFLICT';
      throw new AppError(code, job.error?.message ?? 'It was cancelled.', { details: { job_id: jobId } });
    }
    return { id, job, draft: job.status === 'completed' ? await this.queries.get(tenant, id) : null };
  }
}

const titleOf = ({ kind, type }: DraftSpec): string =>
  kind === 'artifact' ? artifactTitles[type as keyof typeof artifactTitles] : reportTitles[type as keyof typeof reportTitles];

export function createAuthoring(kernel: Kernel, { notifications }: { notifications: Notifications }, { graph }: { graph: GraphService }) {
  // Their thresholds are those of a model on this machine.
  const authoring = new AuthoringService({ ...kernel, embedder: kernel.localEmbedder, lookup: graph.lookup });
  return { authoring, reportSchedules: new ReportSchedules({ ...kernel, authoring, notifications }) };
}
