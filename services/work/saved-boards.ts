import type { Row } from '../../adapters/postgres/database.ts';
import type { Caller } from '../../contracts/caller.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import type { SavedBoard, SavedFilter } from '../../contracts/work/saved-boards.ts';
import type { Columns } from '../../prisma/rows.ts';
import { assertRoom } from '../kernel/room.ts';
import { Service } from '../kernel/service.ts';

type BoardRow = Row & Columns<'work_boards', 'name' | 'created_by' | 'updated_at'> & { filter: SavedFilter };

const mostBoards = 200;

/** Boards with a name: filters that the tenant shares. */
export class SavedBoards extends Service {
  /** Creates a board or replaces the one of this name. @throws AppError CONFLICT (too many) */
  async save({ tenant, principal }: Caller, name: string, filter: SavedFilter): Promise<SavedBoard> {
    const [row] = await this.db.transaction(async (query) => {
      await assertRoom(query, {
        of: `work_boards/${tenant}`,
        most: mostBoards,
        count: 'select count(*)::int as n from work_boards where tenant_id = $1 and name <> $2',
        values: [tenant, name],
        refusal: () => new AppError('CONFLICT', `A tenant has ${mostBoards} boards at most.`, { hint: 'Remove one first.' }),
      });
      return await query<BoardRow>(
        `insert into work_boards (tenant_id, name, filter, created_by) values ($1, $2, $3, $4)
         on conflict (tenant_id, name) do update set filter = excluded.filter, updated_at = now() returning *`,
        [tenant, name, JSON.stringify(filter), principal],
      );
    });
    return view(row!);
  }

  async list(tenant: string): Promise<SavedBoard[]> {
    return (
      await this.db.query<BoardRow>(`select * from work_boards where tenant_id = $1 order by name limit ${mostBoards}`, [tenant])
    ).map(view);
  }

  /** Its tasks stay. @returns whether it existed */
  async remove(tenant: string, name: string): Promise<boolean> {
    return (await this.db.query('delete from work_boards where tenant_id = $1 and name = $2 returning 1', [tenant, name])).length > 0;
  }

  /**
   * The wanted filter within a board: what is given takes the place of the board's own.
   * @throws AppError NOT_FOUND
   */
  async within<W extends object>(tenant: string, name: string | undefined, wanted: W): Promise<W> {
    if (name === undefined) return wanted;
    const [row] = await this.db.query<BoardRow>('select * from work_boards where tenant_id = $1 and name = $2', [tenant, name]);
    if (!row) throw notFound('board', name, 'work.board.list shows the boards.');
    const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
    return { ...row.filter, ...given } as W;
  }
}

const view = ({ name, filter, created_by, updated_at }: BoardRow): SavedBoard => ({
  name,
  filter,
  created_by,
  updated_at: updated_at.toISOString(),
});
