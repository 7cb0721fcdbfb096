import type { TaskSummary } from '../../../../contracts/work/work.ts';
import { span, useNow } from '../../ui/Time.tsx';
import { leaseRest } from './model.ts';

const around = 2 * Math.PI * 6;

/** What is left of a lease: a ring and its words; amber for the last fifth, red when it is over. */
export function Lease({ task }: { task: Pick<TaskSummary, 'lease_expires_at' | 'lease_seconds'> }) {
  const now = useNow(5);
  if (task.lease_expires_at === null) return null;
  const rest = leaseRest(task, now);
  const left = Date.parse(task.lease_expires_at) - now;
  const colour = rest <= 0 ? 'text-stop' : rest < 0.2 ? 'text-caution' : 'text-token';
  const words = left <= 0 ? `lease expired ${span(left)} ago` : `lease expires in ${span(left)}`;
  return (
    <span className={`inline-flex items-center gap-1 whitespace-nowrap ${colour}`} data-lease={rest.toFixed(2)}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" className="shrink-0 -rotate-90">
        <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeOpacity="0.25" strokeWidth="3" />
        <circle
          cx="8"
          cy="8"
          r="6"
          fill="none"
          stroke="currentColor"
          strokeWidth="3"
          strokeDasharray={`${(rest * around).toFixed(2)} 99`}
        />
      </svg>
      <span className="text-xs">{words}</span>
    </span>
  );
}

const shapes = { high: 'M8 2 15 14H1Z', medium: 'M3 3h10v10H3Z', low: 'M8 14 1 2h14Z' };
const colours = { high: 'text-stop', medium: 'text-soft', low: 'text-soft' };

/** A priority as shape and word. */
export const Priority = ({ is }: { is: TaskSummary['priority'] }) => (
  <span className={`inline-flex items-center gap-1 text-xs ${colours[is]}`}>
    <svg viewBox="0 0 16 16" width="10" height="10" aria-hidden="true" className="shrink-0">
      <path d={shapes[is]} fill={is === 'low' ? 'none' : 'currentColor'} stroke="currentColor" strokeWidth="1.5" />
    </svg>
    {is}
  </span>
);
