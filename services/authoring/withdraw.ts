import type { Database } from '../../adapters/postgres/database.ts';

/**
 * Takes the text out of drafts that quote these documents, which are about to be deleted: nothing of what they said is
 * kept, also not in what was written from them. In the deleting transaction, while their signals and facts still stand.
 */
export async function withdrawDrafts(query: Database['query'], tenant: string, documentIds: readonly string[]): Promise<void> {
  const drafts = await query<{ id: string }>(
    `update drafts d set status = 'withdrawn', title = d.type, evidence = null, written = null, body = null, content = null, plain = null,
       to_fill = '{}', warnings = '{}', updated_at = now()
     where d.tenant_id = $1 and d.status = 'ready' and d.id in (
       select s.draft_id from draft_sources s join signals g on g.tenant_id = $1 and g.id = s.ref
         where s.tenant_id = $1 and s.kind = 'signal' and g.document_id = any($2)
       union all
       select s.draft_id from draft_sources s join fact_evidence e on e.tenant_id = $1 and e.fact_id = s.ref
         join graph_assertions a on a.id = e.assertion_id and a.tenant_id = $1
         where s.tenant_id = $1 and s.kind = 'fact' and a.document_id = any($2))
     returning d.id`,
    [tenant, documentIds],
  );
  const ids = drafts.map(({ id }) => id);
  if (ids.length === 0) return;
  await query('delete from draft_statements where tenant_id = $1 and draft_id = any($2)', [tenant, ids]);
  await query('delete from draft_sources where tenant_id = $1 and draft_id = any($2)', [tenant, ids]);
}
