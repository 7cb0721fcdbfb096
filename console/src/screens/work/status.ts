import type { TaskSummary } from '../../../../contracts/work/work.ts';
import type { AspectName } from '../../ui/Aspect.tsx';

export const statusAspects: Record<TaskSummary['status'], AspectName> = {
  blocked: 'caution',
  ready: 'clear',
  in_progress: 'held',
  review: 'caution',
  done: 'clear',
  failed: 'stop',
};
