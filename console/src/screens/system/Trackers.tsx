import type { Tracker } from '../../../../contracts/work/trackers.ts';
import { useRead } from '../../api/call.ts';
import { useMay } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Split } from '../../ui/Page.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { here, Table, type Column } from '../../ui/Table.tsx';
import { Age } from '../../ui/Time.tsx';
import { Follow } from './Follow.tsx';
import { TrackerRecord } from './Tracker.tsx';

/** Whether its last sync went well. */
const State = ({ one: { status, last, limited_until } }: { one: Tracker }) =>
  status === 'paused' ? (
    <Aspect is="out">paused</Aspect>
  ) : limited_until !== null ? (
    <Aspect is="caution">limited</Aspect>
  ) : last?.error ? (
    <Aspect is="stop">failing</Aspect>
  ) : (
    <Aspect is="clear">{last === null ? 'new' : 'works'}</Aspect>
  );

const columns: Column<Tracker>[] = [
  { title: 'Name', cell: ({ name }) => <Outside text={name} most={80} /> },
  { title: 'State', cell: (one) => <State one={one} /> },
  { title: 'Phase', cell: ({ phase_id: phase }) => phase },
  { title: 'Issues of', cell: ({ kind, repository }) => <Outside text={`${kind} ${repository}`} most={80} />, wide: true },
  { title: 'Last sync', cell: ({ last }) => last && <Age at={last.ended_at} />, wide: true },
];

/** The issue trackers whose issues become tasks, and whether they are in step. */
export function Trackers({ id, onOpen }: { id: string; onOpen: (id: string) => void }) {
  const list = useRead<{ trackers: Tracker[] }>('work.tracker.list');
  const may = useMay();
  return (
    <Split
      onBack={() => onOpen('')}
      list={
        <div className="grid gap-4">
          <Panel title="Issue trackers" query={list}>
            {({ trackers }) => (
              <Table
                label="issue trackers"
                query={here(trackers)}
                columns={id ? columns.slice(0, 3) : columns}
                keyOf={({ tracker_id }) => tracker_id}
                open={id}
                onOpen={({ tracker_id }) => onOpen(tracker_id)}
                empty={<Empty>No tracker yet. A tracker makes tasks of issues in GitHub, GitLab, Jira or Linear.</Empty>}
              />
            )}
          </Panel>
          {may('work.tracker.save') !== 'deny' && <Follow onDone={onOpen} />}
        </div>
      }
      detail={
        id === '' || !list.data ? null : (
          <Detail key={id} one={list.data.trackers.find(({ tracker_id }) => tracker_id === id)} id={id} onGone={() => onOpen('')} />
        )
      }
    />
  );
}

const Detail = ({ one, id, onGone }: { one: Tracker | undefined; id: string; onGone: () => void }) =>
  one ? (
    <TrackerRecord one={one} onGone={onGone} />
  ) : (
    <Panel title="Issue tracker">{() => <Empty>There is no tracker {id} any longer.</Empty>}</Panel>
  );
