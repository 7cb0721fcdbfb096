import type { Database } from '../../adapters/postgres/database.ts';
import { blocksOf } from '../../engines/text/names.ts';

type Query = Database['query'];

export interface NewEntity {
  id: string;
  type: string;
  name: string;
  certain: boolean;
  origin?: 'extraction' | 'person' | 'flag';
  createdBy?: string;
}

export interface NewAlias {
  entityId: string;
  type: string;
  key: string;
  alias: string;
  origin: 'name' | 'resolution' | 'merge' | 'person' | 'directory';
  by?: string;
}

export async function insertEntities(query: Query, tenant: string, entities: readonly NewEntity[]): Promise<void> {
  if (entities.length === 0) return;
  await query(
    `insert into entities (tenant_id, id, type, name, certain, origin, created_by)
     select $1, r.id, r.type, r.name, r.certain, coalesce(r.origin, 'extraction'), coalesce(r."createdBy", 'signalbox')
     from jsonb_to_recordset($2::jsonb) as r(id text, type text, name text, certain boolean, origin text, "createdBy" text) order by r.id`,
    [
      tenant,
      JSON.stringify(entities.map(({ id, type, name, certain, origin, createdBy }) => ({ id, type, name, certain, origin, createdBy }))),
    ],
  );
}

/** Names with their blocks. A name that already has an owner stays with it. */
export async function insertAliases(query: Query, tenant: string, aliases: readonly NewAlias[]): Promise<void> {
  if (aliases.length === 0) return;
  await query(
    `with fresh as (
       insert into entity_aliases (tenant_id, type, key, entity_id, alias, origin, created_by)
       select $1, r.type, r.key, r."entityId", r.alias, r.origin, coalesce(r.by, 'signalbox')
       from jsonb_to_recordset($2::jsonb) as r("entityId" text, type text, key text, alias text, origin text, by text) order by r.type, r.key
       on conflict do nothing returning type, key)
     insert into entity_blocks (tenant_id, block, type, key)
     select $1, b.block, b.type, b.key from jsonb_to_recordset($3::jsonb) as b(block text, type text, key text)
     join fresh f on f.type = b.type and f.key = b.key on conflict do nothing`,
    [
      tenant,
      JSON.stringify(aliases),
      JSON.stringify(aliases.flatMap(({ type, key }) => blocksOf(key).map((block) => ({ block, type, key })))),
    ],
  );
}
