import { useState, type KeyboardEvent } from 'react';
import type { PresenceSpan, PresenceState } from '../../../../contracts/agents/past.ts';
import { useRead } from '../../api/call.ts';
import { settings, useStore } from '../../settings.ts';
import { Aspect } from '../../ui/Aspect.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Picture } from '../../ui/Text.tsx';
import { span } from '../../ui/Time.tsx';
import { aspects, presenceRows, shares, words } from './model.ts';
import { percent } from '../../ui/words.ts';

interface Strip {
  since: string;
  until: string;
  spans: PresenceSpan[];
}

const [width, height] = [1_440, 32];

/** Height and colour both differ, so that neither is the only sign. */
const looks: Record<PresenceState, { part: number; className: string }> = {
  healthy: { part: 1, className: 'fill-proceed' },
  unhealthy: { part: 0.7, className: 'fill-caution' },
  offline: { part: 0.4, className: 'fill-stop' },
  paused: { part: 0.25, className: 'fill-soft' },
  none: { part: 0.12, className: 'fill-edge' },
  absent: { part: 0.04, className: 'fill-line' },
};

/** `23 Nov, 16:52`: the strip is of two days. */
const moment = (at: string, utc: boolean): string =>
  new Date(at).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    ...(utc ? { timeZone: 'UTC' } : {}),
  });

/** When the agent was there in the last 24 hours. */
export function Presence({ id }: { id: string }) {
  const strip = useRead<Strip>('agent.presence.get', { agent_id: id, hours: 24 });
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
            <Drawn since={since} until={until} spans={spans} utc={utc} />
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

function Drawn({ since, until, spans, utc }: Strip & { utc: boolean }) {
  const [at, setAt] = useState(spans.length - 1);
  const chosen = Math.min(at, spans.length - 1);
  const begin = Date.parse(since);
  const whole = Math.max(1, Date.parse(until) - begin);
  const place = (time: string): number => ((Date.parse(time) - begin) / whole) * width;
  const say = ({ state, from, to, seconds, reason }: PresenceSpan): string =>
    `${words[state]} from ${moment(from, utc)} to ${moment(to, utc)}, ${span(seconds * 1_000)}${reason ? `: ${reason.slice(0, 120)}` : ''}`;
  const move = (event: KeyboardEvent): void => {
    const to = { ArrowLeft: chosen - 1, ArrowRight: chosen + 1, Home: 0, End: spans.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setAt(Math.max(0, Math.min(spans.length - 1, to)));
  };
  return (
    <div role="group" aria-label="Intervals of presence; the arrow keys move" tabIndex={0} onKeyDown={move} className="rounded">
      <svg role="none" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" className="block h-8 w-full bg-sunk">
        {spans.map((one, i) => {
          const [x, end] = [place(one.from), place(one.to)];
          const tall = height * looks[one.state].part;
          return (
            <g key={one.from} role="img" aria-label={say(one)} onClick={() => setAt(i)}>
              {/* The whole height can be hit. */}
              <rect x={x} y={0} width={Math.max(1, end - x)} height={height} fill="transparent" />
              <rect
                x={x}
                y={height - tall}
                width={Math.max(1, end - x)}
                height={tall}
                className={`${looks[one.state].className} ${i === chosen ? '' : 'opacity-70'}`}
              />
              {i === chosen && <rect x={x} y={0} width={Math.max(3, end - x)} height={3} className="fill-route" />}
            </g>
          );
        })}
      </svg>
      <p role="status" className="pt-1">
        {spans[chosen] ? say(spans[chosen]) : 'No data for this time.'}
      </p>
    </div>
  );
}
