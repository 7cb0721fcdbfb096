import { Link } from '@tanstack/react-router';
import type { ListedJob } from '../../../../contracts/jobs.ts';
import { useAct } from '../../api/act.ts';
import { useRead } from '../../api/call.ts';
import { hasScreen } from '../../screens.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { JobProgress } from '../../ui/JobProgress.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Facts } from '../../ui/Page.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { Id, Json } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';
import { aspects, isOver, kinds } from './model.ts';
import { counted } from '../../ui/words.ts';

/** One job: how far it is, what came of it, and how to stop it. */
export function JobDetail({ id }: { id: string }) {
  const found = useRead<{ jobs: ListedJob[] }>('system.job.list', { job_ids: [id], limit: 1 });
  const cancel = useAct('system.job.cancel');
  return (
    <Panel title="Job" query={found}>
      {({ jobs: [job] }) =>
        job === undefined ? (
          <Empty>There is no job {id.slice(0, 64)}. It may belong to another tenant, or its source was removed.</Empty>
        ) : (
          <>
            <Facts
              rows={[
                ['Title', <Outside key="t" text={job.title} most={1_000} />],
                [
                  'Status',
                  <Aspect key="s" is={aspects[job.status]}>
                    {job.status}
                  </Aspect>,
                ],
                ['Kind', kinds[job.kind] ?? job.kind],
                !isOver(job) && ['Progress', <JobProgress key="p" job={job} />],
                ['Started', <Age key="b" at={job.created_at} />],
                ['Last change', <Age key="c" at={job.updated_at} />],
                job.finished_at !== null && ['Ended', <Age key="e" at={job.finished_at} />],
                ['By', <Outside key="y" text={job.created_by} />],
                ['Id', <Id key="i">{job.job_id}</Id>],
                job.url !== null && [
                  'Process',
                  <a key="u" href={job.url} target="_blank" rel="noreferrer noopener" className="hit">
                    Open in Temporal
                  </a>,
                ],
                job.dead_letters > 0 && ['Parked', <Parked key="d" count={job.dead_letters} />],
                job.error !== null && [
                  'Error',
                  <span key="x">
                    <code className="font-mono text-xs">{job.error.code}</code> <Outside text={job.error.message} most={2_000} />
                  </span>,
                ],
              ]}
            />
            {!isOver(job) && (
              <div className="flex flex-wrap gap-3 px-4 pb-4">
                <ActButton tool="system.job.cancel" act={cancel} args={() => ({ job_id: id })} className="text-stop">
                  Cancel
                </ActButton>
                <p className="self-center text-soft">Cancelling undoes its partial work.</p>
              </div>
            )}
            <Outcome act={cancel} />
            {job.result !== null && (
              <div className="px-4 pb-4">
                <h3 className="mb-1 text-soft">Result</h3>
                <Json value={job.result} label="result" />
              </div>
            )}
          </>
        )
      }
    </Panel>
  );
}

function Parked({ count }: { count: number }) {
  const text = `${counted(count, 'stage waits', 'stages wait')} for a decision`;
  if (!hasScreen('/console/inbox')) return <>{text}</>;
  return (
    <Link to="/console/inbox" search={{ kind: 'dead_letter' }} className="hit">
      {text}
    </Link>
  );
}
