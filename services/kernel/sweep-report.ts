import type { Database, Row } from '../../adapters/postgres/database.ts';

/** Counts of a sweep over all tenants. */
export interface SweepCounts {
  started: number;
  lost: number;
  expired: number;
  skipped: number;
}

type Seen = SweepCounts & { at: Date };

export async function noteSweep({ query }: Pick<Database, 'query'>, { started, lost, expired, skipped }: SweepCounts): Promise<void> {
  await query(
    `insert into sweep_reports (name, started, lost, expired, skipped) values ('sweep', $1, $2, $3, $4)
     on conflict (name) do update set at = now(), started = $1, lost = $2, expired = $3, skipped = $4`,
    [started, lost, expired, skipped],
  );
}

/** @returns null: no sweep has finished yet */
export async function lastSweep({ query }: Pick<Database, 'query'>): Promise<Seen | null> {
  const [row] = await query<Seen & Row>(`select at, started, lost, expired, skipped from sweep_reports where name = 'sweep'`);
  return row ?? null;
}
