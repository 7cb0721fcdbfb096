import { useState } from 'react';
import type { Subscription } from '../../../../contracts/outbound/subscriptions.ts';
import { useAct } from '../../api/act.ts';
import { ActButton, Outcome, useMay } from '../../ui/Act.tsx';
import { Select, TextField } from '../../ui/Field.tsx';
import { Panel } from '../../ui/Panel.tsx';

const channels = ['webhook', 'slack', 'email'] as const;

/** A new subscription. Addresses of webhooks give access: they are kept in no storage of the browser. */
export function Subscribe({ onDone }: { onDone: (id: string) => void }) {
  const [to, setTo] = useState<(typeof channels)[number]>('webhook');
  const [address, setAddress] = useState('');
  const [types, setTypes] = useState('');
  const [description, setDescription] = useState('');
  const [links, setLinks] = useState(false);
  const may = useMay();
  // Alerts alone carry links, and only who decides about calls may have them decided so.
  const offered = to !== 'webhook' && may('approval.request.approve') !== 'deny';
  const save = useAct('event.subscription.save', ({ data }) => {
    setAddress('');
    setTypes('');
    setDescription('');
    onDone((data as { subscription: Subscription }).subscription.subscription_id);
  });
  const wanted = () => ({
    ...(to === 'webhook' ? { target: 'webhook', url: address.trim() } : { target: 'notification', channel: to, recipient: address.trim() }),
    types: types.split(/[\s,]+/).filter(Boolean),
    description: description.trim(),
    ...(offered && links ? { approve_links: true } : {}),
  });
  return (
    <Panel title="Subscribe to events">
      {() => (
        <div className="grid gap-3 p-4">
          <Select
            label="To"
            value={to}
            onChange={setTo}
            options={[
              ['webhook', 'a webhook, signed'],
              ['slack', 'a Slack channel'],
              ['email', 'an e-mail address'],
            ]}
          />
          <TextField
            label={to === 'webhook' ? 'Address (https)' : to === 'slack' ? 'Channel' : 'E-mail'}
            value={address}
            onChange={setAddress}
          />
          <TextField label="Types of events" value={types} onChange={setTypes} hint="E.g. approval.requested, dlq.item_added; none: all." />
          <TextField label="Purpose" value={description} onChange={setDescription} />
          {offered && (
            <label className="hit gap-2">
              <input type="checkbox" className="size-4" checked={links} onChange={({ target }) => setLinks(target.checked)} />
              Alerts about waiting calls carry a link that decides without signing in
            </label>
          )}
          <div>
            <ActButton tool="event.subscription.save" act={save} disabled={address.trim() === ''} args={wanted}>
              Subscribe
            </ActButton>
          </div>
          <Outcome act={save} />
        </div>
      )}
    </Panel>
  );
}
