import type { Database, Row } from '../adapters/postgres/database.ts';
import type { Temporal } from '../adapters/temporal/client.ts';
import { isGone } from '../adapters/temporal/errors.ts';
import type { Job } from '../contracts/jobs.ts';
import { searchAttributes, workflowIds, type JobKind } from '../contracts/temporal.ts';
import type { Columns } from '../prisma/rows.ts';
import { doubtCalls } from './doubts.ts';
import type { Services } from './index.ts';
import { shuffled, together, type Apart } from './kernel/isolation.ts';

/** A row whose process is gone (terminated in Temporal's UI, lost with its history, never started) or stands still. */
export interface Lost {
  tenant: string;
  kind: 'task' | 'job' | 'review' | 'agent' | 'delegation' | 'received' | 'a2a' | 'approval';
  id: string;
  workflowId: string;
  /** Its creator died between the row and the start of the process, or it can be restarted without loss. */
  neverStarted: boolean;
  /** The process has completed, though the row is open: the row is older than Temporal, and does not know what was done. */
  acted: boolean;
  /**
   * What should have happened long ago did not: its history does not replay, so that each of its steps fails; or it was ended for
   * that, and whoever did it died before it was begun anew.
   */
  stands: boolean;
  since: string;
}

export type Restartable = Pick<Lost, 'tenant' | 'kind' | 'id' | 'workflowId' | 'acted'> & Partial<Pick<Lost, 'stands'>>;

/** Jobs store their workflow id. */
const processOf = {
  task: workflowIds.task,
  job: workflowIds.task,
  review: workflowIds.review,
  approval: workflowIds.toolCall,
  agent: workflowIds.agent,
  delegation: workflowIds.delegation,
  received: workflowIds.received,
  a2a: workflowIds.a2aTask,
};

/** Younger rows may be about to start their process, in seconds. What is overdue for less may be about to happen. */
const settleTime = 60;
/** A step that has failed this often in a row is not merely late: a worker that dies or starves costs one or two attempts. */
const failingSteps = 4;

/** Compares every open row with the running processes. Read-only. */
export async function findLost(
  { db, temporal }: { db: Database; temporal: Temporal },
  olderThanSeconds = settleTime,
  apart: Apart = together,
): Promise<Lost[]> {
  const tenants = await db.query<{ list_tenants: string }>('select list_tenants()');
  const lost: Lost[] = [];
  for (const { list_tenants: tenant } of shuffled(tenants)) {
    const found = await apart({ tenant, step: 'find' }, async () => {
      const rows = await openRows(db, tenant, olderThanSeconds);
      return { rows, running: rows.length === 0 ? new Set<string>() : await runningOf(temporal, tenant) };
    });
    for (const row of found?.rows ?? []) {
      const workflowId = row.workflow_id ?? processOf[row.kind](tenant, row.id);
      // Temporal's list lags behind; missing ones are checked by id.
      if (found!.running.has(workflowId) && !row.overdue) continue;
      const process = await apart({ tenant, step: 'find', id: workflowId }, () => standingOf(temporal, workflowId));
      if (process === undefined) continue;
      const runs = process.status === 'RUNNING';
      const stands = row.overdue && (runs ? process.attempts >= failingSteps : process.status === 'TERMINATED');
      if (runs && !stands) continue;
      const neverStarted = !stands && (row.rev === 0 || row.kind === 'agent');
      lost.push({
        tenant,
        kind: row.kind,
        id: row.id,
        workflowId,
        neverStarted,
        acted: process.status === 'COMPLETED' && !withoutCall.has(process.shown),
        stands,
        since: row.updated_at.toISOString(),
      });
    }
  }
  return lost;
}

interface OpenRow extends Row, Columns<'jobs', 'id' | 'rev' | 'updated_at'> {
  kind: Lost['kind'];
  workflow_id: string | null;
  /** Its process should have changed it by now. */
  overdue: boolean;
}

const openRows = (db: Database, tenant: string, olderThanSeconds: number): Promise<OpenRow[]> =>
  db.query<OpenRow>(
    `select 'task' as kind, id, null as workflow_id, rev, updated_at,
       status = 'in_progress' and coalesce(lease_expires_at < now() - make_interval(secs => $2), false) as overdue from work_tasks
       where tenant_id = $1 and status <> 'done' and updated_at < now() - make_interval(secs => $2)
     union all
     -- What a job's process writes is never "queued": one that was opened anew has not been started either.
     select 'job', id, workflow_id, case status when 'queued' then 0 else rev end, updated_at, false from jobs
       where tenant_id = $1 and status in ('queued', 'running') and updated_at < now() - make_interval(secs => $2)
     union all
     select 'approval', id, null, rev, updated_at, false from approvals
       where tenant_id = $1 and status in ('pending', 'approved', 'started') and updated_at < now() - make_interval(secs => $2)
     union all
     select 'review', id, null, rev, updated_at, false from reviews
       where tenant_id = $1 and status in ('pending', 'deciding') and updated_at < now() - make_interval(secs => $2)
     union all
     select 'agent', id, null, rev, updated_at, false from agents
       where tenant_id = $1 and tenant_id <> 'system' and removed_at is null and updated_at < now() - make_interval(secs => $2)
         and (health in ('healthy', 'unhealthy') or health = 'offline' and kind <> 'managed')
     union all
     select case direction when 'sent' then 'delegation' else 'received' end, id, null, rev, updated_at,
       deadline < now() - make_interval(secs => $2) from delegated_tasks
       where tenant_id = $1 and completed_at is null and updated_at < now() - make_interval(secs => $2)
     union all
     select 'a2a', id, null, rev, updated_at, false from a2a_tasks
       where tenant_id = $1 and state not in ('completed', 'failed', 'canceled', 'rejected') and updated_at < now() - make_interval(secs => $2)`,
    [tenant, olderThanSeconds],
  );

async function runningOf(temporal: Temporal, tenant: string): Promise<Set<string>> {
  const running = new Set<string>();
  const query = `SignalboxTenant = '${tenant}' and ExecutionStatus = 'Running'`;
  for await (const execution of temporal.client.workflow.list({ query })) running.add(execution.workflowId);
  return running;
}

/** How an approval ends whose call was never made. */
const withoutCall: ReadonlySet<string> = new Set(['rejected', 'expired', 'cancelled']);

interface Standing {
  status: string;
  /** The status of its row that it shows in Temporal's list. */
  shown: string;
  /** How often its present step was begun. */
  attempts: number;
}

async function standingOf(temporal: Temporal, workflowId: string): Promise<Standing> {
  try {
    const { status, searchAttributes: shown, raw } = await temporal.handle(workflowId).describe();
    return {
      status: status.name,
      shown: String((shown[searchAttributes.status] as string[] | undefined)?.[0]),
      attempts: raw.pendingWorkflowTask?.attempt ?? 0,
    };
  } catch (error) {
    if (isGone(error)) return { status: 'GONE', shown: '', attempts: 0 };
    throw error;
  }
}

/** How to restart each kind of row's process. */
const restartOf: Record<Lost['kind'], (services: Services, tenant: string, id: string) => Promise<void>> = {
  task: ({ work }, tenant, id) => work.processes.restart(tenant, id),
  delegation: ({ agents }, tenant, id) => agents.delegation.tasks.restart({ tenant, direction: 'sent', id }),
  received: ({ agents }, tenant, id) => agents.delegation.tasks.restart({ tenant, direction: 'received', id }),
  a2a: ({ a2a }, tenant, id) => a2a.tasks.restart(tenant, id),
  agent: ({ agents }, tenant, id) => agents.presence.start(tenant, id),
  approval: ({ governance }, tenant, id) => governance.approvals.restart(tenant, id),
  review: ({ reviews }, tenant, id) => reviews.start({ tenant, id }, 'signalbox'),
  job: async (services, tenant, id) => {
    const job = await services.jobs.get(tenant, id);
    const restartJob = restartOfJob[job.kind as JobKind] as (typeof restartOfJob)[JobKind] | undefined;
    if (!restartJob) throw new Error(`job ${id} is of the kind "${job.kind}", which this version does not know`);
    await restartJob(services, tenant, job);
  },
};

/** Each kind of job is restarted by its service. */
const restartOfJob: Record<JobKind, (services: Services, tenant: string, job: Job) => Promise<void>> = {
  ingest: ({ knowledge }, tenant, { job_id }) => knowledge.commands.restart(tenant, job_id),
  ingest_run: ({ knowledge }, tenant, job) => knowledge.runs.restart(tenant, job),
  removal: ({ knowledge }, tenant, { job_id }) => knowledge.removal.restart(tenant, job_id),
  pipeline: ({ knowledge }, tenant, job) => knowledge.pipelines.restart(tenant, job),
  merge: ({ graph }, tenant, job) => graph.changes.restart(tenant, job),
  split: ({ graph }, tenant, job) => graph.changes.restart(tenant, job),
  clear_graph: ({ graph }, tenant, job) => graph.clearing.restart(tenant, job),
  table_link: ({ graph }, tenant, job) => graph.tables.restart(tenant, job),
  draft: ({ authoring }, tenant, job) => authoring.restart(tenant, job),
  brief: ({ briefs }, tenant, job) => briefs.restart(tenant, job),
  daily_brief: ({ briefs }, tenant, job) => briefs.restart(tenant, job),
  connector_call: ({ connectors }, tenant, job) => connectors.restart(tenant, job),
  notification: ({ notifications }, tenant, job) => notifications.restart(tenant, job),
  ledger_verify: ({ governance }, tenant, job) => governance.chain.restart(tenant, job),
  export: ({ exports }, tenant, job) => exports.restart(tenant, job),
};

/**
 * Restarts lost processes from their rows. One that stands still is ended first; an update that it has not answered is sent to
 * the new one by its caller.
 * @returns how many
 */
export async function restart(services: Services, lost: Restartable[], apart: Apart = together): Promise<number> {
  let started = 0;
  for (const { tenant, kind, id, workflowId, acted, stands } of lost) {
    const done = await apart({ tenant, step: 'restart', id: workflowId }, async () => {
      if (stands) await end(services.kernel.temporal, workflowId, 'Its history does not replay: it is begun anew from its row.');
      // Its process may have made the call, and written so into records that were lost.
      if (acted) await doubtCalls(services.kernel.db.query, tenant, id);
      await restartOf[kind](services, tenant, id);
      return true;
    });
    if (done) started += 1;
  }
  return started;
}

/** Ends a process, if it runs. */
export async function end(temporal: Temporal, workflowId: string, why: string): Promise<void> {
  try {
    await temporal.handle(workflowId).terminate(why);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}
