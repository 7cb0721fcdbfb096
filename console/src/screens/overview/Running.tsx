import type { Overview } from '../../../../contracts/overview.ts';
import type { useRead } from '../../api/call.ts';
import { Outside } from '../../ui/Outside.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { Age } from '../../ui/Time.tsx';
import { capped } from '../../ui/words.ts';

/** Long work that is under way, each with its process in Temporal's UI. */
export function Running({ counts }: { counts: ReturnType<typeof useRead<Overview>> }) {
  return (
    <Panel title="Running jobs" query={counts} aside={counts.data && <span className="text-soft">{capped(counts.data.jobs.count)}</span>}>
      {({ jobs }) =>
        jobs.running.length === 0 ? (
          <Empty command="npx signalbox ingest FILE">No job runs. Ingesting a file starts one:</Empty>
        ) : (
          <ul className="divide-y divide-line">
            {jobs.running.map((job) => (
              <li key={job.job_id} className="px-4 py-2">
                <p className="flex flex-wrap items-center justify-between gap-x-3">
                  <span className="min-w-0">
                    <Outside text={job.title} most={100} />
                  </span>
                  {job.url && (
                    <a href={job.url} target="_blank" rel="noreferrer noopener" className="hit">
                      Process<span className="sr-only"> of {job.title} in Temporal</span>
                    </a>
                  )}
                </p>
                <Progress of={job.progress} status={job.status} />
                <p className="text-xs text-soft">
                  {job.kind}, started <Age at={job.created_at} />
                </p>
              </li>
            ))}
          </ul>
        )
      }
    </Panel>
  );
}

function Progress({ of, status }: { of: Record<string, unknown>; status: string }) {
  const { done, total, stage } = of as { done?: number; total?: number; stage?: string };
  const words = `${stage ?? status}${typeof done === 'number' && typeof total === 'number' ? ` ${done} of ${total}` : ''}`;
  return (
    <p className="flex items-center gap-3 text-soft">
      {typeof done === 'number' && typeof total === 'number' && total > 0 && (
        <progress value={done} max={total} aria-label={words} className="h-1.5 w-28 accent-route" />
      )}
      {words}
    </p>
  );
}
