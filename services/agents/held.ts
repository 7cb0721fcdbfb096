import type { Database, Row } from '../../adapters/postgres/database.ts';
import type { Columns } from '../../prisma/rows.ts';

export interface HeldTask {
  task_id: string;
  phase_id: number;
  /** The first line of its description. */
  title: string;
  started_at: string | null;
  lease_expires_at: string | null;
}

interface HeldRow extends Row, Columns<'work_tasks', 'id' | 'phase_id' | 'started_at' | 'lease_expires_at'> {
  holder: string;
  title: string;
}

/** Of each agent. */
const mostTold = 10;

/** The tasks that agents hold, also those whose lease has lapsed and that nobody has taken over. */
export async function heldBy(db: Database, tenant: string, ids: readonly string[]): Promise<Map<string, HeldTask[]>> {
  const rows = await db.query<HeldRow>(
    `select * from (
       select coalesce(lease_principal, assigned_agent_id) as holder, id, phase_id, left(split_part(description, E'\\n', 1), 200) as title,
         started_at, lease_expires_at,
         row_number() over (partition by coalesce(lease_principal, assigned_agent_id) order by started_at, id) as place
       from work_tasks where tenant_id = $1 and status = 'in_progress' and coalesce(lease_principal, assigned_agent_id) = any($2)) held
     where place <= ${mostTold} order by holder, place`,
    [tenant, ids],
  );
  const all = Map.groupBy(rows, (row) => row.holder);
  return new Map([...all].map(([holder, held]) => [holder, held.map(heldView)]));
}

const heldView = (row: HeldRow): HeldTask => ({
  task_id: row.id,
  phase_id: row.phase_id,
  title: row.title,
  started_at: row.started_at?.toISOString() ?? null,
  lease_expires_at: row.lease_expires_at?.toISOString() ?? null,
});
