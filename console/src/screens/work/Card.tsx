import { draggable } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { Link } from '@tanstack/react-router';
import { memo, useEffect, useRef } from 'react';
import type { Holder } from '../../../../contracts/work/board.ts';
import type { TaskSummary } from '../../../../contracts/work/work.ts';
import { Store } from '../../api/signals.ts';
import { Aspect } from '../../ui/Aspect.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Lease, Priority } from './Lease.tsx';
import { Waiting } from './Waiting.tsx';
import { headline, stuckWords } from './model.ts';
import { Presence } from './Presence.tsx';

/** The task that is being dragged: the columns say what a drop would mean. */
export const dragged = new Store<TaskSummary | null>(null);

export interface CardProps {
  task: TaskSummary;
  chosen: boolean;
  /** An action on it is under way. */
  asking: boolean;
  /** Of its holder. */
  presence?: Holder['presence'] | undefined;
  onChoose: (id: string) => void;
  onActions: (task: TaskSummary) => void;
}

export const Card = memo(function Card({ task, chosen, asking, presence, onChoose, onActions }: CardProps) {
  const self = useRef<HTMLElement>(null);
  useEffect(
    () =>
      draggable({
        element: self.current!,
        // The column where it is dropped is told after this card is.
        getInitialData: () => ({ task }),
        onDragStart: () => dragged.set(task),
        onDrop: () => dragged.set(null),
      }),
    [task],
  );
  const name = headline(task.description);
  return (
    <article
      ref={self}
      data-task={task.id}
      data-rev={task.rev}
      className={`card grid gap-1 px-3 py-2 ${chosen ? 'border-route' : ''} ${asking ? 'opacity-60' : ''}`}
    >
      <div className="flex items-start gap-1">
        <Link
          to="/console/work/$id"
          params={{ id: task.id }}
          draggable={false}
          className="hit min-w-0 flex-1 items-start rounded font-semibold text-ink no-underline hover:underline"
        >
          <span className="line-clamp-3 min-w-0">
            <Outside text={name} most={160} />
          </span>
        </Link>
        <button
          type="button"
          className="hit shrink-0 justify-center rounded"
          aria-label={`Actions: ${name.slice(0, 60)}`}
          onClick={() => onActions(task)}
        >
          <span aria-hidden="true">⋯</span>
        </button>
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-0.5 text-xs text-soft">
        <label className="hit -my-1 gap-1">
          <input type="checkbox" className="size-4" checked={chosen} onChange={() => onChoose(task.id)} />
          <span className="sr-only">Choose {name.slice(0, 60)}</span>
          <Priority is={task.priority} />
        </label>
        {task.assigned_agent_id !== null && <Outside text={task.assigned_agent_id} most={40} />}
        {presence && <Presence is={presence} />}
        {task.status === 'in_progress' && <Lease task={task} />}
        {task.attempts > 0 && (
          <span>
            attempt {task.attempts}/{task.max_attempts}
          </span>
        )}
        {task.blocked_by.length > 0 && <span>blocked by {task.blocked_by.length}</span>}
        {task.needs_review && task.status !== 'done' && <span>needs review</span>}
        {task.tags.slice(0, 4).map((tag) => (
          <span key={tag} className="rounded border border-line px-1">
            <Outside text={tag} most={24} />
          </span>
        ))}
        {asking && <span role="status">asking…</span>}
      </div>
      {task.failure !== null && task.status !== 'in_progress' && (
        <p className="line-clamp-2 text-xs text-stop">
          <Outside text={task.failure} most={200} />
        </p>
      )}
      {task.status === 'review' && <Waiting task={task.id} />}
      {task.stuck !== null && (
        <p className="text-xs">
          <Aspect is="stop">stuck: {stuckWords[task.stuck]}</Aspect>
        </p>
      )}
    </article>
  );
});
