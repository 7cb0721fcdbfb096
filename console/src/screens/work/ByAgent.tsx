import { Link } from '@tanstack/react-router';
import type { TaskSummary } from '../../../../contracts/work/work.ts';
import { usePages } from '../../api/call.ts';
import { Aspect } from '../../ui/Aspect.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Empty, Failure, Skeleton } from '../../ui/Panel.tsx';
import { RecordLink } from '../../ui/Text.tsx';
import { Lease } from './Lease.tsx';
import { byAgent, headline, stuckWords } from './model.ts';

const rows = ({ tasks }: { tasks: TaskSummary[] }) => tasks;

/** Holders with what they hold now. */
export function ByAgent({ filter }: { filter: Record<string, unknown> }) {
  const held = usePages('work.task.list', { ...filter, status: 'in_progress', details: true, limit: 100 }, rows);
  if (held.data === undefined) return held.isError ? <Failure error={held.error} retry={() => void held.refetch()} /> : <Skeleton />;
  if (held.data.rows.length === 0) return <Empty>No agent holds a task that matches.</Empty>;
  return (
    <>
      {held.isError && <Failure error={held.error} retry={() => void held.refetch()} />}
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-3" aria-label="Agents at work">
        {byAgent(held.data.rows).map(({ agent, tasks }) => (
          <li key={agent} className="card min-w-0 p-3">
            <h2 className="text-lg">
              <RecordLink type="agent" id={agent}>
                <Outside text={agent} most={60} />
              </RecordLink>
            </h2>
            <ul className="mt-1 grid gap-2">
              {tasks.map((task) => (
                <li key={task.id} className="grid gap-0.5">
                  <Link to="/console/work/$id" params={{ id: task.id }} className="hit">
                    <span className="min-w-0">
                      <Outside text={headline(task.description)} most={100} />
                    </span>
                  </Link>
                  <span className="flex flex-wrap gap-x-3">
                    <Lease task={task} />
                    {task.stuck && <Aspect is="stop">{stuckWords[task.stuck]}</Aspect>}
                  </span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {held.more && (
        <button type="button" className="control mt-3" disabled={held.isFetchingNextPage} onClick={held.more}>
          More of {held.data.total?.toLocaleString('en')}
        </button>
      )}
    </>
  );
}
