/** Invariants of the graph: compares decisions and episodes with its rows. */
import { auditGraph } from '../services/graph/audit.ts';
import type { Evidence, Invariant } from './checks.ts';

/** Merged pairs are one entity, split pairs are two, each with its own statements. */
export async function pairs({ journal, db, tenant }: Evidence): Promise<Invariant> {
  const { rows } = await db.query<{ alias: string; id: string; signal_count: number }>(
    `select a.alias, e.id, e.signal_count from entity_aliases a join entities e on e.tenant_id = $1 and e.id = a.entity_id and e.status = 'active'
     where a.tenant_id = $1 and a.type = 'customer'`,
    [tenant],
  );
  const by = new Map(rows.map((row) => [row.alias, row]));
  const breaches: string[] = [];
  for (const [one, { with: other, state }] of journal.customers) {
    const [a, b] = [by.get(one), by.get(other)];
    if (!a || !b) breaches.push(`"${a ? other : one}" is nobody's name`);
    else if ((a.id === b.id) !== (state === 'merged'))
      breaches.push(`"${one}" and "${other}" are ${a.id === b.id ? 'one' : 'two'}, and should be ${state}`);
    else if (a.id === b.id ? a.signal_count !== 2 : a.signal_count !== 1 || b.signal_count !== 1)
      breaches.push(`"${one}" and "${other}" (${state}) have ${a.signal_count} and ${b.signal_count} signals`);
  }
  return { name: 'merged is merged and split is split, with every mention where it belongs', checked: journal.customers.size, breaches };
}

/** Every acknowledged episode is in the graph, and of successive facts the last one is current. */
export async function episodes({ journal, db, tenant }: Evidence): Promise<Invariant> {
  const { rows } = await db.query<{ id: string; status: string; error: string | null }>(
    'select id, status, error from graph_episodes where tenant_id = $1',
    [tenant],
  );
  const by = new Map(rows.map((row) => [row.id, row]));
  const breaches = journal.episodes
    .filter((id) => by.get(id)?.status !== 'done')
    .map((id) => `episode ${id} is ${by.get(id)?.status ?? 'lost'} ${by.get(id)?.error ?? ''}`);
  if (rows.length !== journal.episodes.length)
    breaches.push(`${rows.length} episodes are there, ${journal.episodes.length} were acknowledged`);
  const { rows: holding } = await db.query<{ object_text: string }>(
    `select object_text from graph_facts f where tenant_id = $1 and predicate = 'has_version' and exclusive and valid_to is null`,
    [tenant],
  );
  const last = `${journal.episodes.length}.0`;
  if (journal.episodes.length > 0 && (holding.length !== 1 || holding[0]!.object_text !== last))
    breaches.push(`version ${last} was said last, and ${holding.map((row) => row.object_text).join(', ') || 'none'} holds`);
  return { name: 'every episode is in the graph, and the last word holds', checked: journal.episodes.length, breaches };
}

export async function folds({ db, tenant }: Evidence): Promise<Invariant> {
  const audit = await auditGraph(async (text, values) => (await db.query(text, values as unknown[])).rows, tenant);
  const breaches = Object.entries(audit).flatMap(([what, wrong]) => (wrong as unknown[]).map((each) => `${what}: ${JSON.stringify(each)}`));
  const { rows } = await db.query<{ n: number }>('select count(*)::int as n from entity_mentions where tenant_id = $1', [tenant]);
  return { name: 'counts, relations, names and facts are what the mentions give', checked: rows[0]!.n, breaches };
}
