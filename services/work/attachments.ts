import type { Database } from '../../adapters/postgres/database.ts';
import type { Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import type { Attachment } from '../../contracts/work/attachments.ts';
import { utc } from '../kernel/times.ts';
import { assertRoom } from '../kernel/room.ts';
import { Service } from '../kernel/service.ts';
import type { TaskQueries } from './queries.ts';
import { tell } from './records.ts';

const mostAttachments = 100;

export const attachmentsOf = (db: Database, tenant: string, task: string): Promise<Attachment[]> =>
  db.query<Attachment & Record<string, unknown>>(
    `select artifact_id as artifact_sha256, name, attached_by, ${utc('attached_at')} as attached_at from work_attachments
     where tenant_id = $1 and task_id = $2 order by attached_at, artifact_id limit ${mostAttachments}`,
    [tenant, task],
  );

/** Artifacts of tasks. Tasks of any status may have them. */
export class TaskAttachments extends Service<never, { queries: Pick<TaskQueries, 'row'> }> {
  /** A repeat keeps the first, with its name. @throws AppError NOT_FOUND (task), CONFLICT (too many) */
  async attach(caller: Caller, task: string, artifact: { sha256: string; name: string }): Promise<Attachment[]> {
    const { tenant } = caller;
    await this.deps.queries.row(tenant, task);
    await this.db.transaction(async (query) => {
      await assertRoom(query, {
        of: `work_attachments/${tenant}/${task}`,
        most: mostAttachments,
        count: 'select count(*)::int as n from work_attachments where tenant_id = $1 and task_id = $2 and artifact_id <> $3',
        values: [tenant, task, artifact.sha256],
        refusal: () =>
          new AppError('CONFLICT', `A task has ${mostAttachments} attachments at most.`, {
            hint: 'Detach one first, or put files into a manifest.',
            details: { reason: 'full' },
          }),
      });
      await query(
        `with written as (
           insert into work_attachments (tenant_id, task_id, artifact_id, name, attached_by) values ($1, $2, $3, $4, $5) on conflict do nothing returning 1
         ) ${tell('work_tasks t')} where t.tenant_id = $1 and t.id = $2 and exists (select from written)`,
        [tenant, task, artifact.sha256, artifact.name, caller.principal],
      );
    });
    return await attachmentsOf(this.db, tenant, task);
  }

  /** The artifact itself stays. @returns whether it was attached */
  async detach({ tenant }: Caller, task: string, sha256: string): Promise<boolean> {
    await this.deps.queries.row(tenant, task);
    const gone = await this.db.query(
      `with gone as (delete from work_attachments where tenant_id = $1 and task_id = $2 and artifact_id = $3 returning 1),
         told as (${tell('work_tasks t')} where t.tenant_id = $1 and t.id = $2 and exists (select from gone))
       select 1 from gone`,
      [tenant, task, sha256],
    );
    return gone.length > 0;
  }
}
