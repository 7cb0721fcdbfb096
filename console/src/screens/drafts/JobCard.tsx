import { useEffect, useRef } from 'react';
import type { Job } from '../../../../contracts/jobs.ts';
import { useAct } from '../../api/act.ts';
import { useRead } from '../../api/call.ts';
import { told } from '../../api/live.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { Failure, Panel } from '../../ui/Panel.tsx';
import { RecordLink } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';
import { stages, stageWords } from './model.ts';
import { aspects, isOver } from '../jobs/model.ts';

/**
 * A draft while it is written, stage by stage.
 * @param onEnd told once, when it is over
 */
export function JobCard({ jobId, onEnd }: { jobId: string; onEnd: () => void }) {
  const query = useRead<{ job: Job }>('system.job.get', { job_id: jobId });
  const cancel = useAct('system.job.cancel');
  const over = query.data !== undefined && isOver(query.data.job);
  const done = useRef(false);
  useEffect(() => {
    if (!over || done.current) return;
    done.current = true;
    onEnd();
  }, [over, onEnd]);
  const { refetch } = query;
  useEffect(() => told.on((events) => events.some(({ subject }) => subject === jobId) && void refetch()), [jobId, refetch]);
  if (query.isError && query.data === undefined) return <Failure error={query.error} retry={() => void refetch()} />;
  return (
    <Panel title="In progress" query={query}>
      {({ job }) => {
        const at = stages.indexOf(job.progress['stage'] as (typeof stages)[number]);
        return (
          <div className="grid gap-3 p-4">
            <p className="flex flex-wrap items-center gap-3">
              <Aspect is={aspects[job.status]}>{job.status}</Aspect>
              <span className="text-soft">
                begun <Age at={job.created_at} />
              </span>
              <RecordLink type="job" id={job.job_id}>
                Job
              </RecordLink>
            </p>
            <ol className="flex flex-wrap gap-3" aria-label="Stages">
              {stages.map((stage, i) => (
                <li
                  key={stage}
                  aria-current={i === at && !over ? 'step' : undefined}
                  className={`rounded-card border px-3 py-1 ${i === at && !over ? 'border-token font-semibold' : 'border-line text-soft'}`}
                >
                  {i < at || job.status === 'completed' ? '✓ ' : ''}
                  {stageWords[stage]}
                </li>
              ))}
            </ol>
            {job.error && <p className="text-stop">{job.error.message}</p>}
            {!over && (
              <div>
                <ActButton tool="system.job.cancel" act={cancel} args={() => ({ job_id: jobId })}>
                  Cancel
                </ActButton>
              </div>
            )}
            <Outcome act={cancel} />
          </div>
        );
      }}
    </Panel>
  );
}
