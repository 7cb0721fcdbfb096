import { AppError } from '../../contracts/errors.ts';
import { mostPlanned, type PlanTask } from '../../contracts/work/plans.ts';

/** An id of an existing task, which the store checks. */
export const isTaskId = (name: string): boolean => /^task_[0-9a-z]+$/.test(name);

const refused = (message: string, hint: string, details: Record<string, unknown> = {}): AppError =>
  new AppError('VALIDATION_ERROR', message, { hint, details });

/**
 * Checks a plan, wherever it came from.
 * @throws AppError VALIDATION_ERROR: no task or too many, a ref twice or unknown, a cycle with its path
 */
export function checkPlan(tasks: readonly PlanTask[]): void {
  if (tasks.length === 0) throw refused('The plan has no tasks.', 'Give headings, list items or checkboxes.', { reason: 'empty' });
  if (tasks.length > mostPlanned) {
    throw refused(`The plan has ${tasks.length} tasks; ${mostPlanned} are allowed.`, 'Split it into several plans.', {
      reason: 'too_many',
    });
  }
  const byRef = new Map<string, PlanTask>();
  for (const task of tasks) {
    if (byRef.has(task.ref)) throw refused(`The ref ${task.ref} appears twice.`, 'Give each task a ref of its own.', { ref: task.ref });
    byRef.set(task.ref, task);
  }
  for (const { ref, after, part_of: whole } of tasks) {
    const unknown = [...after.filter((name) => !isTaskId(name)), ...(whole === null ? [] : [whole])].filter((name) => !byRef.has(name));
    if (unknown.length > 0)
      throw refused(
        `${ref} names tasks that the plan does not have: ${unknown.join(', ')}.`,
        'Use refs of the plan or ids of existing tasks.',
        {
          reason: 'unknown',
          ref,
          unknown,
        },
      );
  }
  refuseCycle(byRef, ({ after }) => after, 'wait for itself');
  refuseCycle(byRef, ({ part_of: whole }) => (whole === null ? [] : [whole]), 'be a part of itself');
}

/** Depth first without recursion: a hostile plan is one long chain. */
function refuseCycle(byRef: Map<string, PlanTask>, next: (task: PlanTask) => string[], would: string): void {
  const finished = new Set<string>();
  for (const start of byRef.keys()) {
    const path: { ref: string; left: string[] }[] = finished.has(start) ? [] : [{ ref: start, left: [...next(byRef.get(start)!)] }];
    const open = new Set([start]);
    while (path.length > 0) {
      const top = path.at(-1)!;
      const ref = top.left.pop();
      if (ref === undefined) {
        finished.add(top.ref);
        open.delete(top.ref);
        path.pop();
      } else if (open.has(ref)) {
        const cycle = [...path.map((step) => step.ref).slice(path.findIndex((step) => step.ref === ref)), ref];
        throw refused(`A task would ${would}: ${cycle.join(' → ')}.`, 'Leave one of these references out.', { reason: 'cycle', cycle });
      } else if (!finished.has(ref) && byRef.has(ref)) {
        open.add(ref);
        path.push({ ref, left: [...next(byRef.get(ref)!)] });
      }
    }
  }
}
