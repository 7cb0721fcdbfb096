/** What could not be delivered: events to subscribers, notices to people. */
import type { InboxItem } from '../../../../contracts/inbox.ts';
import { useAct } from '../../api/act.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Facts } from '../../ui/Page.tsx';
import { Id, Json } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';
import { readInboxAgain } from './again.ts';

export function Undelivered({ item }: { item: InboxItem }) {
  const data = item.data as { subscription_id: string; event_id: string; subject: string | null; attempts: number; status: string };
  const retry = useAct('event.delivery.retry', readInboxAgain);
  return (
    <div className="grid min-w-0 gap-3 pb-4">
      <p role="status" className="px-4 pt-4">
        <Aspect is={item.open ? 'stop' : 'clear'}>{item.open ? 'The subscriber did not accept it.' : `It is ${data.status}.`}</Aspect>
      </p>
      <Facts
        rows={[
          ['Event', item.title],
          ['About', data.subject && <Outside text={data.subject} />],
          ['Subscriber', <Outside text={item.who ?? ''} />],
          ['Last error', item.note && <Outside text={item.note} most={2_000} />],
          ['Attempts', data.attempts],
          ['Since', <Age at={item.since} suffix="" />],
          ['Subscription', <Id>{data.subscription_id}</Id>],
        ]}
      />
      {item.open && (
        <div className="flex flex-wrap gap-3 px-4">
          <ActButton tool="event.delivery.retry" act={retry} args={() => ({ delivery_id: item.id })}>
            Send it again
          </ActButton>
          <ActButton tool="event.delivery.retry" act={retry} args={() => ({ subscription_id: data.subscription_id })}>
            Send all events of this subscriber again
          </ActButton>
        </div>
      )}
      <div className="px-4">
        <Outcome act={retry}>It is being sent again.</Outcome>
      </div>
    </div>
  );
}

export function Notice({ item }: { item: InboxItem }) {
  const data = item.data as { channel: string; attempts: number; status: string; error_code: string | null; body: string };
  const retry = useAct('notification.message.retry', readInboxAgain);
  return (
    <div className="grid min-w-0 gap-3 pb-4">
      <p className="px-4 pt-4 font-semibold">
        <Outside text={item.title} />
      </p>
      <p role="status" className="px-4">
        <Aspect is={item.open ? 'stop' : 'clear'}>
          {data.status === 'failed'
            ? 'It was not delivered.'
            : data.status === 'unknown'
              ? 'Whether it arrived is unknown. If you send it again, it may arrive twice.'
              : `It is ${data.status}.`}
        </Aspect>
      </p>
      <Facts
        rows={[
          ['To', <Outside text={item.who ?? ''} />],
          ['By', data.channel],
          ['Error', item.note && <Outside text={item.note} most={2_000} />],
          ['Attempts', data.attempts],
          ['Since', <Age at={item.since} suffix="" />],
        ]}
      />
      <div className="px-4">
        <Json value={data.body} label="message" />
      </div>
      <div className="grid gap-3 px-4">
        {item.open && (
          <ActButton
            tool="notification.message.retry"
            act={retry}
            args={() => ({ notification_id: item.id })}
            className="justify-self-start"
          >
            Send it again
          </ActButton>
        )}
        <Outcome act={retry}>It was sent.</Outcome>
      </div>
    </div>
  );
}
