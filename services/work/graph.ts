import type { GraphTask, TaskGraph } from '../../contracts/work/graph.ts';
import { Service } from '../kernel/service.ts';
import type { TaskQueries } from './queries.ts';

const mostTasks = 500;

type Edge = TaskGraph['edges'][number];

/** What a task waits for and what waits for it, over several steps. */
export class TaskGraphs extends Service<never, { queries: Pick<TaskQueries, 'row'> }> {
  /** @param depth steps in each direction. @throws AppError NOT_FOUND */
  async around(tenant: string, id: string, depth: number): Promise<TaskGraph> {
    await this.deps.queries.row(tenant, id);
    const up = await this.reach(tenant, id, depth, 'up');
    const down = await this.reach(tenant, id, depth, 'down');
    const distances = new Map([[id, 0], ...down.near, ...[...up.near].map(([task, steps]): [string, number] => [task, -steps])]);
    const tasks = await this.db.query<GraphTask & Record<string, unknown>>(
      `select id, title, left(description, 200) as description, status, phase_id, priority, assigned_agent_id, cancelled
       from work_tasks where tenant_id = $1 and id = any($2)`,
      [tenant, [...distances.keys()]],
    );
    const edges = await this.db.query<Edge & Record<string, unknown>>(
      `select task_id, blocker_id, released_at is null as waits from work_task_dependencies
       where tenant_id = $1 and task_id = any($2) and blocker_id = any($2) order by task_id, blocker_id limit ${mostTasks * 4}`,
      [tenant, [...distances.keys()]],
    );
    return {
      tasks: tasks
        .map((task) => ({ ...task, distance: distances.get(task.id)! }))
        .toSorted((a, b) => Math.abs(a.distance) - Math.abs(b.distance) || a.distance - b.distance || (a.id < b.id ? -1 : 1)),
      edges,
      more: up.more || down.more,
    };
  }

  /** Step by step, so that a task is read once however many paths lead to it. */
  private async reach(
    tenant: string,
    id: string,
    depth: number,
    way: 'up' | 'down',
  ): Promise<{ near: Map<string, number>; more: boolean }> {
    const [from, to] = way === 'up' ? ['task_id', 'blocker_id'] : ['blocker_id', 'task_id'];
    const near = new Map<string, number>();
    let last = [id];
    for (let step = 1; last.length > 0; step += 1) {
      const rows = await this.db.query<{ id: string }>(
        `select distinct ${to} as id from work_task_dependencies where tenant_id = $1 and ${from} = any($2) order by 1 limit ${mostTasks + 1}`,
        [tenant, last],
      );
      const found = rows.map((row) => row.id).filter((task) => task !== id && !near.has(task));
      if (found.length === 0) break;
      if (step > depth) return { near, more: true };
      for (const task of found.slice(0, mostTasks / 2 - near.size)) near.set(task, step);
      if (near.size >= mostTasks / 2) return { near, more: true };
      last = found;
    }
    return { near, more: false };
  }
}
