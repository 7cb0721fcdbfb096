import type { WorkRun } from '../../../../contracts/work/runs.ts';
import { useRead } from '../../api/call.ts';
import { useMay } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { stateWords, statOf } from './run.ts';

/** As many as the tool gives at once, the newest. All cards share the two reads. */
const limit = 100;

/** On the card of a task in review: the run that waits for a person, or for its merge, and what it changed. */
export function Waiting({ task }: { task: string }) {
  const may = useMay()('work.run.list') !== 'deny';
  const inReview = useRead<{ runs: WorkRun[] }>('work.run.list', { state: 'review', limit }, may);
  const approved = useRead<{ runs: WorkRun[] }>('work.run.list', { state: 'approved', limit }, may);
  const run = [...(inReview.data?.runs ?? []), ...(approved.data?.runs ?? [])].find(({ task_id: of }) => of === task);
  if (!run) return null;
  return (
    <p className="text-xs" data-run={run.id}>
      <Aspect is="caution">
        <Outside text={run.agent} most={30} /> {stateWords[run.state]}
      </Aspect>
      {statOf(run) !== '' && <span className="text-soft"> {statOf(run)}</span>}
    </p>
  );
}
