/**
 * Compares running processes with their rows. They differ after one of the stores was restored, and a process whose history does
 * not replay stands still: the rows are the truth, so the process is ended, and started again from its row if that is open.
 */
import type { Database, Row } from '../adapters/postgres/database.ts';
import type { Temporal } from '../adapters/temporal/client.ts';
import { isFailing, isGone } from '../adapters/temporal/errors.ts';
import { jobKinds, searchAttributes, writtenQuery } from '../contracts/temporal.ts';
import type { Services } from './index.ts';
import { shuffled, together, type Apart } from './kernel/isolation.ts';
import { end, restart, type Lost } from './sweep.ts';

/** A running process that does not belong to its row. */
export interface Differing {
  tenant: string;
  kind: Lost['kind'];
  id: string;
  workflowId: string;
  /** `ended`, `missing`: the row says that nothing should run. */
  row: 'open' | 'ended' | 'missing';
  /** The process is, or may be, ahead of its row, which does not know what was done. */
  acted: boolean;
}

interface Process {
  kind: Lost['kind'];
  id: string;
  workflowId: string;
  runId: string;
}

/** What a row and its process say of each other. */
interface Compared extends Differing {
  runId: string;
  /** Equal in two looks: nothing is in between. */
  seen: string;
}

const jobWorkflows = new Set<string>(Object.values(jobKinds).map(({ workflow }) => workflow));
const kindOf: Record<string, Lost['kind']> = {
  task: 'task',
  review: 'review',
  toolCall: 'approval',
  agent: 'agent',
  delegation: 'delegation',
  received: 'received',
  a2aTask: 'a2a',
};

/** Time between two looks: a change that is being written is not a difference. In ms. */
const pause = 3_000;
/** Questions to processes at once. */
const atOnce = 16;
const answerWithin = 10_000;

interface Stores {
  db: Database;
  temporal: Temporal;
}

/** Read-only. Needs running workers: they answer for the processes. */
export async function findDiffering(stores: Stores, apart: Apart = together, pauseMs = pause): Promise<Differing[]> {
  const tenants = await stores.db.query<{ list_tenants: string }>('select list_tenants()');
  const differing: Differing[] = [];
  for (const { list_tenants: tenant } of shuffled(tenants)) {
    const first = await apart(
      { tenant, step: 'compare' },
      async () => await compareAll(stores, tenant, await running(stores.temporal, tenant)),
    );
    if (!first || first.length === 0) continue;
    await new Promise((done) => setTimeout(done, pauseMs));
    const second = await apart({ tenant, step: 'compare' }, () => compareAll(stores, tenant, first));
    const before = new Map(first.map((each) => [each.workflowId, each.seen]));
    for (const { runId: _, seen, ...found } of second ?? []) if (before.get(found.workflowId) === seen) differing.push(found);
  }
  return differing;
}

/**
 * Ends processes that do not belong to their rows, and starts those of open rows again.
 * @returns those that were ended, and how many were started again
 */
export async function reconcile(
  services: Services,
  differing: Differing[],
  apart: Apart = together,
): Promise<{ ended: number; started: number }> {
  const { temporal } = services.kernel;
  const done: Differing[] = [];
  for (const each of differing) {
    const { tenant, workflowId } = each;
    await apart({ tenant, step: 'end', id: workflowId }, async () => {
      const why = 'Its row says something else, or its history does not replay. `signalbox doctor --fix` follows the rows.';
      await end(temporal, workflowId, why);
      done.push(each);
    });
  }
  return {
    ended: done.length,
    started: await restart(
      services,
      done.filter(({ row }) => row === 'open'),
      apart,
    ),
  };
}

async function running(temporal: Temporal, tenant: string): Promise<Process[]> {
  const found: Process[] = [];
  const query = `${searchAttributes.tenant} = '${tenant}' and ExecutionStatus = 'Running'`;
  for await (const { workflowId, runId, type } of temporal.client.workflow.list({ query })) {
    const kind = jobWorkflows.has(type) ? 'job' : kindOf[type];
    // `task/acme/task_1`: the id of a row follows kind and tenant. Jobs are found by their process.
    if (kind) found.push({ kind, id: workflowId.split('/').slice(2).join('/'), workflowId, runId });
  }
  return found;
}

async function compareAll({ db, temporal }: Stores, tenant: string, processes: Process[]): Promise<Compared[]> {
  const differing: Compared[] = [];
  for (let from = 0; from < processes.length; from += 500) {
    const some = processes.slice(from, from + 500);
    // The processes first: a row that has moved on by the time it is read only causes a second look.
    const said = await askEach(temporal, some);
    const rows = await rowsOf(db, tenant, some);
    for (const process of some) {
      const answer = said.get(process.workflowId);
      const row = rows.get(process.kind === 'job' ? process.workflowId : `${process.kind}/${process.id}`);
      const compared = answer && compare(tenant, process, answer, row);
      if (compared) differing.push(compared);
    }
  }
  return differing;
}

/**
 * Processes that read their rows have no revision: their status in Temporal's list says which row they last read. `fails`: its
 * steps fail, so it cannot be asked.
 */
type Answer = { rev: number } | { status: string } | 'fails';

function compare(tenant: string, process: Process, answer: Answer, row: RowState | undefined): Compared | null {
  const { kind, workflowId, runId } = process;
  const common = { tenant, kind, id: row?.id ?? process.id, workflowId, runId };
  if (!row) return { ...common, row: 'missing', acted: false, seen: JSON.stringify([runId, answer]) };
  // Not equal because of an unregistered agent: its process ends at the next missed heartbeat.
  if (kind === 'agent' && !row.open) return null;
  if (answer === 'fails') return { ...common, row: row.open ? 'open' : 'ended', acted: true, seen: JSON.stringify([runId, answer]) };
  const equal = 'rev' in answer ? answer.rev === row.rev : answer.status === statusShown(kind, row.status);
  if (equal) return null;
  const acted = 'rev' in answer ? answer.rev > row.rev : answer.status === 'running' || answer.status === 'completed';
  return { ...common, row: row.open ? 'open' : 'ended', acted, seen: JSON.stringify([runId, answer, row.rev, row.status]) };
}

/** An approved call is shown as running until it has ended. */
const statusShown = (kind: Lost['kind'], status: string): string =>
  kind === 'approval' && (status === 'approved' || status === 'started') ? 'running' : status;

async function askEach({ client }: Temporal, processes: Process[]): Promise<Map<string, Answer>> {
  const said = new Map<string, Answer>();
  const waiting = [...processes];
  const lane = async (): Promise<void> => {
    for (let process = waiting.pop(); process; process = waiting.pop()) {
      const answer = await client.withDeadline(Date.now() + answerWithin, () => ask(client, process)).catch(unlessGone);
      if (answer) said.set(process.workflowId, answer);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return said;
}

async function ask(client: Temporal['client'], { kind, workflowId, runId }: Process): Promise<Answer | null> {
  const handle = client.workflow.getHandle(workflowId, runId);
  if (kind === 'approval' || kind === 'review') {
    const { searchAttributes: shown, status } = await handle.describe();
    const value = (shown[searchAttributes.status] as string[] | undefined)?.[0];
    return status.name === 'RUNNING' && value !== undefined ? { status: value } : null;
  }
  const rev = await handle.query<number | null>(writtenQuery);
  return rev === null ? null : { rev };
}

/** It has ended, or it has not read its row yet and knows no such question. */
function unlessGone(error: unknown): 'fails' | null {
  if (isFailing(error)) return 'fails';
  if (isGone(error) || (error instanceof Error && error.name === 'QueryNotRegisteredError')) return null;
  throw error;
}

interface RowState extends Row {
  key: string;
  id: string;
  rev: number;
  status: string;
  open: boolean;
}

async function rowsOf(db: Database, tenant: string, processes: Process[]): Promise<Map<string, RowState>> {
  const rows = await db.query<RowState>(
    `select 'task/' || id as key, id, rev, status, status <> 'done' as open from work_tasks where tenant_id = $1 and id = any($2)
     union all
     select 'approval/' || id, id, rev, status, status in ('pending', 'approved', 'started') from approvals where tenant_id = $1 and id = any($2)
     union all
     select 'review/' || id, id, rev, status, status in ('pending', 'deciding') from reviews where tenant_id = $1 and id = any($2)
     union all
     select 'agent/' || id, id, rev, health, removed_at is null from agents where tenant_id = $1 and id = any($2)
     union all
     select case direction when 'sent' then 'delegation/' else 'received/' end || id, id, rev, status, completed_at is null
       from delegated_tasks where tenant_id = $1 and id = any($2)
     union all
     select 'a2a/' || id, id, rev, state, state not in ('completed', 'failed', 'canceled', 'rejected') from a2a_tasks
       where tenant_id = $1 and id = any($2)
     union all
     -- Of the jobs of a process the one under way, else the last.
     select * from (select distinct on (workflow_id) workflow_id, id, rev, status, status in ('queued', 'running') as open from jobs
       where tenant_id = $1 and workflow_id = any($3) order by workflow_id, status in ('queued', 'running') desc, created_at desc) latest`,
    [tenant, processes.map(({ id }) => id), processes.filter(({ kind }) => kind === 'job').map(({ workflowId }) => workflowId)],
  );
  return new Map(rows.map((row) => [row.key, row]));
}
