import { useMemo } from 'react';
import type { DelegatedTask } from '../../../../contracts/agents/delegations.ts';
import { usePages } from '../../api/call.ts';
import { useMay } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { Filters, FilterText, Select } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Page, Split } from '../../ui/Page.tsx';
import { Empty, NoMatch, NoRight } from '../../ui/Panel.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { Age } from '../../ui/Time.tsx';
import { useUrl } from '../../url.ts';
import { Delegation } from './Delegation.tsx';
import { aspects, isOpen, keyOf, progressText, readKey, statuses } from './model.ts';

const defaults = { direction: '', status: '', agent: '', id: '' };
const rows = ({ tasks }: { tasks: DelegatedTask[] }) => tasks;

const columns: Column<DelegatedTask>[] = [
  {
    title: 'Task',
    cell: (task) => (
      <>
        <Outside text={task.capability_name} most={80} />
        <span className="block text-xs text-soft">
          {task.direction === 'sent' ? 'to ' : 'from '}
          <Outside text={task.direction === 'sent' ? task.target_agent : task.source_agent} most={80} />
        </span>
      </>
    ),
  },
  {
    title: 'Status',
    className: 'min-w-28',
    cell: (task) => (
      <>
        <span className="whitespace-nowrap">
          <Aspect is={aspects[task.status]}>{task.status}</Aspect>
        </span>
        {isOpen(task) && progressText(task) && (
          <span className="block text-xs text-soft">
            <Outside text={progressText(task)} most={80} />
          </span>
        )}
      </>
    ),
  },
  {
    title: 'Deadline',
    className: 'whitespace-nowrap',
    cell: (task) => (isOpen(task) ? <Age at={task.deadline} /> : <span className="text-soft">ended</span>),
  },
  { title: 'Direction', wide: true, className: 'whitespace-nowrap', cell: (task) => task.direction },
  { title: 'Priority', wide: true, className: 'whitespace-nowrap', cell: (task) => task.priority },
  { title: 'Created', wide: true, cell: (task) => <Age at={task.created_at} /> },
];

/** Tasks handed to agents elsewhere, and taken from them. */
export default function Delegations() {
  const [url, set, type] = useUrl(defaults);
  const may = useMay()('agent.task.list') !== 'deny';
  const args = useMemo(
    () => ({
      ...(url.direction ? { direction: url.direction } : {}),
      ...(url.status ? { status: url.status } : {}),
      ...(url.agent ? { agent: url.agent } : {}),
    }),
    [url.direction, url.status, url.agent],
  );
  const tasks = usePages('agent.task.list', args, rows, may);
  const chosen = readKey(url.id);
  if (!may) {
    return (
      <Page title="Delegations">
        <NoRight tool="agent.task.list" scope="agent:read" />
      </Page>
    );
  }
  return (
    <Page title="Delegations">
      <Filters>
        <FilterText label="Agent" placeholder="exact id" value={url.agent} onChange={(agent) => type({ agent })} />
        <Select
          label="Direction"
          value={url.direction}
          onChange={(direction) => set({ direction })}
          options={[
            ['', 'both'],
            ['sent', 'sent to others'],
            ['received', 'received from others'],
          ]}
        />
        <Select label="Status" value={url.status} onChange={(status) => set({ status })} options={['', ...statuses]} />
      </Filters>
      <Split
        onBack={() => set({ id: '' })}
        list={
          <Table
            label="delegated tasks"
            query={tasks}
            columns={chosen ? columns.slice(0, 3) : columns}
            keyOf={keyOf}
            open={url.id}
            onOpen={(task) => set({ id: keyOf(task) })}
            empty={
              url.direction || url.status || url.agent ? (
                <NoMatch onClear={() => set({ direction: '', status: '', agent: '' })} />
              ) : (
                <Empty command={`npx signalbox tools call agent.task.delegate '{"capability_name":"summarize","parameters":{}}'`}>
                  No task was delegated to another agent or received from one. To delegate a task:
                </Empty>
              )
            }
          />
        }
        detail={chosen ? <Delegation key={url.id} {...chosen} /> : null}
      />
    </Page>
  );
}
