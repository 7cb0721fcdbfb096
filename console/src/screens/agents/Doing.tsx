import type { ListedTask } from '../../../../contracts/work/work.ts';
import { Link } from '@tanstack/react-router';
import { usePages } from '../../api/call.ts';
import { hasScreen } from '../../screens.ts';
import { useMay } from '../../ui/Act.tsx';
import { Aspect, type AspectName } from '../../ui/Aspect.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Empty, NoRight } from '../../ui/Panel.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { RecordLink } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';
import { foldCalls, type LedgerEvent } from './model.ts';
import { worded } from '../../ui/words.ts';
import { statusAspects } from '../work/status.ts';

const taskRows = ({ tasks }: { tasks: ListedTask[] }) => tasks;
const taskColumns: Column<ListedTask>[] = [
  {
    title: 'Task',
    cell: (task) => (
      <RecordLink type="task" id={task.id}>
        <Outside text={task.description.split('\n')[0] ?? ''} most={160} />
      </RecordLink>
    ),
  },
  {
    title: 'Status',
    className: 'whitespace-nowrap',
    cell: (task) => <Aspect is={statusAspects[task.status]}>{worded(task.status)}</Aspect>,
  },
  { title: 'Phase', wide: true, className: 'whitespace-nowrap', cell: (task) => task.phase_id },
  { title: 'Priority', wide: true, className: 'whitespace-nowrap', cell: (task) => task.priority },
  { title: 'Created', cell: (task) => <Age at={task.created_at} /> },
];

/** What was assigned to the agent, the newest first. */
export function Tasks({ id }: { id: string }) {
  const may = useMay()('work.task.list') !== 'deny';
  const tasks = usePages('work.task.list', { assigned_to: id, newest_first: true }, taskRows, may);
  if (!may) return <NoRight tool="work.task.list" scope="work:read" />;
  return (
    <Table
      label="tasks of the agent"
      query={tasks}
      columns={taskColumns}
      keyOf={(task) => task.id}
      empty={<Empty>The agent has held no task. An agent takes one with work.task.claim.</Empty>}
    />
  );
}

const callRows = ({ events }: { events: LedgerEvent[] }) => events;
const outcome = ({ type, error_code }: LedgerEvent): { aspect: AspectName; word: string } => {
  if (type === 'tool.call.completed') return { aspect: 'clear', word: 'done' };
  if (type === 'tool.call.failed') return { aspect: 'stop', word: error_code ?? 'failed' };
  return { aspect: type === 'tool.call.started' ? 'held' : 'caution', word: worded(type.replace('tool.call.', '')) };
};

const callColumns: Column<LedgerEvent>[] = [
  { title: 'When', cell: (event) => <Age at={event.at} /> },
  {
    title: 'Tool',
    cell: (event) => {
      const tool = <span className="font-mono text-xs">{event.tool}</span>;
      if (!hasScreen(`/console/calls/${event.tool_call_id}`)) return tool;
      return (
        <Link to={`/console/calls/${event.tool_call_id}`} className="hit">
          {tool}
        </Link>
      );
    },
  },
  { title: 'Outcome', cell: (event) => <Aspect is={outcome(event).aspect}>{outcome(event).word}</Aspect> },
  {
    title: 'Duration',
    wide: true,
    className: 'text-right whitespace-nowrap',
    cell: ({ duration_ms: ms }) => (ms === null ? '' : `${Math.round(ms)} ms`),
  },
  { title: 'Front', wide: true, className: 'whitespace-nowrap', cell: (event) => event.front },
];

/** What it called, one line a call, from the ledger. */
export function Calls({ id }: { id: string }) {
  const may = useMay()('system.ledger.search') !== 'deny';
  const calls = usePages('system.ledger.search', { principal: id, limit: 100 }, callRows, may);
  if (!may) return <NoRight tool="system.ledger.search" scope="ledger:read" />;
  const folded = calls.data && { ...calls.data, rows: foldCalls(calls.data.rows), total: undefined };
  return (
    <>
      <p className="mb-2 flex flex-wrap items-center gap-3 text-soft">
        The ledger sends no events:
        <button type="button" className="control" onClick={() => void calls.refetch()}>
          {calls.isFetching ? 'Reading…' : 'Refresh'}
        </button>
      </p>
      <Table
        label="calls of the agent"
        query={{ ...calls, data: folded }}
        columns={callColumns}
        keyOf={({ event_id }) => event_id}
        empty={<Empty command="npx signalbox connect claude-code --write">No calls under this agent’s id. Connect the agent:</Empty>}
      />
    </>
  );
}
