import type { WorkRun } from '../../../../contracts/work/runs.ts';
import type { Comment } from '../../../../contracts/work/work.ts';
import { usePages } from '../../api/call.ts';
import { useMay } from '../../ui/Act.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { Age } from '../../ui/Time.tsx';
import { worded } from '../../ui/words.ts';
import { Duration } from './Duration.tsx';
import { price, stuckWords, tokensOf } from './run.ts';
import { Run } from './Run.tsx';
import { Standing } from './Standing.tsx';
import { useRunsFollowed } from './useRuns.ts';

const rows = ({ runs }: { runs: WorkRun[] }) => runs;

const columns: Column<WorkRun>[] = [
  {
    title: 'Agent',
    cell: ({ agent, agent_version: version, attempt }) => (
      <>
        <Outside text={agent} most={40} />{' '}
        <span className="text-xs text-soft">
          <Outside text={version ?? ''} most={40} /> attempt {attempt}
        </span>
      </>
    ),
  },
  {
    title: 'State',
    cell: (run) => (
      <>
        <Standing run={run} />
        {run.stuck && (
          <span className="block text-xs text-soft">
            {stuckWords[run.stuck.reason]} <Age at={run.stuck.since} />
          </span>
        )}
      </>
    ),
  },
  { title: 'Host', wide: true, cell: ({ host }) => <Outside text={host} most={40} /> },
  { title: 'Took', wide: true, cell: (run) => <Duration run={run} /> },
  { title: 'Tokens', wide: true, className: 'text-right whitespace-nowrap', cell: ({ usage }) => tokensOf(usage) },
  { title: 'Cost', wide: true, className: 'text-right whitespace-nowrap', cell: ({ usage }) => price(usage.cost_usd) ?? 'not told' },
  {
    title: 'Outcome',
    className: 'w-1/3',
    cell: ({ outcome, reason }) => (
      <>
        {outcome && worded(outcome)}
        {reason !== null && (
          <span className="block text-xs text-soft">
            <Outside text={reason} most={160} />
          </span>
        )}
      </>
    ),
  },
];

/** What agents did for a task: all runs, and one of them, the latest unless another is chosen. */
export function Runs({
  task,
  comments,
  open,
  part,
  onOpen,
  onPart,
}: {
  task: string;
  comments: Comment[];
  open: string;
  part: string;
  onOpen: (run: string) => void;
  onPart: (part: string) => void;
}) {
  const may = useMay()('work.run.list') !== 'deny';
  const runs = usePages<{ runs: WorkRun[] }, WorkRun>('work.run.list', { task_id: task, limit: 50 }, rows, may);
  useRunsFollowed(task);
  if (!may) return null;
  const shown = open || runs.data?.rows[0]?.id;
  const listed = runs.data?.rows.find(({ id }) => id === shown);
  return (
    <>
      <Panel title="Runs">
        {() => (
          <Table
            label="runs"
            query={runs}
            columns={columns}
            keyOf={({ id }) => id}
            open={shown}
            onOpen={({ id }) => onOpen(id)}
            empty={
              <Empty command="npx signalbox work --phase 2 --agent claude">
                No coding agent has worked on this task yet. On the machine of a repository:
              </Empty>
            }
          />
        )}
      </Panel>
      {shown !== undefined && runs.data && (
        <Run
          key={shown}
          task={task}
          id={shown}
          last={listed?.events ?? 0}
          comments={comments.filter(({ run_id: of }) => of === shown)}
          part={part}
          onPart={onPart}
        />
      )}
    </>
  );
}
