import type { PresenceSpan, PresenceState } from '../../../../contracts/agents/past.ts';
import { useRead } from '../../api/call.ts';
import { settings, useStore } from '../../settings.ts';
import { Aspect } from '../../ui/Aspect.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Strip } from '../../ui/Strip.tsx';
import { Picture } from '../../ui/Text.tsx';
import { moment, span } from '../../ui/Time.tsx';
import { aspects, presenceRows, shares, words } from './model.ts';
import { percent } from '../../ui/words.ts';

interface Read {
  since: string;
  until: string;
  spans: PresenceSpan[];
}

/** Height and colour both differ, so that neither is the only sign. */
const looks: Record<PresenceState, { part: number; className: string }> = {
  healthy: { part: 1, className: 'fill-proceed' },
  unhealthy: { part: 0.7, className: 'fill-caution' },
  offline: { part: 0.4, className: 'fill-stop' },
  paused: { part: 0.25, className: 'fill-soft' },
  none: { part: 0.12, className: 'fill-edge' },
  absent: { part: 0.04, className: 'fill-line' },
};

/** When the agent was there in the last 24 hours. */
export function Presence({ id }: { id: string }) {
  const strip = useRead<Read>('agent.presence.get', { agent_id: id, hours: 24 });
  const utc = useStore(settings.utc);
  return (
    <Panel title="Presence" query={strip}>
      {({ since, until, spans }) => (
        <div className="grid gap-2 p-4">
          <Picture
            title="Presence over 24 hours"
            description={`From ${moment(since, utc)} to ${moment(until, utc)}, ${utc ? 'UTC' : 'local time'}`}
            table={{ head: ['State', 'From', 'To', 'For', 'Why'], rows: presenceRows(spans, (at) => moment(at, utc), span) }}
          >
            <Strip
              label="Intervals of presence; the arrow keys move"
              since={since}
              until={until}
              spans={spans.map(({ state, from, to, seconds, reason }) => ({
                from,
                to,
                ...looks[state],
                says: `${words[state]} from ${moment(from, utc)} to ${moment(to, utc)}, ${span(seconds * 1_000)}${reason ? `: ${reason.slice(0, 120)}` : ''}`,
              }))}
            />
          </Picture>
          <ul className="flex flex-wrap gap-x-4 gap-y-1">
            {shares(spans).map(({ state, seconds, share }) => (
              <li key={state}>
                <Aspect is={aspects[state]}>
                  {words[state]} {percent(share)} ({span(seconds * 1_000)})
                </Aspect>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Panel>
  );
}
