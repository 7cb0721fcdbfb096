/** Invariants of product intelligence: compares statements, decisions and drafts with the rows. */
import type pg from 'pg';
import { severities } from '../contracts/signals/signals.ts';
import { recount } from '../services/signals/insight/counting.ts';
import type { Evidence, Invariant } from './checks.ts';

/** Each statement of an ingested call is exactly one signal of its active document, and there are no other signals. */
export async function statements({ journal, db, tenant }: Evidence): Promise<Invariant> {
  const { rows } = await db.query<{ document_id: string; statement: string; active: boolean }>(
    `select s.document_id, s.statement, d.status = 'active' as active from signals s
     left join documents d on d.tenant_id = $1 and d.id = s.document_id where s.tenant_id = $1`,
    [tenant],
  );
  const by = Map.groupBy(rows, (row) => row.document_id);
  const breaches = [...by]
    .filter(([, own]) => !own[0]!.active)
    .map(([id, own]) => `${own.length} signals are of ${id}, which is not active`);
  let checked = 0;
  for (const [title, call] of journal.calls) {
    const own = by.get(call.document) ?? [];
    checked += call.statements.length;
    for (const { marker, text } of call.statements) {
      const times = own.filter(({ statement }) => statement.includes(text)).length;
      if (times !== 1)
        breaches.push(`${times === 0 ? 'lost' : 'doubled'}: the statement about ${marker} in "${title}" is ${times} signals`);
    }
    if (own.length > call.statements.length) breaches.push(`"${title}" has ${own.length} signals of ${call.statements.length} statements`);
  }
  return { name: 'every statement is one signal of its document', checked, breaches };
}

/** Recounting finds no difference. Its writes are rolled back. */
export async function counts({ db, tenant }: Evidence): Promise<Invariant> {
  await db.query('begin');
  try {
    const found = await recount(async (text, values) => (await db.query(text, values as unknown[])).rows as never, tenant);
    const breaches =
      found.corrected === 0 ? [] : [`${found.corrected} of ${found.counts} counts are not what ${found.signals} signals give`];
    return { name: 'counts of signals are what the signals give', checked: found.counts, breaches };
  } finally {
    await db.query('rollback');
  }
}

/** People's corrections of a signal stay, however often its document is read again. */
export async function corrections({ journal, db, tenant }: Evidence): Promise<Invariant> {
  const { rows } = await db.query<{ id: string; class: string; severity: number; corrected_by: string | null }>(
    'select id, class, severity, corrected_by from signals where tenant_id = $1 and id = any($2)',
    [tenant, [...journal.corrected.keys()]],
  );
  const by = new Map(rows.map((row) => [row.id, row]));
  const breaches: string[] = [];
  for (const [id, { marker, class: said, severity }] of journal.corrected) {
    const row = by.get(id);
    if (!row) breaches.push(`lost: signal ${id} (${marker}) was corrected and is not there`);
    else if (row.class !== said || severities[row.severity] !== severity || row.corrected_by === null)
      breaches.push(`lost: ${id} (${marker}) was corrected to ${said}, ${severity} and is ${row.class}, ${severities[row.severity]}`);
  }
  return { name: 'every correction of a signal holds', checked: journal.corrected.size, breaches };
}

/** People's decisions about an opportunity stay, whatever happens to its evidence, and each was applied once. */
export async function decisions({ journal, db, tenant }: Evidence): Promise<Invariant> {
  const { rows } = await db.query<{
    id: string;
    status: string;
    closed_reason: string | null;
    merged_into: string | null;
    factors: Record<string, number> | null;
    steps: number;
    changes: number;
  }>(
    `select o.id, o.status, o.closed_reason, o.merged_into,
       (select jsonb_object_agg(f.factor, f.value) from opportunity_factors f where f.tenant_id = $1 and f.opportunity_id = o.id) as factors,
       (select count(*)::int from opportunity_history h where h.tenant_id = $1 and h.opportunity_id = o.id and h.event = 'status') as steps,
       (select count(*)::int from opportunity_history h where h.tenant_id = $1 and h.opportunity_id = o.id and h.event = 'factor') as changes
     from opportunities o where o.tenant_id = $1`,
    [tenant],
  );
  const by = new Map(rows.map((row) => [row.id, row]));
  const breaches: string[] = [];
  for (const [id, said] of journal.decisions) {
    const row = by.get(id);
    if (!row) {
      breaches.push(`lost: opportunity ${id}`);
      continue;
    }
    if (row.status !== said.status) breaches.push(`lost: ${id} was acknowledged as ${said.status} and is ${row.status}`);
    if (said.refused && row.closed_reason === null) breaches.push(`${id} refused a change and is open`);
    for (const [what, done, told] of [
      ['steps', row.steps, said.steps],
      ['changes of factors', row.changes, said.changes],
    ] as const)
      if (done !== told) breaches.push(`${done > told ? 'doubled' : 'lost'}: ${id} had ${done} ${what}, and ${told} were acknowledged`);
    // A merged opportunity passes its decisions on, unless the other one has its own.
    const heir = row.merged_into === null ? row : by.get(row.merged_into);
    for (const [factor, value] of said.factors) {
      if (row.factors?.[factor] !== value) breaches.push(`lost: ${factor} of ${id} was set to ${value} and is ${row.factors?.[factor]}`);
      if (heir?.factors?.[factor] === undefined) breaches.push(`lost: ${factor} of ${id} did not go along to ${row.merged_into}`);
    }
  }
  return { name: 'what was decided about opportunities stays, each decision made once', checked: journal.decisions.size, breaches };
}

interface DraftRow {
  id: string;
  kind: string;
  status: string;
  has_text: boolean;
  statements: number;
  printed: number;
  unsourced: number;
  told: number;
  job_status: string | null;
  error: { code?: string; message?: string } | null;
}

/** Every requested draft is complete exactly once, or has failed for lack of evidence. */
export async function drafts({ journal, db, tenant }: Evidence): Promise<Invariant> {
  const { rows } = await db.query<DraftRow>(
    `select d.id, d.kind, d.status, d.content is not null and d.plain is not null as has_text, d.statements, j.status as job_status, j.error,
       (select count(*)::int from draft_statements s where s.tenant_id = $1 and s.draft_id = d.id) as printed,
       (select count(*)::int from draft_statements s where s.tenant_id = $1 and s.draft_id = d.id and (s.sources = '{}' or exists (
          select from unnest(s.sources) n where not exists (
            select from draft_sources f where f.tenant_id = $1 and f.draft_id = d.id and f.number = n)))) as unsourced,
       (select count(*)::int from outbox o where o.tenant_id = $1 and o.type = 'report.generated' and o.subject = d.id) as told
     from drafts d left join jobs j on j.tenant_id = $1 and j.id = d.job_id where d.tenant_id = $1`,
    [tenant],
  );
  const known = new Set(rows.map(({ id }) => id));
  const breaches = [...journal.drafts].filter((id) => !known.has(id)).map((id) => `lost: draft ${id} was acknowledged and has no row`);
  for (const row of rows) {
    const { id, status, printed } = row;
    const wrong = (what: string): void => void breaches.push(`draft ${id} (${status}, its job ${row.job_status}) ${what}`);
    if (status === 'writing') {
      if (row.job_status !== 'failed' || row.error?.code !== 'NOT_FOUND') wrong(`has not ended as it should: ${JSON.stringify(row.error)}`);
      continue;
    }
    if (row.job_status !== 'completed') wrong('is there, and its job did not end well');
    if (row.told !== (row.kind === 'report' ? 1 : 0)) wrong(`was told of ${row.told} times`);
    if (status === 'withdrawn' ? printed > 0 || row.has_text : printed !== row.statements || printed === 0 || !row.has_text)
      wrong(`prints ${printed} of ${row.statements} statements${row.has_text ? '' : ', and has no text'}`);
    if (row.unsourced > 0) wrong(`has ${row.unsourced} statements without their sources`);
  }
  return { name: 'every draft is whole and told of once, or failed for want of evidence', checked: rows.length, breaches };
}

/** Jobs and workflows of drafts without evidence: their failure is expected. */
export async function hopeless(db: pg.Client, tenant: string): Promise<{ jobs: Set<string>; processes: Set<string> }> {
  const { rows } = await db.query<{ id: string; workflow_id: string }>(
    `select id, workflow_id from jobs where tenant_id = $1 and kind = 'draft' and status = 'failed' and error->>'code' = 'NOT_FOUND'`,
    [tenant],
  );
  return { jobs: new Set(rows.map(({ id }) => id)), processes: new Set(rows.map((row) => row.workflow_id)) };
}

export function exportFiles({ journal }: Evidence): Invariant {
  const breaches = journal.exports.flatMap(({ job, wrong }) => wrong.map((each) => `export ${job} ${each}`));
  return { name: 'every export has the rows there were, each once', checked: journal.exports.length, breaches };
}
