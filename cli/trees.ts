/** Dependencies of tasks as lines of a tree. */
import type { GraphTask, TaskGraph } from '../contracts/work/graph.ts';
import { oneLine } from './output.ts';

export interface TreeLooks {
  status(status: GraphTask['status']): string;
  dim(text: string): string;
}

const mostWide = 80;

const nameOf = ({ title, description }: GraphTask): string => oneLine(title ?? description.split('\n', 1)[0] ?? '').slice(0, mostWide);

/**
 * Blockers (`up`) or dependants (`down`) of a task, each below what leads to it. A task that several lead to is drawn out
 * once and named again where else it stands.
 */
export function treeOf({ tasks, edges }: TaskGraph, root: string, way: 'up' | 'down', looks: TreeLooks): string[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const drawn = new Set([root]);
  const lines: string[] = [];
  const below = (id: string): { id: string; waits: boolean }[] =>
    edges.flatMap(({ task_id: task, blocker_id: blocker, waits }) =>
      way === 'up' ? (task === id ? [{ id: blocker, waits }] : []) : blocker === id ? [{ id: task, waits }] : [],
    );
  const draw = (id: string, indent: string): void => {
    const children = below(id).filter((child) => byId.has(child.id));
    for (const [i, child] of children.entries()) {
      const last = i === children.length - 1;
      const task = byId.get(child.id)!;
      const again = drawn.has(child.id);
      drawn.add(child.id);
      const freed = child.waits ? '' : looks.dim(' (no longer waited for)');
      const more = again && below(child.id).length > 0 ? looks.dim(' …see above') : '';
      lines.push(`${looks.dim(`${indent}${last ? '└─' : '├─'}`)} ${task.id} ${looks.status(task.status)} ${nameOf(task)}${freed}${more}`);
      if (!again) draw(child.id, `${indent}${last ? '   ' : '│  '}`);
    }
  };
  draw(root, '');
  return lines;
}
