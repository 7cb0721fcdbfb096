import { useEffect, useState } from 'react';
import type { Delivery, Subscription } from '../../../../contracts/outbound/subscriptions.ts';
import { useAct } from '../../api/act.ts';
import { ask, usePages } from '../../api/call.ts';
import { ActButton, Outcome, Refusal, useMay } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { Copy } from '../../ui/Copy.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Facts } from '../../ui/Page.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { Id } from '../../ui/Text.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { Age } from '../../ui/Time.tsx';
import { aspectOf } from './model.ts';
import { counted } from '../../ui/words.ts';

/** One subscription: its deliveries, its failures, and their remedies. */
export function SubscriptionRecord({ one, onGone }: { one: Subscription; onGone: () => void }) {
  const id = { subscription_id: one.subscription_id };
  const args = () => id;
  const test = useAct('event.subscription.test');
  const resume = useAct('event.subscription.resume');
  const remove = useAct('event.subscription.remove', onGone);
  const to = one.target === 'webhook' ? one.url : `${one.channel} ${one.recipient ?? ''}`;
  const tried =
    test.state.is === 'done' ? (test.state.answer.data as { arrived: boolean; error: string | null; latency_ms: number }) : null;
  return (
    <>
      <Panel title="Subscription">
        {() => (
          <div className="grid gap-3 pb-4">
            <Facts
              rows={[
                ['Id', <Id>{one.subscription_id}</Id>],
                ['State', <Aspect is={aspectOf(one.status)}>{one.status}</Aspect>],
                one.paused_reason !== null && ['Paused because', <Outside text={one.paused_reason} />],
                ['To', <Outside text={to ?? ''} />],
                ['For', <Outside text={one.description} />],
                ['Events', one.types.length === 0 ? 'all' : one.types.join(', ')],
                one.approve_links && ['Links', 'alerts about waiting calls carry a link that decides without signing in'],
                one.subject !== null && ['About', <Outside text={one.subject} />],
                [
                  'Delivered',
                  `${one.delivered.toLocaleString('en')}${one.missed ? `; ${counted(one.missed, 'was', 'were')} no longer stored` : ''}`,
                ],
                one.last_delivered_at !== null && ['Last', <Age at={one.last_delivered_at} />],
                one.failing_since !== null && [
                  'Failing',
                  <>
                    since <Age at={one.failing_since} suffix="" />, {counted(one.attempts, 'attempt')}
                  </>,
                ],
                one.retry_at !== null && ['Next attempt', <Age at={one.retry_at} />],
                one.last_error !== null && ['Last error', <Outside text={one.last_error} />],
                [
                  'Created',
                  <>
                    by <Outside text={one.created_by} most={60} /> <Age at={one.created_at} />
                  </>,
                ],
              ]}
            />
            <div className="flex flex-wrap gap-3 px-4">
              <ActButton tool="event.subscription.test" act={test} args={args}>
                Send a ping
              </ActButton>
              {(one.status === 'paused' || one.failing_since !== null) && (
                <ActButton tool="event.subscription.resume" act={resume} args={args}>
                  Resume
                </ActButton>
              )}
              <ActButton
                tool="event.subscription.remove"
                act={remove}
                args={args}
                confirm={{
                  title: 'Remove this subscription?',
                  text: <p>No more events are delivered to it, and its undelivered events are deleted.</p>,
                }}
              >
                Remove
              </ActButton>
            </div>
            <div className="grid gap-2 px-4">
              <Outcome act={test}>
                {tried &&
                  (tried.arrived ? (
                    `The ping arrived in ${Math.round(tried.latency_ms)} ms.`
                  ) : (
                    <>
                      The ping did not arrive: <Outside text={tried.error ?? ''} />
                    </>
                  ))}
              </Outcome>
              <Outcome act={resume}>It continues after the last delivered event.</Outcome>
              <Outcome act={remove} />
            </div>
            {one.target === 'webhook' && <Secret id={one.subscription_id} />}
          </div>
        )}
      </Panel>
      {one.dead_letters > 0 && <DeadLetters id={one.subscription_id} />}
    </>
  );
}

/** Shown when it is asked for, and in no store of the page: it is gone with the screen. */
function Secret({ id }: { id: string }) {
  const may = useMay();
  const [secret, setSecret] = useState<string | null>(null);
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => () => setSecret(null), []);
  if (may('event.subscription.get_secret') === 'deny') return null;
  const show = async (): Promise<void> => {
    try {
      const { data } = await ask('event.subscription.get_secret', { subscription_id: id });
      setSecret((data as { secret: string }).secret);
    } catch (caught) {
      setError(caught as Error);
    }
  };
  return (
    <div className="px-4">
      {secret === null ? (
        <button type="button" className="control" onClick={() => void show()}>
          Show the signing secret
        </button>
      ) : (
        <p className="flex flex-wrap items-center gap-2">
          <code className="min-w-0 rounded bg-sunk px-2 py-1 font-mono text-xs">{secret}</code>
          <Copy text={secret} label="Copy the secret" />
          <button type="button" className="control" onClick={() => setSecret(null)}>
            Hide
          </button>
        </p>
      )}
      {error && <Refusal error={error} onClose={() => setError(null)} />}
    </div>
  );
}

const rows = ({ deliveries }: { deliveries: Delivery[] }) => deliveries;
const columns: Column<Delivery>[] = [
  { title: 'Event', cell: ({ event }) => <code className="font-mono text-xs">{event.type}</code> },
  { title: 'About', cell: ({ event }) => <Outside text={event.subject} most={60} /> },
  {
    title: 'Failed',
    cell: ({ first_failed_at, attempts }) => (
      <>
        <Age at={first_failed_at} />, {counted(attempts, 'attempt')}
      </>
    ),
  },
  { title: 'Why', cell: ({ last_error }) => last_error && <Outside text={last_error} most={120} />, wide: true },
];

function DeadLetters({ id }: { id: string }) {
  const list = usePages('event.delivery.list', { subscription_id: id }, rows);
  const retry = useAct('event.delivery.retry');
  return (
    <Panel
      title="Undelivered events"
      aside={
        <ActButton tool="event.delivery.retry" act={retry} args={() => ({ subscription_id: id })}>
          Deliver all again
        </ActButton>
      }
    >
      {() => (
        <>
          <Outcome act={retry}>They are delivered again.</Outcome>
          <Table
            label="undelivered events"
            query={list}
            columns={columns}
            keyOf={({ delivery_id }) => delivery_id}
            empty={<Empty>All events were delivered.</Empty>}
          />
        </>
      )}
    </Panel>
  );
}
