import { Outside } from '../../ui/Outside.tsx';
import { RecordLink } from '../../ui/Text.tsx';
import { Age, useNow } from '../../ui/Time.tsx';
import type { Agent } from './model.ts';

/** A task that an agent holds, and how long it still does. */
export function Lease({ task }: { task: Agent['tasks'][number] }) {
  const now = useNow(5);
  const over = task.lease_expires_at !== null && Date.parse(task.lease_expires_at) <= now;
  return (
    <>
      <RecordLink type="task" id={task.task_id}>
        <Outside text={task.title || task.task_id} most={60} />
      </RecordLink>
      {task.lease_expires_at && (
        <span className={`block text-xs ${over ? 'text-stop' : 'text-soft'}`}>
          {over ? 'lease expired ' : 'lease expires '}
          <Age at={task.lease_expires_at} />
        </span>
      )}
    </>
  );
}
