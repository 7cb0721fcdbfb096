import { useState } from 'react';
import type { SyncCounts, Tracker } from '../../../../contracts/work/trackers.ts';
import { useAct } from '../../api/act.ts';
import { ActButton, Outcome, useMay } from '../../ui/Act.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Facts } from '../../ui/Page.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Id } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';
import { counted } from '../../ui/words.ts';

/** What one sync did, in words. */
export function didOf({ imported, changed, comments, written, pulls, left }: SyncCounts): string {
  const parts = [
    imported > 0 && `${counted(imported, 'issue')} imported`,
    changed > 0 && `${counted(changed, 'task')} changed`,
    comments > 0 && `${counted(comments, 'comment')} read`,
    written > 0 && `${counted(written, 'comment')} written`,
    left > 0 && `${counted(left, 'issue')} left or came back`,
    pulls > 0 && `${counted(pulls, 'pull request')} opened or ended`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'nothing new' : parts.join(', ');
}

/** What `work.tracker.save` needs to leave a tracker as it is. */
const same = ({ tracker_id, name, kind, base_url, repository, filter, phase_id, close_done, every_minutes, status }: Tracker) => ({
  tracker_id,
  name,
  kind,
  base_url,
  repository,
  filter,
  phase_id,
  close_done,
  every_minutes,
  paused: status === 'paused',
});

/** One tracker: what its last sync did, why it failed, and their remedies. */
export function TrackerRecord({ one, onGone }: { one: Tracker; onGone: () => void }) {
  const args = () => ({ tracker_id: one.tracker_id });
  const sync = useAct('work.tracker.sync');
  const pause = useAct('work.tracker.save');
  const remove = useAct('work.tracker.remove', onGone);
  const { last, limited_until: limited, filter } = one;
  const done = sync.state.is === 'done' ? (sync.state.answer.data as { finished: boolean; tracker: Tracker }) : null;
  return (
    <Panel title="Issue tracker">
      {() => (
        <div className="grid gap-3 pb-4">
          <Facts
            rows={[
              ['Id', <Id>{one.tracker_id}</Id>],
              ['Issues of', <Outside text={`${one.kind} ${one.repository}`} />],
              ['At', <Outside text={one.base_url} />],
              [
                'Filter',
                filter.labels.length === 0 && !filter.assignee ? (
                  'every open issue'
                ) : (
                  <Outside
                    text={[...filter.labels.map((label) => `label ${label}`), filter.assignee && `assigned to ${filter.assignee}`]
                      .filter(Boolean)
                      .join(', ')}
                  />
                ),
              ],
              ['Phase', one.phase_id],
              ['Done tasks', one.close_done ? 'close their issue' : 'leave their issue open'],
              ['Every', counted(one.every_minutes, 'minute')],
              last !== null && [
                'Last sync',
                <>
                  <Age at={last.ended_at} />: {didOf(last)}
                </>,
              ],
              last?.error != null && ['Failed because', <Outside text={last.error} />],
              limited !== null && [
                'Limited',
                <>
                  calls go on <Age at={limited} />
                </>,
              ],
              [
                'Created',
                <>
                  by <Outside text={one.created_by} most={60} />
                </>,
              ],
            ]}
          />
          <div className="flex flex-wrap gap-3 px-4">
            <ActButton tool="work.tracker.sync" act={sync} args={args}>
              Sync now
            </ActButton>
            <ActButton tool="work.tracker.save" act={pause} args={() => ({ ...same(one), paused: one.status === 'active' })}>
              {one.status === 'active' ? 'Pause' : 'Resume'}
            </ActButton>
            <ActButton
              tool="work.tracker.remove"
              act={remove}
              args={args}
              confirm={{ title: 'Remove this tracker?', text: <p>Its token is forgotten. Its tasks and issues stay as they are.</p> }}
            >
              Remove
            </ActButton>
          </div>
          <div className="grid gap-2 px-4">
            <Outcome act={sync}>
              {done && (done.finished ? `The sync has ended: ${didOf(done.tracker.last!)}.` : 'The sync is under way.')}
            </Outcome>
            <Outcome act={pause} />
            <Outcome act={remove} />
          </div>
          <NewToken one={one} />
        </div>
      )}
    </Panel>
  );
}

function NewToken({ one }: { one: Tracker }) {
  const may = useMay();
  const [token, setToken] = useState('');
  const save = useAct('work.tracker.save', () => setToken(''));
  if (may('work.tracker.save') === 'deny') return null;
  return (
    <div className="grid gap-3 px-4">
      <TextField label="New token" type="password" value={token} onChange={setToken} hint="It is tried, stored sealed, and never shown." />
      <div>
        <ActButton
          tool="work.tracker.save"
          act={save}
          disabled={token.trim().length < 8}
          args={() => ({ ...same(one), token: token.trim() })}
        >
          Replace the token
        </ActButton>
      </div>
      <Outcome act={save}>The new token works.</Outcome>
    </div>
  );
}
