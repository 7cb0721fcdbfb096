import type { Fact } from '../../contracts/graph/graph.ts';
import { countedPage, down, type CountedPage, type Paging } from '../kernel/paging.ts';
import { Service } from '../kernel/service.ts';
import type { EntityLookup } from './lookup.ts';
import { factsCountedInScope } from './scoped-counts.ts';
import { entityFacts, factEvidence, factOf, type FactRow, type When } from './search-facts-sql.ts';

/** All facts of an entity over time. */
export class EntityFacts extends Service<never, { lookup: EntityLookup }> {
  /** Those that began last first. @throws AppError NOT_FOUND */
  async list(
    tenant: string,
    id: string,
    {
      asOf,
      knownAt,
      includeClosed,
      ...paging
    }: Paging & { asOf?: string | undefined; knownAt?: string | undefined; includeClosed: boolean },
  ): Promise<{ entityId: string; page: CountedPage<Fact & { holds: boolean }> }> {
    const { query } = this.db;
    const entity = await this.deps.lookup.byId(tenant, id);
    const when: When = { asOf: asOf ?? null, knownAt: knownAt ?? null, closedToo: asOf === undefined && includeClosed };
    const list = {
      ...entityFacts,
      values: entityFacts.values(tenant, when, entity.id),
      order: [down('coalesce(f.valid_from, f.recorded_from)', 'timestamptz'), down('f.id')],
    };
    const page = await countedPage(query, list, paging, (row: FactRow) => row);
    const evidence = await factEvidence(
      query,
      tenant,
      page.items.map((row) => row.id),
    );
    const facts = page.items.map((row) => factOf(row, evidence.get(row.id) ?? []));
    return { entityId: entity.id, page: { ...page, items: await factsCountedInScope(query, tenant, facts) } };
  }
}
