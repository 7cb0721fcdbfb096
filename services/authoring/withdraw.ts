import type { Database } from '../../adapters/postgres/database.ts';
import { forgetTitles } from '../signals/index.ts';

type Query = Database['query'];

/**
 * Removes the text of drafts that quote documents about to be deleted. In the deleting transaction, while their
 * signals and facts still exist.
 */
export async function withdrawDrafts(query: Query, tenant: string, documentIds: readonly string[]): Promise<void> {
  if (documentIds.length === 0) return;
  const titles = await forgetTitles(query, tenant, documentIds);
  const drafts = await query<{ id: string }>(
    `update drafts d set status = 'withdrawn', title = d.type, evidence = null, written = null, body = null, content = null, plain = null,
       to_fill = '{}', warnings = '{}', dropped_statements = '[]', updated_at = now()
     where d.tenant_id = $1 and d.status = 'ready' and (d.spec->>'opportunityId' = any($3) or d.id in (
       select s.draft_id from draft_sources s join signals g on g.tenant_id = $1 and g.id = s.ref
         where s.tenant_id = $1 and s.kind = 'signal' and g.document_id = any($2)
       union all
       select s.draft_id from draft_sources s join fact_evidence e on e.tenant_id = $1 and e.fact_id = s.ref
         join graph_assertions a on a.id = e.assertion_id and a.tenant_id = $1
         where s.tenant_id = $1 and s.kind = 'fact' and a.document_id = any($2)
       union all
       select s.draft_id from draft_sources s
         where s.tenant_id = $1 and s.kind = 'passage' and split_part(s.ref, '#', 1) = any($2)
       union all
       select s.draft_id from draft_sources s where s.tenant_id = $1 and s.kind = 'opportunity' and s.ref = any($3)))
     returning d.id`,
    [tenant, documentIds, titles],
  );
  const ids = drafts.map(({ id }) => id);
  await emptyUnfinished(query, tenant, documentIds, titles);
  if (ids.length === 0) return;
  await query('delete from draft_statements where tenant_id = $1 and draft_id = any($2)', [tenant, ids]);
  await query('delete from draft_sources where tenant_id = $1 and draft_id = any($2)', [tenant, ids]);
}

/** A running draft reads the remaining evidence again; a failed or cancelled one loses its evidence. */
async function emptyUnfinished(query: Query, tenant: string, documentIds: readonly string[], titles: readonly string[]): Promise<void> {
  await query(
    `update drafts d set evidence = null, written = null, title = case when d.spec->>'opportunityId' = any($3) then d.type else d.title end, updated_at = now()
     where d.tenant_id = $1 and d.status = 'writing' and (d.spec->>'opportunityId' = any($3) or (d.evidence is not null and (
       exists (select from jobs j where j.tenant_id = $1 and j.id = d.job_id and j.status not in ('queued', 'running'))
       or exists (select from jsonb_object_keys(d.evidence->'signals') k join signals g on g.tenant_id = $1 and g.id = k where g.document_id = any($2))
       or exists (select from jsonb_array_elements(d.evidence->'facts') f join fact_evidence e on e.tenant_id = $1 and e.fact_id = f->>'ref'
         join graph_assertions a on a.id = e.assertion_id and a.tenant_id = $1 where a.document_id = any($2))
       or exists (select from jsonb_array_elements(d.evidence->'news') n where split_part(n->>'ref', '#', 1) = any($2))
       or exists (select from jsonb_array_elements(d.evidence->'opportunities') o where o->>'id' = any($3)))))`,
    [tenant, documentIds, titles],
  );
}
