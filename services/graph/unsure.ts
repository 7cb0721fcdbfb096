import type { Database } from '../../adapters/postgres/database.ts';
import { derivedId } from '../../contracts/ids.ts';
import type { Directory, Unsure } from '../../engines/evidence/types.ts';
import { nameKey } from '../../engines/text/names.ts';
import { openReview, pairOf } from '../kernel/reviews/reviews-records.ts';
import { byKey, survivors, type FoundEntity } from './lookup-sql.ts';

type Query = Database['query'];

const types: Record<Unsure['kind'], ReadonlySet<string>> = {
  organisation: new Set(['customer', 'competitor']),
  feature: new Set(['feature']),
  person: new Set(['stakeholder']),
};
/** Questions opened at once: a tenant with hundreds of similar names is asked about more of them later. */
const most = 20;

/**
 * Asks people about names that may mean the same, each pair once. The sweep starts the questions' processes. The
 * caller holds the tenant's graph lock.
 */
export async function askUnsure(query: Query, tenant: string, { unsure = [] }: Directory): Promise<void> {
  let asked = 0;
  for (const each of unsure) {
    if (asked >= most) return;
    const [entity, other] = [await entityOf(query, tenant, each.kind, each.of), await entityOf(query, tenant, each.kind, each.name)];
    if (!entity || entity.id === other?.id || (other && other.type !== entity.type)) continue;
    const common = {
      type: entity.type,
      confidence: 0.5,
      evidence: [`Documents use "${each.name}" in ways that fit "${each.of}", but not clearly enough.`],
      origin: 'directory',
      createdBy: 'signalbox',
    };
    const key = nameKey(each.name);
    const id = other
      ? await openReview(query, tenant, {
          ...common,
          action: 'merge',
          subject: { a: entity.id, b: other.id },
          pair: pairOf(entity.type, nameKey(entity.name), nameKey(other.name)),
        })
      : await openReview(query, tenant, {
          ...common,
          action: 'alias',
          subject: { a: entity.id, alias: each.name },
          pair: derivedId('pair', 'alias', entity.id, key),
        });
    if (id !== null) asked += 1;
  }
}

async function entityOf(query: Query, tenant: string, kind: Unsure['kind'], name: string): Promise<FoundEntity | undefined> {
  const ids = (await byKey(query, tenant, nameKey(name))).map((row) => row.entity_id);
  return [...(await survivors(query, tenant, ids)).values()].find(({ type }) => types[kind].has(type));
}
