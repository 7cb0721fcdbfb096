/** A restored database carries a mark: until a sweep has started the processes of all its rows again, it is not in use fully. */
import type { Database, Row } from '../../adapters/postgres/database.ts';

type Query = Database['query'];

/** Written by `signalbox restore`, as the owner. */
export async function markRestored(query: Query): Promise<void> {
  await query(
    `insert into sweep_reports (name, started, lost, expired, skipped) values ('restore', 0, 1, 0, 0)
     on conflict (name) do update set at = now(), started = 0, lost = 1, skipped = 0`,
  );
}

/** @returns how many seconds ago the database was restored; null: every process has been started again since */
export async function restoredFor(query: Query): Promise<number | null> {
  const [row] = await query<Row & { seconds: number }>(
    `select extract(epoch from now() - at)::float as seconds from sweep_reports where name = 'restore' and lost > 0`,
  );
  return row ? row.seconds : null;
}

/** @param skipped pieces that failed: with any, the next sweep tries again */
export async function noteStartedAgain(query: Query, started: number, skipped: number): Promise<void> {
  await query(`update sweep_reports set started = started + $1, skipped = $2, lost = $3 where name = 'restore'`, [
    started,
    skipped,
    skipped > 0 ? 1 : 0,
  ]);
}
