import { useEffect, useState } from 'react';
import { Link } from '@tanstack/react-router';
import type { ListedJob } from '../../../contracts/jobs.ts';
import { useAct } from '../api/act.ts';
import { useRead } from '../api/call.ts';
import { followed, forget, noteEnds } from '../api/jobs.ts';
import { mayAny, type Facts } from '../api/session.ts';
import { aspects, isOver } from '../screens/jobs/model.ts';
import { useStore } from '../settings.ts';
import { ActButton, Outcome } from '../ui/Act.tsx';
import { Aspect } from '../ui/Aspect.tsx';
import { JobProgress } from '../ui/JobProgress.tsx';
import { Outside } from '../ui/Outside.tsx';
import { toast } from '../ui/toasts.tsx';
import { counted } from '../ui/words.ts';

/** The jobs that were begun in this browser, on every screen until they are taken out. */
export function Tray({ facts }: { facts: Facts }) {
  const list = useStore(followed);
  const [open, setOpen] = useState(false);
  const ids = list.map(({ id }) => id);
  const may = mayAny(facts, ['system.job.list']);
  const { data } = useRead<{ jobs: ListedJob[] }>('system.job.list', { job_ids: ids, limit: 100 }, may && ids.length > 0);
  const jobs = data?.jobs.filter(({ job_id }) => ids.includes(job_id)) ?? [];
  useEffect(() => {
    for (const job of noteEnds(data?.jobs ?? [])) toast(`${job.title.slice(0, 80)}: ${job.status}`);
  }, [data]);
  if (list.length === 0 || !may) return null;
  // What has ended is known before the jobs are read again.
  const running = data ? jobs.filter((job) => !isOver(job)).length : list.filter(({ over }) => !over).length;
  const failed = jobs.some(({ status }) => status === 'failed');
  return (
    <section
      aria-label="Jobs that you started"
      data-tray=""
      className="peer fixed right-4 bottom-4 z-10 grid w-[min(24rem,calc(100vw-2rem))] justify-items-end gap-2 max-lg:bottom-16"
    >
      {open && (
        <div id="tray" className="card max-h-[50vh] w-full overflow-y-auto border-edge shadow-xl">
          <ul className="divide-y divide-line">
            {jobs.map((job) => (
              <Card key={job.job_id} job={job} />
            ))}
          </ul>
          {jobs.some(isOver) && (
            <div className="border-t border-line p-2 text-right">
              <button type="button" className="control" onClick={() => forget(...jobs.filter(isOver).map(({ job_id }) => job_id))}>
                Remove ended jobs
              </button>
            </div>
          )}
        </div>
      )}
      <button
        type="button"
        className="control border-edge shadow-xl"
        aria-expanded={open}
        aria-controls="tray"
        onClick={() => setOpen(!open)}
      >
        <Aspect is={failed ? 'stop' : running > 0 ? 'held' : 'clear'} />
        {running > 0 ? counted(running, 'job runs', 'jobs run') : 'Jobs have ended'}
        <span aria-hidden="true">{open ? '▾' : '▴'}</span>
      </button>
    </section>
  );
}

function Card({ job }: { job: ListedJob }) {
  const cancel = useAct('system.job.cancel');
  return (
    <li className="grid gap-1 px-4 py-2">
      <p className="flex items-start justify-between gap-3">
        <Link to="/console/jobs" search={{ id: job.job_id }} className="hit min-w-0">
          <Outside text={job.title} most={80} />
        </Link>
        <Aspect is={aspects[job.status]}>{job.status}</Aspect>
      </p>
      {isOver(job) ? job.error && <Outside text={job.error.message} most={200} /> : <JobProgress job={job} />}
      <p className="flex justify-end gap-2">
        {isOver(job) ? (
          <button type="button" className="hit rounded px-2 text-route underline" onClick={() => forget(job.job_id)}>
            Remove<span className="sr-only"> {job.title.slice(0, 80)}</span>
          </button>
        ) : (
          <ActButton tool="system.job.cancel" act={cancel} args={() => ({ job_id: job.job_id })} label={job.title.slice(0, 80)}>
            Cancel
          </ActButton>
        )}
      </p>
      <Outcome act={cancel} />
    </li>
  );
}
