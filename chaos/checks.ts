/** Invariants: compares what was acknowledged with rows, search results and workflows. Each check returns evidence of its breaches. */
import type { Client } from '@temporalio/client';
import type pg from 'pg';
import { listedStatus, workflowIds } from '../contracts/temporal.ts';
import { approvals } from './approve.ts';
import { a2aTasks, delegations, presence } from './checks-agents.ts';
import { payments } from './outside.ts';
import { episodes, folds, pairs } from './checks-graph.ts';
import { deletions, documents, folders, memories } from './checks-knowledge.ts';
import { corrections, counts, decisions, drafts, exportFiles, hopeless, statements } from './checks-product.ts';
import type { Claimed, Journal } from './journal.ts';
import { briefsMade, eventsTold, messagesTold, type Outbox } from './tell.ts';

export interface Evidence {
  journal: Journal;
  db: pg.Client;
  temporal: Client;
  tenant: string;
  /** File with the results that the agent reported. */
  handedIn: string;
  /** File with the actions of the external server. */
  book: string;
  /** What the webhooks received. */
  told: Outbox;
  /** Counts of the board, as the product reports them. */
  board: Record<string, number>;
}

interface TaskRow {
  id: string;
  description: string;
  status: string;
  started_at: Date | null;
  completed_at: Date | null;
  assigned_agent_id: string | null;
}

export interface Invariant {
  name: string;
  /** Number of checked items, for people. */
  checked: number;
  breaches: string[];
}

export async function invariants(evidence: Evidence): Promise<Invariant[]> {
  const { journal, db, tenant } = evidence;
  const { rows } = await db.query<TaskRow>(
    'select id, description, status, started_at, completed_at, assigned_agent_id from work_tasks where tenant_id = $1',
    [tenant],
  );
  const tasks = new Map(rows.map((row) => [row.id, row]));
  return [
    { name: 'nothing seen to be wrong on the way', checked: sum(journal.acknowledged), breaches: journal.violations },
    created(journal, tasks),
    oneHolder(journal),
    completed(journal, tasks),
    await released(evidence, tasks),
    notEarly(journal, tasks),
    board(evidence, rows),
    await documents(evidence),
    await folders(evidence),
    await memories(evidence),
    await deletions(evidence),
    await pairs(evidence),
    await episodes(evidence),
    await folds(evidence),
    await statements(evidence),
    await counts(evidence),
    await corrections(evidence),
    await decisions(evidence),
    await drafts(evidence),
    exportFiles(evidence),
    await eventsTold(evidence),
    await messagesTold(evidence),
    await briefsMade(evidence),
    await delegations(evidence),
    await a2aTasks(evidence),
    await presence(evidence),
    await approvals(evidence),
    payments(evidence),
    await jobs(evidence),
    await processes(evidence, tasks),
    await ledger(evidence),
  ];
}

const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((total, n) => total + n, 0);

function created(journal: Journal, tasks: Map<string, TaskRow>): Invariant {
  const breaches: string[] = [];
  for (const { id, description } of journal.created.values()) {
    const row = tasks.get(id);
    if (!row) breaches.push(`lost: ${id} ("${description}") was acknowledged and has no row`);
    else if (row.description !== description) breaches.push(`${id} was acknowledged as "${description}" and is "${row.description}"`);
  }
  const by = Map.groupBy(tasks.values(), (row) => row.description);
  for (const [description, same] of by)
    if (same.length > 1) breaches.push(`doubled: "${description}" exists ${same.length} times: ${same.map((row) => row.id).join(', ')}`);
  for (const row of tasks.values())
    if (!journal.created.has(row.id)) breaches.push(`${row.id} ("${row.description}") exists and nobody was told`);
  return { name: 'every acknowledged create exists exactly once', checked: journal.created.size, breaches };
}

/** Tolerance between the clock of this process and that of the product, in ms. */
const skew = 50;

function oneHolder(journal: Journal): Invariant {
  const breaches: string[] = [];
  for (const [task, all] of Map.groupBy(journal.claims, (claim) => claim.task)) {
    const claims = all.toSorted((a, b) => a.token - b.token || a.startedAt - b.startedAt);
    for (let i = 1; i < claims.length; i += 1) {
      const [former, later] = [claims[i - 1]!, claims[i]!];
      if (former.token === later.token) {
        // An agent may receive the same lease twice.
        if (former.agent !== later.agent) breaches.push(`${task}: token ${later.token} was given to ${former.agent} and to ${later.agent}`);
      } else if (overlap(former, later)) {
        breaches.push(
          `${task}: ${later.agent} began lease ${later.token} at ${iso(later.startedAt)}, while ${former.agent} held lease ${former.token} until ${iso(former.leaseUntil)}`,
        );
      }
    }
  }
  return { name: 'no task held by two at once, no fencing token given twice', checked: journal.claims.length, breaches };
}

const overlap = (former: Claimed, later: Claimed): boolean =>
  later.startedAt < former.leaseUntil - skew && (former.endAskedAt === undefined || later.startedAt < former.endAskedAt - skew);
const iso = (at: number): string => new Date(at).toISOString();

function completed(journal: Journal, tasks: Map<string, TaskRow>): Invariant {
  const breaches = [...journal.completed]
    .filter((id) => tasks.get(id)?.status !== 'done')
    .map((id) => `lost: ${id} was acknowledged as complete and is ${tasks.get(id)?.status ?? 'gone'}`);
  return { name: 'every acknowledged complete is done, and stays so', checked: journal.completed.size, breaches };
}

async function released({ journal, db, tenant }: Evidence, tasks: Map<string, TaskRow>): Promise<Invariant> {
  const { rows } = await db.query<{ task_id: string; blocker_id: string; released_at: Date | null }>(
    'select task_id, blocker_id, released_at from work_task_dependencies where tenant_id = $1',
    [tenant],
  );
  const breaches: string[] = [];
  for (const [task, edges] of Map.groupBy(rows, (row) => row.task_id)) {
    for (const { blocker_id: blocker, released_at: at } of edges) {
      const done = tasks.get(blocker)?.status === 'done';
      if (done && at === null) breaches.push(`${task} still waits for ${blocker}, which is done`);
      if (!done && at !== null) breaches.push(`early: ${task} was let go by ${blocker}, which is ${tasks.get(blocker)?.status}`);
    }
    const waiting = edges.some(({ blocker_id: blocker }) => tasks.get(blocker)?.status !== 'done');
    if (!waiting && tasks.get(task)?.status === 'blocked') breaches.push(`${task} is blocked by nothing`);
  }
  for (const [task, times] of Map.groupBy(journal.unblocked, (id) => id)) {
    if (times.length > 1) breaches.push(`${task} was let go ${times.length} times`);
  }
  return { name: 'dependants of what is done were let go, each once', checked: rows.length, breaches };
}

function notEarly(journal: Journal, tasks: Map<string, TaskRow>): Invariant {
  const firstClaim = new Map<string, number>();
  for (const { task, startedAt } of journal.claims) firstClaim.set(task, Math.min(startedAt, firstClaim.get(task) ?? Infinity));
  const breaches: string[] = [];
  for (const { id, blockers } of journal.created.values()) {
    for (const blocker of blockers) {
      const done = tasks.get(blocker)?.completed_at?.getTime() ?? Infinity;
      if ((firstClaim.get(id) ?? Infinity) < done)
        breaches.push(
          `early: ${id} was claimed at ${iso(firstClaim.get(id)!)}, its blocker ${blocker} done ${done === Infinity ? 'never' : `at ${iso(done)}`}`,
        );
    }
  }
  return { name: 'nothing was claimed before what it waits for was done', checked: firstClaim.size, breaches };
}

function board({ board: told }: Evidence, rows: TaskRow[]): Invariant {
  const breaches: string[] = [];
  const expect = (name: string, n: number): void => {
    if (told[name] !== n) breaches.push(`the board says ${told[name]} ${name}, the rows say ${n}`);
  };
  for (const status of ['ready', 'done', 'in_progress', 'blocked', 'review', 'failed'])
    expect(status, rows.filter((row) => row.status === status).length);
  expect('total_tasks', rows.length);
  return { name: 'the board counts what the rows show', checked: rows.length, breaches };
}

async function jobs({ db, tenant }: Evidence): Promise<Invariant> {
  const excused = await hopeless(db, tenant);
  const { rows } = await db.query<{ id: string; status: string; error: unknown }>(
    'select id, status, error from jobs where tenant_id = $1',
    [tenant],
  );
  const breaches = rows
    .filter((row) => row.status !== 'completed' && !excused.jobs.has(row.id))
    .map((row) => `${row.id} is ${row.status} ${JSON.stringify(row.error)}`);
  return { name: 'every job has ended well', checked: rows.length, breaches };
}

/** All workflows of this tenant: ended as expected, or running without a failing step and consistent with their rows. */
async function processes({ temporal, tenant, db }: Evidence, tasks: Map<string, TaskRow>): Promise<Invariant> {
  const breaches: string[] = [];
  let checked = 0;
  const seen = new Set<string>();
  for (const row of tasks.values()) {
    const id = workflowIds.task(tenant, row.id);
    seen.add(id);
    checked += 1;
    // A workflow that Temporal has lost is started again from its row at its next update.
    const process = await temporal.workflow
      .getHandle(id)
      .describe()
      .catch(() => null);
    if (!process) {
      breaches.push(`${id} does not exist`);
      continue;
    }
    const done = row.status === 'done';
    if (done && process.status.name !== 'COMPLETED') breaches.push(`${id} is ${process.status.name}, its row is done`);
    if (done) continue;
    if (process.status.name !== 'RUNNING') breaches.push(`${id} is ${process.status.name}, its row is ${row.status}`);
    const pending = process.raw.pendingWorkflowTask;
    if (pending && (pending.attempt ?? 0) > 1) breaches.push(`${id} fails: attempt ${pending.attempt}`);
    const shown = (name: string): unknown => (process.searchAttributes as Record<string, unknown[]>)[name]?.[0];
    if (shown('SignalboxStatus') !== listedStatus(row.status))
      breaches.push(`${id} shows ${String(shown('SignalboxStatus'))}, its row ${row.status}`);
  }
  // Reviews wait for people without a limit.
  const { rows: reviews } = await db.query<{ id: string; status: string }>('select id, status from reviews where tenant_id = $1', [tenant]);
  const { rows: agents } = await db.query<{ id: string }>('select id from agents where tenant_id = $1 and removed_at is null', [tenant]);
  const open = new Set([
    // Agents' workflows run as long as the agents send heartbeats.
    ...agents.map(({ id }) => workflowIds.agent(tenant, id)),
    ...reviews.filter(({ status }) => status === 'pending' || status === 'withdrawn').map(({ id }) => workflowIds.review(tenant, id)),
  ]);
  const excused = await hopeless(db, tenant);
  for await (const workflow of temporal.workflow.list({ query: `SignalboxTenant = '${tenant}'` })) {
    if (seen.has(workflow.workflowId)) continue;
    checked += 1;
    if (workflow.status.name === 'RUNNING' && open.has(workflow.workflowId)) continue;
    if (workflow.status.name === 'FAILED' && excused.processes.has(workflow.workflowId)) continue;
    if (!['COMPLETED', 'CONTINUED_AS_NEW'].includes(workflow.status.name))
      breaches.push(`${workflow.workflowId} is ${workflow.status.name}`);
  }
  return { name: 'no process fails, and rows say what processes say', checked, breaches };
}

async function ledger({ journal, db, tenant }: Evidence): Promise<Invariant> {
  const { rows } = await db.query<{ id: string; tool: string }>(
    `select w.id, w.tool from unnest($2::text[], $3::text[]) w(id, tool)
     where not exists (select from ledger_events e where e.tenant_id = $1 and e.tool_call_id = w.id and e.type = 'tool.call.started')`,
    [tenant, journal.writes.map((write) => write.toolCallId), journal.writes.map((write) => write.tool)],
  );
  return {
    name: 'every acknowledged write stands in the ledger',
    checked: journal.writes.length,
    breaches: rows.map((row) => `${row.tool} ${row.id} has no start in the ledger`),
  };
}
