import type { Row } from '../../adapters/postgres/database.ts';
import type { Caller } from '../../contracts/caller.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import type { Template, TemplateTask } from '../../contracts/work/templates.ts';
import type { Task } from '../../contracts/work/work.ts';
import type { Columns } from '../../prisma/rows.ts';
import { assertRoom } from '../kernel/room.ts';
import { Service } from '../kernel/service.ts';
import type { TaskCommands } from './commands.ts';
import { filled, variablesOf } from './variables.ts';

type TemplateRow = Row & Columns<'work_templates', 'name' | 'created_by' | 'updated_at'> & { task: TemplateTask };

const mostTemplates = 500;

/** What one task differs in from others of its template. */
export interface FromTemplate {
  variables: Record<string, string>;
  dueAt?: string | undefined;
  parentId?: string | undefined;
  blockedBy: string[];
}

/** Tasks that are filed again and again, with variables. */
export class Templates extends Service<never, { commands: Pick<TaskCommands, 'create'> }> {
  /** Creates a template or replaces the one of this name. @throws AppError CONFLICT (too many) */
  async save({ tenant, principal }: Caller, name: string, task: TemplateTask): Promise<Template> {
    const [row] = await this.db.transaction(async (query) => {
      await assertRoom(query, {
        of: `work_templates/${tenant}`,
        most: mostTemplates,
        count: 'select count(*)::int as n from work_templates where tenant_id = $1 and name <> $2',
        values: [tenant, name],
        refusal: () => new AppError('CONFLICT', `A tenant has ${mostTemplates} templates at most.`, { hint: 'Remove one first.' }),
      });
      return await query<TemplateRow>(
        `insert into work_templates (tenant_id, name, task, created_by) values ($1, $2, $3, $4)
         on conflict (tenant_id, name) do update set task = excluded.task, updated_at = now() returning *`,
        [tenant, name, JSON.stringify(task), principal],
      );
    });
    return view(row!);
  }

  async list(tenant: string): Promise<Template[]> {
    const rows = await this.db.query<TemplateRow>(
      `select * from work_templates where tenant_id = $1 order by name limit ${mostTemplates}`,
      [tenant],
    );
    return rows.map(view);
  }

  /** @returns whether it existed. @throws AppError CONFLICT: recurring tasks are made of it */
  async remove(tenant: string, name: string): Promise<boolean> {
    return await this.db.transaction(async (query) => {
      const [row] = await query('select 1 from work_templates where tenant_id = $1 and name = $2 for update', [tenant, name]);
      if (!row) return false;
      const users = await query<{ name: string }>(
        'select name from work_recurrences where tenant_id = $1 and template = $2 order by 1 limit 20',
        [tenant, name],
      );
      if (users.length > 0) {
        throw new AppError('CONFLICT', `Recurring tasks are made of it: ${users.map((user) => user.name).join(', ')}.`, {
          hint: 'Remove them with work.recurrence.remove first.',
          details: { reason: 'in_use' },
        });
      }
      await query('delete from work_templates where tenant_id = $1 and name = $2', [tenant, name]);
      return true;
    });
  }

  /** @throws AppError NOT_FOUND */
  async get(tenant: string, name: string): Promise<Template> {
    const [row] = await this.db.query<TemplateRow>('select * from work_templates where tenant_id = $1 and name = $2', [tenant, name]);
    if (!row) throw notFound('template', name, 'work.template.list shows the templates.');
    return view(row);
  }

  /** @throws AppError NOT_FOUND (template, phase, parent), VALIDATION_ERROR (variables that are missing or unknown) */
  async create(caller: Caller, name: string, { variables, dueAt, parentId, blockedBy }: FromTemplate, callKey: string): Promise<Task> {
    const { task } = await this.get(caller.tenant, name);
    const { title, description, tags } = filled(task, variables);
    return await this.deps.commands.create(
      caller,
      {
        title,
        description,
        tags,
        phaseId: task.phase_id,
        priority: task.priority,
        metadata: { ...task.metadata, template: name },
        leaseSeconds: task.lease_seconds,
        maxAttempts: task.max_attempts,
        needsReview: task.needs_review,
        reservedFor: task.assign_to ?? null,
        dueAt: dueAt ?? null,
        parentId: parentId ?? null,
        blockedBy,
      },
      callKey,
    );
  }
}

const view = ({ name, task, created_by, updated_at }: TemplateRow): Template => ({
  name,
  task,
  variables: variablesOf(task),
  created_by,
  updated_at: updated_at.toISOString(),
});
