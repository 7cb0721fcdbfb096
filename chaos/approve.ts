/** An agent whose calls need approval, and a person who approves or rejects them. */
import type { CarefulCaller } from './caller.ts';
import type { Evidence, Invariant } from './checks.ts';
import { pause, type Load } from './load.ts';
import type { Random } from './random.ts';

/** Requests registrations one by one and decides each: an approved one must happen once, a rejected one never. */
export async function petitioner(
  { journal, winding }: Load,
  { agent, person }: { agent: CarefulCaller; person: CarefulCaller },
  random: Random,
): Promise<void> {
  for (let n = 0; !winding.down; n += 1) {
    const name = `asked-${n}`;
    const { data, reason } = await agent.write<{ approval_id?: string }>('schema.definition.register', {
      name,
      version: '1.0.0',
      json_schema: { type: 'object', title: name },
    });
    if (!data?.approval_id) throw new Error(`schema.definition.register was not asked about: ${reason}`);
    const decision = random.chance(0.3) ? 'reject' : 'approve';
    const decided = await person.write(`approval.request.${decision}`, {
      approval_id: data.approval_id,
      ...(decision === 'approve' ? { wait_seconds: 0 } : {}),
    });
    if (!decided.data) throw new Error(`approval.request.${decision} was refused: ${decided.reason}`);
    journal.decided.set(data.approval_id, { name, decision });
    await pause(random.between(100, 800));
  }
}

/** Approved calls have run once or are marked as unknown; rejected calls have never run. */
export async function approvals({ journal, db, tenant }: Evidence): Promise<Invariant> {
  const { rows } = await db.query<{ id: string; status: string }>('select id, status from approvals where tenant_id = $1', [tenant]);
  const status = new Map(rows.map((row) => [row.id, row.status]));
  const { rows: made } = await db.query<{ name: string }>('select name from registered_schemas where tenant_id = $1', [tenant]);
  const registered = new Set(made.map((row) => row.name));
  const breaches: string[] = [];
  for (const [id, { name, decision }] of journal.decided) {
    const is = status.get(id) ?? 'lost';
    if (decision === 'reject') {
      if (is !== 'rejected' || registered.has(name))
        breaches.push(`${id} was rejected and is ${is}${registered.has(name) ? ', and has run' : ''}`);
    } else if (is === 'completed' ? !registered.has(name) : is !== 'ambiguous') breaches.push(`${id} was approved and is ${is}`);
  }
  const unasked = [...registered].filter((name) => ![...journal.decided.values()].some((each) => each.name === name));
  for (const name of unasked) breaches.push(`${name} was registered and nobody approved it`);
  return { name: 'what was approved ran once, what was rejected never', checked: journal.decided.size, breaches };
}
