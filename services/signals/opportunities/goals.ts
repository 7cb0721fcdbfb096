import type { Caller } from '../../../contracts/caller.ts';
import { AppError } from '../../../contracts/errors.ts';
import { nameKey } from '../../../engines/text/names.ts';
import type { Counted } from './evidence.ts';
import type { Goal } from './score.ts';
import { lockClusters } from './store.ts';
import { Service } from '../../kernel/service.ts';

export interface GoalRow extends Goal {
  key: string;
}

const mostGoals = 50;

/** Goals that match the evidence: by product area, or by an entity in at least a quarter of the statements. */
export function goalsAbout(
  goals: readonly GoalRow[],
  { areas, entities, statements }: Pick<Counted, 'areas' | 'entities' | 'statements'>,
): Goal[] {
  const about = new Set([
    ...areas.map((area) => nameKey(area)),
    ...entities.filter(({ count }) => 4 * count >= statements).map(({ name }) => nameKey(name)),
  ]);
  return goals.filter(({ key }) => about.has(key));
}

/** The strategy's goals: product areas, features, issues and themes by name. */
export class Goals extends Service {
  async list(tenant: string): Promise<{ name: string; alignment: number; set_by: string; set_at: string }[]> {
    const rows = await this.db.query<{ name: string; alignment: number; set_by: string; set_at: Date }>(
      'select name, alignment, set_by, set_at from opportunity_goals where tenant_id = $1 order by alignment desc, key',
      [tenant],
    );
    return rows.map((row) => ({ ...row, set_at: row.set_at.toISOString() }));
  }

  /**
   * Sets a goal and has every opportunity scored again.
   * @param alignment 0 to 10; null: remove the goal
   * @throws AppError VALIDATION_ERROR (a name without letters, too many goals)
   */
  async set({ tenant, principal }: Caller, name: string, alignment: number | null): Promise<void> {
    const key = nameKey(name);
    if (key === '')
      throw new AppError('VALIDATION_ERROR', 'The name has no letters or digits.', {
        hint: 'Name a product area, a feature, an issue or a theme.',
      });
    await this.db.transaction(async (query) => {
      await lockClusters(query, tenant);
      if (alignment === null) await query('delete from opportunity_goals where tenant_id = $1 and key = $2', [tenant, key]);
      else {
        await query(
          `insert into opportunity_goals (tenant_id, key, name, alignment, set_by) values ($1, $2, $3, $4, $5)
           on conflict (tenant_id, key) do update set name = excluded.name, alignment = excluded.alignment, set_by = excluded.set_by, set_at = now()`,
          [tenant, key, name.trim(), alignment, principal],
        );
        const [row] = await query<{ n: number }>('select count(*)::int as n from opportunity_goals where tenant_id = $1', [tenant]);
        if (row!.n > mostGoals) {
          throw new AppError('VALIDATION_ERROR', `There are ${mostGoals} goals already.`, {
            hint: 'Remove one first: set its alignment to null.',
          });
        }
      }
      await query(`update opportunities set scored_at = '-infinity' where tenant_id = $1 and closed_at is null`, [tenant]);
    });
  }
}
