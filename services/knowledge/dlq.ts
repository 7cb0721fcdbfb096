import { randomUUID } from 'node:crypto';
import type { Row } from '../../adapters/postgres/database.ts';
import { isGone } from '../../adapters/temporal/errors.ts';
import type { Decision, DlqStage } from '../../contracts/activities/knowledge/dlq.ts';
import type { Caller } from '../../contracts/caller.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import type { DlqItem, DlqStatus } from '../../contracts/knowledge/knowledge.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { countedPage, down, matching, up, type CountedPage, type Paging } from '../kernel/paging.ts';
import { Service } from '../kernel/service.ts';
import type { Columns } from '../../prisma/rows.ts';
import type { KnowledgeCommands } from './commands.ts';
import { settleParked } from './records-dlq.ts';
import type { IngestRuns } from './runs.ts';

interface DlqRow
  extends
    Row,
    Columns<
      'dlq_items',
      | 'id'
      | 'job_id'
      | 'workflow_id'
      | 'source_id'
      | 'signal_id'
      | 'title'
      | 'step'
      | 'error_code'
      | 'error'
      | 'attempts'
      | 'first_failed_at'
      | 'last_failed_at'
    > {
  stage: DlqStage;
  status: DlqStatus;
}

interface DlqFilter {
  stage?: DlqStage | undefined;
  jobId?: string | undefined;
  errorCode?: string | undefined;
  all?: boolean;
}

/** The total of a list is counted no further. */
const countedUpTo = 10_001;

/** What became of one of several. */
export type Decided = { dlq_id: string; item: DlqItem } | { dlq_id: string; error: { code: string; message: string; suggestion?: string } };

interface Deps {
  commands: KnowledgeCommands;
  runs: IngestRuns;
  /** Retries an episode that had failed. */
  retryEpisode(tenant: string, id: string): Promise<void>;
}

/** Failures that wait for a person's decision: parked stages, and refused contents. */
export class DeadLetters extends Service<'processes' | 'temporal' | 'jobs', Deps> {
  /** Open ones, latest failure first; `all` includes decided ones. */
  async list(tenant: string, { stage, jobId, errorCode, all = false, ...paging }: DlqFilter & Paging): Promise<CountedPage<DlqItem>> {
    const open = "status in ('parked', 'refused', 'retrying')";
    const where = matching({ 'tenant_id = $': tenant, 'stage = $': stage, 'job_id = $': jobId, 'error_code = $': errorCode, [open]: !all });
    const list = { select: '*', from: 'dlq_items', ...where, order: [down('last_failed_at', 'timestamptz'), up('id')] };
    return await countedPage(this.deps.db.query, list, paging, view, countedUpTo);
  }

  /**
   * Retries the failed stage, or the refused content.
   * @throws AppError NOT_FOUND; CONFLICT when it is already decided
   */
  async retry(caller: Caller, id: string): Promise<DlqItem> {
    const { tenant, principal } = caller;
    const item = await this.open(tenant, id);
    if (item.status === 'parked') return await this.goOn(tenant, item, principal);
    // The copy of the graph is retried automatically; this only shortens the wait.
    if (item.workflow_id === workflowIds.projection('graph')) {
      await settleParked(this.db, tenant, id, 'retrying', principal);
      await this.deps.temporal
        .handle(item.workflow_id)
        .signal('wake')
        .catch(() => {});
      return await this.get(tenant, id);
    }
    // An episode has no job: it goes back into its tenant's queue.
    const job = item.workflow_id === workflowIds.episodes(tenant) ? null : await this.deps.jobs.get(tenant, item.job_id);
    await settleParked(this.db, tenant, id, 'retrying', principal);
    try {
      if (!job) await this.deps.retryEpisode(tenant, item.job_id);
      else if (job.kind === 'ingest_run') await this.deps.runs.retry(tenant, job, item.source_id);
      else await this.deps.commands.reopen(caller, job);
    } catch (error) {
      await settleParked(this.db, tenant, id, 'refused', null);
      throw error;
    }
    return await this.get(tenant, id);
  }

  /**
   * Lets a parked stage go on.
   * @throws AppError CONFLICT when it is already decided
   */
  async goOn(tenant: string, item: DlqItem, by: string): Promise<DlqItem> {
    return await this.decide(tenant, item, { id: item.dlq_id, decision: 'retry', by });
  }

  /**
   * Ends the retries. Earlier versions of the source stay.
   * @throws AppError NOT_FOUND, CONFLICT
   */
  async abandon(caller: Caller, id: string): Promise<DlqItem> {
    const { tenant, principal } = caller;
    const item = await this.open(tenant, id);
    // No process waits for a job that has ended.
    if (item.status === 'parked' && (await this.deps.jobs.get(tenant, item.job_id)).finished_at === null) {
      return await this.decide(tenant, item, { id, decision: 'abandon', by: principal });
    }
    await settleParked(this.db, tenant, id, 'abandoned', principal);
    return await this.get(tenant, id);
  }

  /** Several, one after the other; each has its own outcome. A repeated id is decided once. */
  async each(ids: readonly string[], decide: (id: string) => Promise<DlqItem>): Promise<Decided[]> {
    const results: Decided[] = [];
    for (const id of new Set(ids)) {
      try {
        results.push({ dlq_id: id, item: await decide(id) });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const { code, message, hint } = error;
        results.push({ dlq_id: id, error: { code, message, ...(hint ? { suggestion: hint } : {}) } });
      }
    }
    return results;
  }

  private async open(tenant: string, id: string): Promise<DlqItem> {
    const item = await this.get(tenant, id);
    if (item.status === 'parked' || item.status === 'refused') return item;
    // The process was not notified of the retry, or it died itself.
    if (item.status === 'retrying' && (await this.deps.processes.running(item.workflow_id)) === null) return item;
    throw new AppError('CONFLICT', `This item is ${item.status} already.`, {
      hint: 'ingest.dlq.list shows what awaits a decision.',
      details: { reason: item.status },
    });
  }

  private async decide(tenant: string, item: DlqItem, decision: Decision): Promise<DlqItem> {
    try {
      await this.deps.processes.ask({ id: item.workflow_id }, 'decide', decision, randomUUID());
    } catch (error) {
      if (!isGone(error)) throw error;
      throw new AppError('CONFLICT', 'The process that waited for this is gone: it was cancelled, or lost.', {
        hint: 'ingest.dlq.abandon closes it once its job has ended; signalbox doctor shows lost processes and can start them again.',
        details: { job_id: item.job_id },
      });
    }
    return await this.get(tenant, item.dlq_id);
  }

  private async get(tenant: string, id: string): Promise<DlqItem> {
    const [row] = await this.db.query<DlqRow>('select * from dlq_items where tenant_id = $1 and id = $2', [tenant, id]);
    if (!row) throw notFound('DLQ item', id, 'ingest.dlq.list shows those there are.');
    return view(row);
  }
}

const view = (row: DlqRow): DlqItem => ({
  dlq_id: row.id,
  signal_id: row.signal_id,
  source_id: row.source_id,
  job_id: row.job_id,
  workflow_id: row.workflow_id,
  title: row.title,
  stage: row.stage,
  step: row.step,
  error: row.error,
  error_code: row.error_code,
  attempts: row.attempts,
  status: row.status,
  first_failed_at: row.first_failed_at.toISOString(),
  last_failed_at: row.last_failed_at.toISOString(),
});
