import type { DelegatedStatus } from '../../../../contracts/agents/agents.ts';
import type { DelegatedTask } from '../../../../contracts/agents/delegations.ts';
import type { AspectName } from '../../ui/Aspect.tsx';

export const aspects: Record<DelegatedStatus, AspectName> = {
  pending: 'caution',
  accepted: 'held',
  running: 'held',
  completed: 'clear',
  failed: 'stop',
  cancelled: 'out',
};
export const statuses = Object.keys(aspects) as DelegatedStatus[];

export const isOpen = ({ status }: Pick<DelegatedTask, 'status'>): boolean =>
  status === 'pending' || status === 'accepted' || status === 'running';

/** One id may be sent and received at once: by a tenant that delegates to itself. */
export const keyOf = ({ direction, task_id }: Pick<DelegatedTask, 'direction' | 'task_id'>): string => `${direction}/${task_id}`;

export function readKey(key: string): Pick<DelegatedTask, 'direction' | 'task_id'> | null {
  const [, direction, task_id] = /^(sent|received)\/(.+)$/s.exec(key) ?? [];
  return direction === undefined || task_id === undefined ? null : { direction: direction as DelegatedTask['direction'], task_id };
}

/** As reported by the other agent. */
export function progressText({ progress }: Pick<DelegatedTask, 'progress'>): string {
  if (progress === null) return '';
  const { done, total, message } = progress;
  const counted = done === undefined ? '' : total === undefined ? String(done) : `${done} of ${total}`;
  return [counted, message].filter(Boolean).join(', ');
}
