/** Invariants of agents: compares delegated tasks and their results with the rows. */
import { existsSync, readFileSync } from 'node:fs';
import type { Evidence, Invariant } from './checks.ts';
import type { HandedIn } from './target.ts';

interface DelegationRow {
  id: string;
  status: string;
  result: { said?: string } | null;
  error: { code: string; message: string } | null;
  deadline: Date;
  completed_at: Date | null;
}

/** Each delegated task has one end with a valid reason: its result, a cancel, or its deadline. */
export async function delegations({ journal, db, tenant, handedIn }: Evidence): Promise<Invariant> {
  const { rows } = await db.query<DelegationRow>(
    `select id, status, result, error, deadline, completed_at from delegated_tasks where tenant_id = $1 and direction = 'sent'`,
    [tenant],
  );
  const by = new Map(rows.map((row) => [row.id, row]));
  const accepted = Map.groupBy(readHandedIn(handedIn), ({ task }) => task);
  const breaches: string[] = [];
  for (const [id, { nonce, cancelled }] of journal.delegations) {
    const row = by.get(id);
    if (!row) {
      breaches.push(`lost: delegation ${id} was acknowledged and has no row`);
      continue;
    }
    const given = accepted.get(id) ?? [];
    const end = JSON.stringify({ status: row.status, result: row.result, error: row.error });
    if (row.status === 'completed') {
      if (!row.result?.said?.startsWith(nonce)) breaches.push(`${id} has somebody else's result: ${end}`);
      if (given.length > 0 && !given.some(({ said }) => said === row.result?.said))
        breaches.push(`${id} has a result that nobody handed in: ${end}`);
    } else if (row.status === 'failed') {
      const late = row.completed_at !== null && row.completed_at >= row.deadline;
      const said = given.some((each) => each.status === 'failed') || row.error?.code === 'CANNOT';
      if (!late && !said && row.error?.code !== 'SEND_FAILED') breaches.push(`${id} failed without a reason that fits: ${end}`);
    } else if (row.status === 'cancelled') {
      if (!cancelled) breaches.push(`${id} is cancelled, and nobody was told so: ${end}`);
    } else breaches.push(`${id} has not ended: ${end}`);
    if (cancelled && row.status !== 'cancelled') breaches.push(`${id} was acknowledged as cancelled and is ${row.status}`);
  }
  for (const row of rows) if (!journal.delegations.has(row.id)) breaches.push(`delegation ${row.id} exists and nobody was told`);
  return { name: 'every delegation has one end, for the right reason', checked: journal.delegations.size, breaches };
}

const readHandedIn = (file: string): HandedIn[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as HandedIn)
    : [];

export async function a2aTasks({ journal, db, tenant }: Evidence): Promise<Invariant> {
  const { rows } = await db.query<{ id: string; state: string; seq: number; events: number; artifacts: number }>(
    `select t.id, t.state, t.seq, jsonb_array_length(t.artifacts) as artifacts,
       (select count(*)::int from a2a_events e where e.tenant_id = t.tenant_id and e.task_id = t.id) as events
     from a2a_tasks t where t.tenant_id = $1`,
    [tenant],
  );
  const by = new Map(rows.map((row) => [row.id, row]));
  const breaches: string[] = [];
  for (const id of journal.a2aTasks) {
    const row = by.get(id);
    if (!row) breaches.push(`lost: A2A task ${id}`);
    else if (row.state !== 'completed') breaches.push(`A2A task ${id} is ${row.state}`);
    else if (row.events !== row.seq) breaches.push(`A2A task ${id} has ${row.events} events, and its last is number ${row.seq}`);
    else if (row.artifacts !== 1) breaches.push(`A2A task ${id} has ${row.artifacts} artifacts`);
  }
  return { name: 'every A2A task is answered once, its events without a gap', checked: journal.a2aTasks.size, breaches };
}

/** An agent with a heartbeat every few seconds is never considered offline, because outages here are shorter than the timeout. */
export async function presence({ db, tenant }: Evidence): Promise<Invariant> {
  const { rows } = await db.query<{ id: string; health: string; wrong: number }>(
    `select a.id, a.health, (select count(*)::int from agent_history h where h.tenant_id = a.tenant_id and h.agent_id = a.id
       and h.detail->>'health' = 'offline') as wrong
     from agents a where a.tenant_id = $1`,
    [tenant],
  );
  const breaches = rows.filter(({ wrong }) => wrong > 0).map(({ id, wrong }) => `agent ${id} was said to be offline ${wrong} times`);
  return { name: 'no agent that reports was taken for dead', checked: rows.length, breaches };
}
