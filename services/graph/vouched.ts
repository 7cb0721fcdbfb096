import type { Directory } from '../../engines/evidence/types.ts';
import { nameKey } from '../../engines/text/names.ts';

/** People named, described or linked the entity "e", or an application made it. $1 is the tenant. */
export const vouched = `(e.origin <> 'extraction' or e.state is not null or e.description is not null
  or exists (select from entity_aliases v where v.tenant_id = $1 and v.entity_id = e.id and v.origin = 'person')
  or exists (select from entity_links v where v.tenant_id = $1 and v.entity_id = e.id))`;

/**
 * Keys of the directory's features; null: it knows none, and phrases such as "export button" are features. Otherwise
 * only its features and those that are vouched for are.
 */
export function featureKeys({ features }: Directory): ReadonlySet<string> | null {
  if (features.length === 0) return null;
  return new Set(features.flatMap(({ name, aliases }) => [name, ...aliases].map(nameKey)));
}
