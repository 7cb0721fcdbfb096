import type { Database } from '../../adapters/postgres/database.ts';

export interface ResolutionStats {
  window_days: number;
  /** Share of unknown names assigned to a known entity without asking. Null: there were none. */
  auto_merge_rate: number | null;
  /** Share of unknown names about which a person was asked. */
  human_review_rate: number | null;
  counts: { by_name: number; automatic: number; reviewed: number; fresh: number; undone: number };
  reviews: { pending: number; confirmed: number; rejected: number };
  /** By week, oldest first; only weeks with decisions or undone changes. */
  accuracy_trend: {
    week_of: string;
    decisions: number;
    /** Share of asked matches that people confirmed. */
    confirmed_rate: number | null;
    /** Mean probability that the matcher gave them. */
    expected_rate: number | null;
    automatic: number;
    /** Automatic assignments that people undid. */
    undone: number;
    /** 1 - undone / automatic: an upper bound, because people notice only some errors. */
    automatic_precision: number | null;
  }[];
}

/**
 * Quality of the resolution, based on people's decisions.
 * @param type null: all
 */
export async function resolutionStats(db: Database, tenant: string, windowDays: number, type: string | null): Promise<ResolutionStats> {
  const values = [tenant, windowDays, type];
  const [counts] = await db.query<ResolutionStats['counts']>(
    `select coalesce(sum(by_name), 0)::int as by_name, coalesce(sum(automatic), 0)::int as automatic, coalesce(sum(reviewed), 0)::int as reviewed,
       coalesce(sum(fresh), 0)::int as fresh, coalesce(sum(undone), 0)::int as undone
     from resolution_counts where tenant_id = $1 and day > (now() at time zone 'utc')::date - $2::int and ($3::text is null or type = $3)`,
    values,
  );
  const [reviews] = await db.query<ResolutionStats['reviews']>(
    `select count(*) filter (where status in ('pending', 'deciding'))::int as pending,
       count(*) filter (where status = 'confirmed' and decided_at > now() - make_interval(days => $2))::int as confirmed,
       count(*) filter (where status = 'rejected' and decided_at > now() - make_interval(days => $2))::int as rejected
     from reviews where tenant_id = $1 and kind = 'entity_match' and origin <> 'split' and ($3::text is null or type = $3)`,
    values,
  );
  const trend = await db.query<{
    week: string;
    decisions: number;
    confirmed: number;
    expected: number | null;
    automatic: number;
    undone: number;
  }>(
    `with weeks as (
       select date_trunc('week', decided_at at time zone 'utc')::date as week, count(*)::int as decisions,
         count(*) filter (where status = 'confirmed')::int as confirmed, avg(confidence)::float as expected, 0 as automatic, 0 as undone
       from reviews where tenant_id = $1 and kind = 'entity_match' and action = 'merge' and origin <> 'split' and status in ('confirmed', 'rejected')
         and decided_at > now() - make_interval(days => $2) and ($3::text is null or type = $3) group by 1
       union all
       select date_trunc('week', day)::date, 0, 0, null, sum(automatic)::int, sum(undone)::int from resolution_counts
       where tenant_id = $1 and day > (now() at time zone 'utc')::date - $2::int and ($3::text is null or type = $3) group by 1)
     select week::text, sum(decisions)::int as decisions, sum(confirmed)::int as confirmed, max(expected) as expected, sum(automatic)::int as automatic,
       sum(undone)::int as undone from weeks group by week order by week`,
    values,
  );
  const { automatic, reviewed, fresh } = counts!;
  const compared = automatic + reviewed + fresh;
  return {
    window_days: windowDays,
    auto_merge_rate: compared === 0 ? null : rounded(automatic / compared),
    human_review_rate: compared === 0 ? null : rounded(reviewed / compared),
    counts: counts!,
    reviews: reviews!,
    accuracy_trend: trend.map((row) => ({
      week_of: row.week,
      decisions: row.decisions,
      confirmed_rate: row.decisions === 0 ? null : rounded(row.confirmed / row.decisions),
      expected_rate: row.expected === null ? null : rounded(row.expected),
      automatic: row.automatic,
      undone: row.undone,
      automatic_precision: row.automatic === 0 ? null : rounded(Math.max(0, 1 - row.undone / row.automatic)),
    })),
  };
}

const rounded = (share: number): number => Math.round(share * 1000) / 1000;
