import type { Row } from '../../../adapters/postgres/database.ts';
import { notFound } from '../../../contracts/errors.ts';
import {
  factorNames,
  type FactorName,
  type FactorViews,
  type OpportunityItem,
  type OpportunityStatus,
} from '../../../contracts/signals/opportunities.ts';
import { countedPage, down, matching, up, type CountedPage, type Paging } from '../../kernel/paging.ts';
import { Service } from '../../kernel/service.ts';
import type { Columns } from '../../../prisma/rows.ts';
import { windowDays, type Factors } from './score.ts';

export interface OpportunityRow
  extends
    Row,
    Columns<
      'opportunities',
      | 'id'
      | 'title'
      | 'title_by'
      | 'closed_at'
      | 'merged_into'
      | 'signal_count'
      | 'statement_count'
      | 'customer_count'
      | 'impact'
      | 'confidence'
      | 'strategic_alignment'
      | 'urgency'
      | 'effort'
      | 'score'
      | 'first_signal_at'
      | 'last_signal_at'
      | 'created_at'
    > {
  status: OpportunityStatus;
  closed_reason: 'merged' | 'no_evidence' | null;
  classes: OpportunityItem['classes'];
  entities: { entity_id: string; name: string; type: string; count: number }[];
  trend: OpportunityItem['trend'];
  computed: Factors;
}

const columns = `id, title, title_by, status, closed_at, closed_reason, merged_into, signal_count, statement_count, customer_count, classes, entities,
  trend, impact, confidence, strategic_alignment, urgency, effort, score, computed, first_signal_at, last_signal_at, created_at`;

export const sorts = ['score', 'signal_count', 'created_at'] as const;
export type Sort = (typeof sorts)[number];

export interface Wanted extends Paging {
  status?: OpportunityStatus | undefined;
  sort: Sort;
  /** Closed ones (without evidence, or merged) instead of the open ones. */
  closed: boolean;
  /** Part of the title. */
  query?: string | undefined;
  trend?: OpportunityItem['trend'] | undefined;
}

export interface Listed extends CountedPage<OpportunityItem> {
  /** How many have each status, within the other filters. */
  statuses: Partial<Record<OpportunityStatus, number>>;
}

/** The filters of `get_roadmap_priorities`: a condition on `o`, and its description. */
export const priorityFilters = {
  all: { where: 'true', says: 'every open opportunity that is not rejected' },
  quick_wins: { where: 'effort <= 3 and impact >= 3', says: 'effort of 3 or less, and impact of 3 or more' },
  strategic: { where: 'strategic_alignment >= 7', says: 'strategic alignment of 7 or more' },
  emerging: {
    where: `trend in ('emerging', 'growing')`,
    says: `more signals in the last ${windowDays} days than in those before, by 20 % or more`,
  },
  high_confidence: { where: 'confidence >= 0.7', says: 'confidence of 0.7 or more' },
} as const;
export type PriorityFilter = keyof typeof priorityFilters;

export interface Priority {
  opportunity_id: string;
  title: string;
  status: OpportunityStatus;
  score: number;
  signal_count: number;
  customer_count: number;
  breakdown: Record<FactorName, number>;
  factors: FactorViews;
}

export interface Priorities {
  priorities: Priority[];
  /** Number of matches, and of all. */
  total: number;
  open: number;
}

const sortTypes = { score: 'real', signal_count: 'int', created_at: 'timestamptz' } as const;

/** Reads opportunities, for lists. */
export class OpportunityQueries extends Service {
  /** @throws AppError VALIDATION_ERROR (a cursor of another order) */
  async list(tenant: string, { sort, status, closed, query, trend, ...paging }: Wanted): Promise<Listed> {
    const others = {
      'tenant_id = $': tenant,
      [`closed_at is ${closed ? 'not null' : 'null'}`]: true,
      'trend = $': trend,
      'position(lower($) in lower(title)) > 0': query,
    };
    const list = {
      select: columns,
      from: 'opportunities',
      ...matching({ ...others, 'status = $': status }),
      order: [down(sort, sortTypes[sort]), up('id', 'uuid')],
    };
    const page = await countedPage(this.db.query, list, paging, itemOf);
    const { where, values } = matching(others);
    const counted = await this.db.query<{ status: OpportunityStatus; n: number }>(
      `select status, count(*)::int as n from opportunities where ${where} group by status`,
      values,
    );
    return { ...page, statuses: Object.fromEntries(counted.map((each) => [each.status, each.n])) };
  }

  /** The best open ones, with the factors of their score. */
  async priorities(tenant: string, filter: PriorityFilter, limit: number): Promise<Priorities> {
    const open = `tenant_id = $1 and closed_at is null and status <> 'rejected'`;
    const { where } = priorityFilters[filter];
    const rows = await this.db.query<OpportunityRow>(
      `select ${columns} from opportunities where ${open} and ${where} order by score desc, id limit $2`,
      [tenant, limit],
    );
    const [counted] = await this.db.query<{ total: number; open: number }>(
      `select count(*) filter (where ${where})::int as total, count(*)::int as open from opportunities where ${open}`,
      [tenant],
    );
    const factors = await this.factors(tenant, rows);
    return {
      priorities: rows.map((row) => ({
        opportunity_id: row.id,
        title: row.title,
        status: row.status,
        score: round(row.score),
        signal_count: row.signal_count,
        customer_count: row.customer_count,
        breakdown: Object.fromEntries(factorNames.map((factor) => [factor, round(row[factor])])) as Record<FactorName, number>,
        factors: factors.get(row.id)!,
      })),
      total: counted?.total ?? 0,
      open: counted?.open ?? 0,
    };
  }

  /**
   * The best open ones of some entities, for the summary.
   * @param entityIds null: all
   */
  async top(tenant: string, entityIds: readonly string[] | null, limit: number): Promise<OpportunityItem[]> {
    const rows = await this.db.query<OpportunityRow>(
      `select ${columns} from opportunities where tenant_id = $1 and closed_at is null and status <> 'rejected'
         and ($2::text[] is null or exists (select from jsonb_array_elements(entities) e where e->>'entity_id' = any($2)))
       order by score desc, id limit $3`,
      [tenant, entityIds, limit],
    );
    return rows.map(itemOf);
  }

  /**
   * Includes closed ones.
   * @throws AppError NOT_FOUND
   */
  async row(tenant: string, id: string): Promise<OpportunityRow> {
    const [row] = isUuid(id)
      ? await this.db.query<OpportunityRow>(`select ${columns} from opportunities where tenant_id = $1 and id = $2`, [tenant, id])
      : [];
    if (!row) throw notFound('opportunity', id, 'opportunity.record.list tells which there are.');
    return row;
  }

  /** Their computed factors with reasons, and people's overrides. By opportunity. */
  async factors(tenant: string, rows: readonly OpportunityRow[]): Promise<Map<string, FactorViews>> {
    const overrides = await this.db.query<{
      id: string;
      factor: FactorName;
      value: number;
      reason: string | null;
      set_by: string;
      set_at: Date;
    }>(
      'select opportunity_id as id, factor, value, reason, set_by, set_at from opportunity_factors where tenant_id = $1 and opportunity_id = any($2::uuid[])',
      [tenant, rows.map(({ id }) => id)],
    );
    const told = new Map(overrides.map((each) => [`${each.id} ${each.factor}`, each]));
    return new Map(
      rows.map((row) => {
        const views = factorNames.map((factor) => {
          const { value, reason } = row.computed[factor];
          const set = told.get(`${row.id} ${factor}`);
          return [
            factor,
            {
              value: round(row[factor]),
              computed: value,
              reason,
              ...(set
                ? { override: { value: round(set.value), reason: set.reason, set_by: set.set_by, set_at: set.set_at.toISOString() } }
                : {}),
            },
          ];
        });
        return [row.id, Object.fromEntries(views) as FactorViews];
      }),
    );
  }
}

export const itemOf = (row: OpportunityRow): OpportunityItem => ({
  opportunity_id: row.id,
  title: row.title,
  status: row.status,
  score: round(row.score),
  signal_count: row.signal_count,
  statement_count: row.statement_count,
  customer_count: row.customer_count,
  trend: row.trend,
  classes: row.classes,
  created_at: row.created_at.toISOString(),
  first_signal_at: row.first_signal_at.toISOString(),
  last_signal_at: row.last_signal_at.toISOString(),
});

const isUuid = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);
/** Postgres stores four bytes. */
const round = (value: number): number => Math.round(value * 100) / 100;
