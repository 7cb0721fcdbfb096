import type { Database } from '../../adapters/postgres/database.ts';

/** Types that belong to an area; customers and people use several. */
const ofAreas = ['feature', 'issue', 'theme', 'product'];

/** Assigns entities without product area the area of most of their signals. The caller holds the tenant's graph lock. */
export async function giveAreas(query: Database['query'], tenant: string, signalIds: readonly string[]): Promise<void> {
  await query(
    `update entities e set area = told.area, updated_at = now()
     from (
       select l.entity_id, mode() within group (order by s.area) as area from signal_entities l
       join signals s on s.tenant_id = $1 and s.id = l.signal_id and s.area is not null
       where l.tenant_id = $1 and l.entity_id in (
         select n.entity_id from signal_entities n join entities w on w.tenant_id = $1 and w.id = n.entity_id
         where n.tenant_id = $1 and n.signal_id = any($2) and n.type = any($3) and w.area is null)
       group by l.entity_id) told
     where e.tenant_id = $1 and e.id = told.entity_id and e.area is null`,
    [tenant, signalIds, ofAreas],
  );
}
