import type { Database } from '../../adapters/postgres/database.ts';

interface Held {
  signals: readonly string[];
  facts: readonly string[];
  /** `{document_id}#{ordinal}` */
  passages: readonly string[];
  opportunities: readonly { id: string; title: string }[];
}

/** Ids of the cited records, by kind. */
export const citedBy = (sources: readonly { ref: string; kind: string }[]): Pick<Held, 'signals' | 'facts' | 'passages'> => ({
  signals: sources.filter(({ kind }) => kind === 'signal').map(({ ref }) => ref),
  facts: sources.filter(({ kind }) => kind === 'fact').map(({ ref }) => ref),
  passages: sources.filter(({ kind }) => kind === 'passage').map(({ ref }) => ref),
});

/**
 * Locks the cited records until the transaction ends: a concurrent deletion waits, and then withdraws the draft. Lock
 * order as in a deletion: documents, opportunities, drafts.
 * @returns whether all of them still exist
 */
export async function hold(query: Database['query'], tenant: string, { signals, facts, passages, opportunities }: Held): Promise<boolean> {
  const documents = [...new Set(passages.map((ref) => ref.split('#')[0]!))];
  await query(
    `select 1 from documents where tenant_id = $1 and id in (
       select s.document_id from signals s where s.tenant_id = $1 and s.id = any($2)
       union all
       select a.document_id from fact_evidence e join graph_assertions a on a.tenant_id = $1 and a.id = e.assertion_id
         where e.tenant_id = $1 and e.fact_id = any($3)
       union all
       select unnest($4::text[]))
     order by id for key share`,
    [tenant, signals, facts, documents],
  );
  const titles = await query<{ id: string; title: string }>(
    'select id, title from opportunities where tenant_id = $1 and id = any($2::uuid[]) order by id for key share',
    [tenant, opportunities.map(({ id }) => id)],
  );
  const [standing] = await query<{ signals: number; facts: number; documents: number }>(
    `select (select count(*)::int from signals where tenant_id = $1 and id = any($2)) as signals,
       (select count(*)::int from graph_facts f where f.tenant_id = $1 and f.id = any($3) and ${isStanding}) as facts,
       (select count(*)::int from documents where tenant_id = $1 and id = any($4) and status = 'active') as documents`,
    [tenant, signals, facts, documents],
  );
  return (
    standing!.signals === new Set(signals).size &&
    standing!.facts === new Set(facts).size &&
    standing!.documents === documents.length &&
    opportunities.every(({ id, title }) => titles.some((now) => now.id === id && now.title === title))
  );
}

/** On facts "f": no document with its evidence is being deleted. $1 is the tenant. */
export const isStanding = `not exists (select from fact_evidence e join graph_assertions a on a.tenant_id = $1 and a.id = e.assertion_id
  join documents d on d.tenant_id = $1 and d.id = a.document_id where e.tenant_id = $1 and e.fact_id = f.id and d.status = 'retired')`;
