import { realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import type { AgentEvent } from '../../contracts/work/runs.ts';

/** Agents name files with absolute paths. Those in the worktree are told relative to it, as in the repository; others stay. */
export function inWorktree(events: readonly AgentEvent[], worktree: string): AgentEvent[] {
  const roots = [worktree, real(worktree)];
  const short = (path: string): string => {
    const inner = isAbsolute(path) ? roots.map((root) => relative(root, path)).find(isWithin) : undefined;
    return inner ?? path;
  };
  return events.map((event) => {
    if (event.kind !== 'file') return event;
    const { text, data } = event;
    const path = data?.['path'];
    return { ...event, text: short(text), ...(data ? { data: typeof path === 'string' ? { ...data, path: short(path) } : data } : {}) };
  });
}

const isWithin = (path: string): boolean => path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);

/** Some agents resolve links of the folder they are started in. */
function real(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
