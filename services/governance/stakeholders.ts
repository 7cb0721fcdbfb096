import type { Database } from '../../adapters/postgres/database.ts';
import type { Caller } from '../../contracts/caller.ts';
import { topics } from '../../contracts/notices.ts';
import type { StakeholderScope } from '../../contracts/governance/policy.ts';
import { notify } from '../kernel/notify.ts';
import { Service } from '../kernel/service.ts';

type Wanted = Omit<StakeholderScope, 'configured'>;

/** A stored team scope, with its author and time. */
export type StoredScope = StakeholderScope & { updated_by: string; updated_at: string };

const columns = 'team, product_areas, entity_types, data_freshness, updated_by, updated_at';
type Row = Wanted & { updated_by: string; updated_at: Date };
const stored = ({ updated_at, ...row }: Row): StoredScope => ({ ...row, configured: true, updated_at: updated_at.toISOString() });

export async function scopeOfTeam(db: Database, tenant: string, team: string): Promise<StakeholderScope | null> {
  const [row] = await db.query<Row & Record<string, unknown>>(
    `select ${columns} from stakeholder_scopes where tenant_id = $1 and team = $2`,
    [tenant, team],
  );
  if (!row) return null;
  const { updated_by: _, updated_at: __, ...scope } = stored(row);
  return scope;
}

/** What stakeholder teams may see: areas and types as row filters, and a minimum age of records. */
export class Stakeholders extends Service<never, { changed: () => void }> {
  /** @param changed invalidates caches that depend on scopes */

  /** Replaces a team's scope. */
  async configure({ tenant, principal }: Caller, { team, product_areas, entity_types, data_freshness }: Wanted): Promise<StoredScope> {
    const row = await this.db.transaction(async (query) => {
      const [said] = await query<Row & { fresh: boolean } & Record<string, unknown>>(
        `insert into stakeholder_scopes (tenant_id, team, product_areas, entity_types, data_freshness, updated_by) values ($1, $2, $3, $4, $5, $6)
         on conflict (tenant_id, team) do update set product_areas = excluded.product_areas, entity_types = excluded.entity_types,
           data_freshness = excluded.data_freshness, updated_by = excluded.updated_by, updated_at = now()
         returning ${columns}, xmax = 0 as fresh`,
        [tenant, team, product_areas, entity_types, data_freshness, principal],
      );
      const { fresh, ...scope } = said!;
      // An unconfigured team may call almost nothing; later changes of its scope affect only what it sees.
      if (fresh) await notify(query, topics.toolRights(tenant));
      return scope;
    });
    this.deps.changed();
    return stored(row);
  }

  async list({ tenant }: Caller): Promise<(StoredScope & { keys: number })[]> {
    const rows = await this.db.query<Row & { keys: number } & Record<string, unknown>>(
      `select ${columns}, (select count(*)::int from api_keys k where k.tenant_id = s.tenant_id and k.team = s.team and k.revoked_at is null) as keys
       from stakeholder_scopes s where tenant_id = $1 order by team`,
      [tenant],
    );
    return rows.map(({ keys, ...row }) => ({ ...stored(row), keys }));
  }

  /** Names of areas and types without entities, to reveal typing errors. */
  async unknown({ tenant }: Caller, { product_areas, entity_types }: Pick<Wanted, 'product_areas' | 'entity_types'>): Promise<string[]> {
    const rows = await this.db.query<{ name: string }>(
      `select name from unnest($2::text[]) name where not exists (select 1 from entities where tenant_id = $1 and lower(area) = lower(name))
       union all
       select name from unnest($3::text[]) name where not exists (select 1 from entities where tenant_id = $1 and type = name)`,
      [tenant, product_areas, entity_types],
    );
    return rows.map(({ name }) => name);
  }
}
