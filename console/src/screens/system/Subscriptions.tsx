import type { Subscription } from '../../../../contracts/outbound/subscriptions.ts';
import { usePages } from '../../api/call.ts';
import { useMay } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Split } from '../../ui/Page.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { Age } from '../../ui/Time.tsx';
import { aspectOf } from './model.ts';
import { SubscriptionRecord } from './Subscription.tsx';
import { Subscribe } from './Subscribe.tsx';

const rows = ({ subscriptions }: { subscriptions: Subscription[] }) => subscriptions;

const columns: Column<Subscription>[] = [
  {
    title: 'To',
    cell: ({ target, url, channel, recipient }) => (
      <span>
        <Outside text={target === 'webhook' ? (url ?? 'webhook') : `${channel} ${recipient ?? ''}`} most={80} />
      </span>
    ),
  },
  {
    title: 'State',
    cell: ({ status, failing_since }) =>
      failing_since && status === 'active' ? <Aspect is="caution">failing</Aspect> : <Aspect is={aspectOf(status)}>{status}</Aspect>,
  },
  { title: 'Dead', cell: ({ dead_letters }) => dead_letters || '' },
  { title: 'Events', cell: ({ types }) => (types.length === 0 ? 'all' : types.length), wide: true },
  { title: 'Delivered', cell: ({ delivered }) => delivered.toLocaleString('en'), wide: true },
  { title: 'Last', cell: ({ last_delivered_at }) => last_delivered_at && <Age at={last_delivered_at} />, wide: true },
  { title: 'For', cell: ({ description }) => <Outside text={description} most={80} />, wide: true },
];

/** The subscriptions to events, and whether deliveries arrive. */
export function Subscriptions({ id, onOpen }: { id: string; onOpen: (id: string) => void }) {
  const list = usePages('event.subscription.list', {}, rows);
  const may = useMay();
  const open = list.data?.rows.find(({ subscription_id }) => subscription_id === id);
  return (
    <Split
      onBack={() => onOpen('')}
      list={
        <div className="grid gap-4">
          <div className="card">
            <Table
              label="subscriptions"
              query={list}
              columns={id ? columns.slice(0, 3) : columns}
              keyOf={({ subscription_id }) => subscription_id}
              open={id}
              onOpen={({ subscription_id }) => onOpen(subscription_id)}
              empty={
                <Empty>No subscriptions yet. A subscription delivers events to a webhook, a Slack channel or an e-mail address.</Empty>
              }
            />
          </div>
          {may('event.subscription.save') !== 'deny' && <Subscribe onDone={onOpen} />}
        </div>
      }
      detail={
        id === '' || !list.data ? null : open ? (
          <SubscriptionRecord key={id} one={open} onGone={() => onOpen('')} />
        ) : (
          <Panel title="Subscription">{() => <Empty>There is no subscription {id} any longer.</Empty>}</Panel>
        )
      }
    />
  );
}
