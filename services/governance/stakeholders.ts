import { asScoped, rowsOf } from '../../adapters/postgres/tenancy.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
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

/** Rows are counted up to this; one more means: more than that. */
export const seenAtMost = 10_000;

/** What a team sees of, and the tool that shows it. */
const seen = [
  ['entities', 'entity.record.list', `entities where tenant_id = $1 and status = 'active'`],
  ['documents', 'knowledge.source.list', `documents where tenant_id = $1 and status = 'active'`],
  ['passages', 'index.chunk.search', 'chunks where tenant_id = $1'],
  ['statements', 'signal.record.search', 'signals where tenant_id = $1'],
  ['facts', 'graph.fact.search', 'graph_facts where tenant_id = $1'],
  ['opportunities', 'opportunity.record.list', 'opportunities where tenant_id = $1'],
  ['drafts', 'authoring.draft.list', 'drafts where tenant_id = $1'],
] as const;

/** What a team sees, beside what there is. */
export interface TeamView {
  scope: StakeholderScope;
  counts: { what: string; tool: string; seen: number; all: number }[];
  by: { area: string | null; type: string; seen: number }[];
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

  /**
   * What a team's keys would see now, counted by the database under the team's scope.
   * @throws AppError NOT_FOUND for a team about which nothing was said
   */
  async preview({ tenant }: Caller, team: string): Promise<TeamView> {
    const scope = await scopeOfTeam(this.db, tenant, team);
    if (!scope) {
      throw new AppError('NOT_FOUND', `The team "${team}" has no scope: it sees nothing.`, {
        hint: 'access.stakeholder.configure sets its scope.',
      });
    }
    const counted = async (): Promise<number[]> => {
      const [row] = await this.db.query<Record<string, number>>(
        `select ${seen.map(([what, , from]) => `(select count(*)::int from (select from ${from} limit ${seenAtMost + 1}) x) as ${what}`).join(', ')}`,
        [tenant],
      );
      return seen.map(([what]) => row![what]!);
    };
    const within = <T>(work: () => Promise<T>): Promise<T> => asScoped(tenant, rowsOf(scope), work);
    const [all, own, by] = await Promise.all([
      counted(),
      within(counted),
      within(() =>
        this.db.query<TeamView['by'][number] & Record<string, unknown>>(
          `select area, type, count(*)::int as seen from
             (select area, type from entities where tenant_id = $1 and status = 'active' limit ${seenAtMost}) e
           group by area, type order by seen desc, type, area limit 100`,
          [tenant],
        ),
      ),
    ]);
    return { scope, counts: seen.map(([what, tool], i) => ({ what, tool, seen: own[i]!, all: all[i]! })), by };
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
