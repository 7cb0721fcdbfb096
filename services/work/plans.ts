import type { Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { derivedId, hashOf } from '../../contracts/ids.ts';
import type { Plan, PlanTask } from '../../contracts/work/plans.ts';
import type { TaskStatus } from '../../contracts/activities/work/work.ts';
import { checkPlan, isTaskId } from '../../engines/planning/check.ts';
import { readPlan } from '../../engines/planning/read.ts';
import { lock } from '../kernel/locks.ts';
import { Service } from '../kernel/service.ts';
import { insertBlockers, lockBlockers } from './blockers.ts';
import type { TaskProcesses } from './commands.ts';
import { planByModel } from './plan-model.ts';
import type { TaskQueries } from './queries.ts';
import { insertRow } from './records.ts';
import { taskColumns, type TaskRow } from './rows.ts';
import { wordsOf } from './words.ts';

export interface Source {
  /** Markdown; or a task, whose description is read and whose parts the tasks become. */
  text?: string | undefined;
  taskId?: string | undefined;
  /** Of tasks for which the text names no phase. */
  phaseId: number;
  byModel: boolean;
}

export interface Proposal {
  plan: Plan;
  by: 'model' | 'rules';
  warnings: string[];
}

export interface Filed {
  ref: string;
  task_id: string;
  status: TaskStatus;
}

/** Workflows started at once. */
const startedAtOnce = 20;
const leaseSeconds = 300;
const maxAttempts = 3;

/** Big tasks and texts, split into tasks. A proposal is stored nowhere. */
export class Plans extends Service<'language', { tasks: TaskProcesses; queries: TaskQueries }> {
  /** @throws AppError NOT_FOUND (task, phase), VALIDATION_ERROR (no tasks, too many, unknown references, cycles) */
  async propose(caller: Caller, source: Source, callKey: string, signal?: AbortSignal): Promise<Proposal> {
    const { tenant } = caller;
    const { text: given, taskId, phaseId, byModel } = source;
    if ((given === undefined) === (taskId === undefined))
      throw new AppError('VALIDATION_ERROR', 'Give either text or task_id.', {
        hint: 'text is Markdown; of a task its description is read.',
      });
    const row = taskId === undefined ? null : await this.deps.queries.row(tenant, taskId);
    const text = row?.description ?? given ?? '';
    const phases = await this.deps.queries.phases(tenant);
    await this.deps.queries.phase(tenant, phaseId);
    const warnings: string[] = [];
    const proposed = async (): Promise<Omit<Proposal, 'warnings' | 'plan'> & { title: string | null; tasks: PlanTask[] }> => {
      if (byModel) {
        const answer = await planByModel(this.deps.language, text, phases, { tenant, signal });
        if ('tasks' in answer) return { by: 'model', title: row?.title ?? null, tasks: answer.tasks };
        if (answer.warning !== null) warnings.push(answer.warning);
      }
      const { title, tasks, done } = readPlan(text, phases, phaseId);
      if (done > 0) warnings.push(`${done === 1 ? 'One item is' : `${done} items are`} checked off and left out.`);
      return { by: 'rules', title: title ?? row?.title ?? null, tasks };
    };
    const { by, title, tasks } = await proposed();
    checkPlan(tasks);
    return { plan: { plan_id: derivedId('plan', tenant, callKey), title, parent_id: taskId ?? null, tasks }, by, warnings };
  }

  /**
   * Files all tasks of a plan, or none. The same plan again is the same tasks.
   * @throws AppError VALIDATION_ERROR, NOT_FOUND (parent, phase)
   */
  async accept(caller: Caller, plan: Plan): Promise<Filed[]> {
    const { tenant } = caller;
    checkPlan(plan.tasks);
    if (plan.parent_id !== null) await this.deps.queries.row(tenant, plan.parent_id);
    const phases = new Map((await this.deps.queries.phases(tenant)).map((phase) => [phase.id, phase]));
    const strange = plan.tasks.find((task) => !phases.has(task.phase_id));
    // Its refusal names the phases that there are.
    if (strange) await this.deps.queries.phase(tenant, strange.phase_id);
    const content = hashOf({ parent: plan.parent_id, tasks: plan.tasks });
    const ids = new Map(plan.tasks.map(({ ref }) => [ref, derivedId('task', tenant, plan.plan_id, content, ref)]));
    const outside = [...new Set(plan.tasks.flatMap(({ after }) => after.filter((name) => !ids.has(name) && isTaskId(name))))];
    const rows = await this.db.transaction(async (query) => {
      await lock(query, `work.plan/${tenant}/${plan.plan_id}`);
      const filed = (): Promise<TaskRow[]> =>
        query<TaskRow>(`select ${taskColumns} from work_tasks t where t.tenant_id = $1 and t.id = any($2)`, [tenant, [...ids.values()]]);
      const before = await filed();
      if (before.length > 0) return before;
      const pending = new Set(await lockBlockers(query, tenant, outside));
      const blockersOf = ({ after }: PlanTask): string[] => [...new Set(after.map((name) => ids.get(name) ?? name))];
      const waitsFor = (task: PlanTask): string[] => blockersOf(task).filter((id) => !outside.includes(id) || pending.has(id));
      for (const task of plan.tasks) {
        const wanted = {
          ...wordsOf(task.title, task.description),
          phaseId: task.phase_id,
          priority: task.priority,
          blockedBy: blockersOf(task),
          tags: task.tags,
          metadata: { plan_id: plan.plan_id },
          leaseSeconds,
          maxAttempts,
          needsReview: phases.get(task.phase_id)!.needs_review,
          parentId: task.part_of === null ? plan.parent_id : ids.get(task.part_of)!,
        };
        await insertRow(query, caller, ids.get(task.ref)!, wanted, waitsFor(task).toSorted());
      }
      for (const task of plan.tasks) await insertBlockers(query, tenant, ids.get(task.ref)!, blockersOf(task), waitsFor(task));
      return await filed();
    });
    // A repeat after a crash starts what has no workflow yet; so does the sweep.
    const open = rows.filter((row) => row.status !== 'done');
    for (let i = 0; i < open.length; i += startedAtOnce)
      await Promise.all(open.slice(i, i + startedAtOnce).map((row) => this.deps.tasks.start(tenant, row)));
    const statuses = new Map(rows.map((row) => [row.id, row.status]));
    return [...ids].flatMap(([ref, id]) => (statuses.has(id) ? [{ ref, task_id: id, status: statuses.get(id)! }] : []));
  }
}
