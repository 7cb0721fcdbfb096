import type { Database } from '../../../adapters/postgres/database.ts';
import type { Direction } from '../../kernel/trends.ts';
import { noteEvent } from '../../kernel/outbox.ts';
import { lock } from '../../kernel/locks.ts';
import { dayOf } from './days.ts';
import { signalTrends } from './trends.ts';

/** The default window of get_trends. */
const windowDays = 28;
/** Maximum issues; those with the largest change first. */
const maxIssues = 5_000;
const lookEvery = '1 hour';

/**
 * Writes events for issues whose direction, as in get_trends, differs from the last check; at most once an hour. New
 * issues do not count as changed.
 * @returns how many changed
 */
export async function noteTrends(db: Database, tenant: string, now = new Date()): Promise<number> {
  return await db.transaction(async (query) => {
    // Serialized: two sweeps must not report the same change.
    await lock(query, `issue_trends/${tenant}`);
    // Merged and deleted issues have no direction.
    await query(
      `delete from issue_trends t where t.tenant_id = $1
         and not exists (select from entities e where e.tenant_id = $1 and e.id = t.entity_id and e.status = 'active')`,
      [tenant],
    );
    const known = new Map(
      (
        await query<{ entity_id: string; direction: Direction; name: string }>(
          `select t.entity_id, t.direction, e.name from issue_trends t join entities e
             on e.tenant_id = $1 and e.id = t.entity_id and e.status = 'active' where t.tenant_id = $1`,
          [tenant],
        )
      ).map((row) => [row.entity_id, row]),
    );
    const [last] = await query<{ recent: boolean }>(
      'select max(checked_at) > $2::timestamptz - $3::interval as recent from issue_trends where tenant_id = $1',
      [tenant, now, lookEvery],
    );
    if (last?.recent) return 0;
    const { trends } = await signalTrends(query, tenant, { type: 'issue', windowDays, limit: maxIssues, today: dayOf(now) });
    const seen = new Set(trends.map(({ entity_id }) => entity_id));
    // Issues without signals in two windows have no counts: their direction is unchanged ("stable").
    const quiet = trends.length < maxIssues ? [...known.values()].filter(({ entity_id }) => !seen.has(entity_id)) : [];
    const standing = [
      ...trends.map(({ entity_id: id, name, direction, current_count, previous_count, change_pct }) => ({
        id,
        direction,
        data: { name, current_count, previous_count, change_pct },
      })),
      ...quiet.map(({ entity_id: id, name }) => ({
        id,
        direction: 'stable' as Direction,
        data: { name, current_count: 0, previous_count: 0, change_pct: null },
      })),
    ];
    await query(
      `insert into issue_trends as t (tenant_id, entity_id, direction, checked_at)
       select $1, x.id, x.direction, $4 from unnest($2::text[], $3::text[]) x(id, direction)
       on conflict (tenant_id, entity_id) do update set direction = excluded.direction, checked_at = excluded.checked_at`,
      [tenant, standing.map(({ id }) => id), standing.map(({ direction }) => direction), now],
    );
    const changed = standing.filter(({ id, direction }) => known.has(id) && known.get(id)!.direction !== direction);
    for (const { id, direction, data } of changed) {
      await noteEvent(query, tenant, 'issue.trend_changed', id, {
        ...data,
        from: known.get(id)!.direction,
        to: direction,
        window_days: windowDays,
      });
    }
    return changed.length;
  });
}
