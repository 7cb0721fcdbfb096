import { useMemo, useState } from 'react';
import type { HistoryEntry, RunningLease } from '../../../../contracts/work/history.ts';
import { Outside } from '../../ui/Outside.tsx';
import { Picture } from '../../ui/Text.tsx';
import { Clock, span, useNow } from '../../ui/Time.tsx';
import { axisOf, pictureOf, tableOf, wordsOf, type LeaseBar } from './timeline.ts';
import { counted } from '../../ui/words.ts';

export interface CallMark {
  id: string;
  at: number;
  tool: string;
  failed: boolean;
}

/** More marks are not drawn; the table has them. */
const mostMarks = 500;
const lanes = { state: 26, lease: 62, call: 104, decision: 136 };
const colours: Record<HistoryEntry['status'], string> = {
  blocked: 'text-caution',
  ready: 'text-proceed',
  in_progress: 'text-token',
  review: 'text-caution',
  done: 'text-proceed',
  failed: 'text-stop',
};

/** Lanes of state, lease, calls and decisions. Arrow keys go from entry to entry, `+` and `-` zoom. */
export function Timeline({
  entries,
  lease,
  calls,
  show,
}: {
  /** Oldest first. */
  entries: HistoryEntry[];
  lease: RunningLease | null;
  calls: CallMark[];
  show: string;
}) {
  const now = useNow(5);
  const [zoom, setZoom] = useState(1);
  const [at, setAt] = useState<string | null>(null);
  const shown = useMemo(() => entries.slice(-mostMarks), [entries]);
  const picture = useMemo(() => pictureOf(shown, lease, now), [shown, lease, now]);
  const axis = useMemo(() => axisOf(picture.times), [picture.times]);
  const width = Math.max(680, Math.min(picture.marks.length * 60, 4_000)) * zoom;
  const x = (time: number): number => 60 + axis.place(time) * (width - 90);
  const first = picture.times[0] ?? 0;
  const visible = calls.filter((call) => call.at >= first);
  const index = at === null ? -1 : picture.marks.findIndex(({ id }) => id === at);
  const chosen = entries.find(({ id }) => id === at);
  const step = (by: number): void => {
    const next =
      picture.marks[Math.max(0, Math.min(picture.marks.length - 1, index < 0 && by < 0 ? picture.marks.length - 1 : index + by))];
    if (next) setAt(next.id);
  };
  const on = (lane: 'lease' | 'decisions' | 'calls'): boolean => show === 'all' || show === lane;
  return (
    <Picture
      title="Timeline"
      description={`${counted(entries.length, 'entry', 'entries')}; ${counted(picture.leases.length, 'lease')}. Arrow keys step, + and - zoom.`}
      table={tableOf(entries)}
    >
      <div className="mb-1 flex flex-wrap gap-2">
        {(
          [
            ['Earlier', () => step(-1)],
            ['Later', () => step(1)],
            ['Zoom in', () => setZoom(Math.min(8, zoom * 1.5))],
            ['Zoom out', () => setZoom(Math.max(1, zoom / 1.5))],
          ] as const
        ).map(([name, run]) => (
          <button key={name} type="button" className="control" onClick={run}>
            {name}
          </button>
        ))}
      </div>
      <div
        tabIndex={0}
        role="group"
        aria-label="Timeline, arrow keys step"
        className="overflow-x-auto rounded-card border border-line"
        onKeyDown={(event) => {
          const keys: Record<string, () => void> = {
            ArrowLeft: () => step(-1),
            ArrowRight: () => step(1),
            '+': () => setZoom(Math.min(8, zoom * 1.5)),
            '-': () => setZoom(Math.max(1, zoom / 1.5)),
          };
          const run = keys[event.key];
          if (!run) return;
          event.preventDefault();
          event.stopPropagation();
          run();
        }}
      >
        <svg
          width={width}
          height="168"
          role="img"
          aria-label={`Timeline of ${counted(entries.length, 'entry', 'entries')}`}
          className="block"
        >
          {(['state', 'lease', 'call', 'decision'] as const).map((lane) => (
            <text key={lane} x="6" y={lanes[lane] + 4} className="fill-soft text-xs">
              {lane === 'call' ? 'calls' : lane === 'decision' ? 'decisions' : lane}
            </text>
          ))}
          {axis.pauses.map(({ at: place, ms }) => (
            <g key={place} className="text-soft">
              <path d={`M${60 + place * (width - 90)} 8v146`} stroke="currentColor" strokeDasharray="1 5" />
              <text x={60 + place * (width - 90)} y="163" textAnchor="middle" className="fill-soft text-xs">
                {span(ms)} pause
              </text>
            </g>
          ))}
          {show === 'all' &&
            picture.states.map(({ status, from, to }) => (
              <g key={`${from}-${status}`} className={colours[status]}>
                <rect
                  x={x(from)}
                  y={lanes.state - 5}
                  width={Math.max(2, x(to) - x(from) - 2)}
                  height="10"
                  fill="currentColor"
                  fillOpacity="0.25"
                  stroke="currentColor"
                />
                {x(to) - x(from) > 60 && (
                  <text x={x(from) + 4} y={lanes.state - 9} className="fill-soft text-xs">
                    {status.replace('_', ' ')}
                  </text>
                )}
              </g>
            ))}
          {on('lease') && picture.leases.map((bar) => <Bar key={`${bar.from}`} bar={bar} x={x} now={now} />)}
          {on('calls') &&
            visible.map(({ id, at: time, failed, tool }) => (
              <path key={id} d={`M${x(time)} ${lanes.call - 7}v14`} stroke="currentColor" className={failed ? 'text-stop' : 'text-route'}>
                <title>{tool}</title>
              </path>
            ))}
          {picture.marks.map((mark) => {
            if (mark.lane === 'refusal') {
              const cx = x(mark.at);
              return on('lease') ? (
                <path
                  key={mark.id}
                  data-refusal={mark.id}
                  d={`M${cx - 5} ${lanes.lease - 19}l10 10m0 -10l-10 10`}
                  stroke="currentColor"
                  strokeWidth="2.5"
                  className="text-stop"
                />
              ) : null;
            }
            return mark.lane === 'decision' && on('decisions') ? (
              <rect
                key={mark.id}
                x={x(mark.at) - 4}
                y={lanes.decision - 4}
                width="8"
                height="8"
                transform={`rotate(45 ${x(mark.at)} ${lanes.decision})`}
                className="fill-ink"
              />
            ) : null;
          })}
          {index >= 0 && <path d={`M${x(picture.marks[index]!.at)} 4v152`} stroke="currentColor" strokeWidth="2" className="text-route" />}
        </svg>
      </div>
      <p role="status" className="mt-2 min-h-10">
        {chosen && (
          <>
            <Clock at={chosen.refused?.last_at ?? chosen.at} /> <strong>{wordsOf(chosen).what}</strong>{' '}
            {chosen.fencing_token !== null && !chosen.refused && `(token ${chosen.fencing_token}) `}
            <Outside text={wordsOf(chosen).detail} most={500} />
          </>
        )}
      </p>
      {entries.length > mostMarks && <p className="text-soft">The last {mostMarks} entries are drawn; the table has all that were read.</p>}
    </Picture>
  );
}

/** A lease: its token in a lozenge, its rest dashed, heartbeats as ticks, its end as a joint. */
function Bar({ bar, x, now }: { bar: LeaseBar; x: (at: number) => number; now: number }) {
  const [from, to] = [x(bar.from), Math.max(x(bar.from) + 3, x(bar.to))];
  const y = lanes.lease;
  const beat = bar.heartbeats;
  const label = `token ${bar.token ?? 'of its holder'}, ${bar.agent}: ${bar.end}`;
  return (
    <g className="text-token" data-lease={bar.token ?? ''}>
      <title>{label}</title>
      <rect x={from} y={y - 5} width={to - from} height="10" fill="currentColor" fillOpacity="0.3" stroke="currentColor" />
      {bar.running && bar.expires !== null && bar.expires > now && (
        <path d={`M${to} ${y}H${x(bar.expires)}`} stroke="currentColor" strokeWidth="2" strokeDasharray="4 4" />
      )}
      {beat &&
        [Date.parse(beat.first_at), Date.parse(beat.last_at)].map((time, i) => (
          <path key={i} d={`M${x(time)} ${y - 9}v18`} stroke="currentColor" strokeWidth="1.5" />
        ))}
      {!bar.running && <path d={`M${to} ${y - 10}v20`} stroke="currentColor" strokeWidth="2.5" />}
      {bar.token !== null && (
        <>
          <rect
            x={from - 9}
            y={y - 9}
            width="18"
            height="18"
            transform={`rotate(45 ${from} ${y})`}
            className="fill-panel"
            stroke="currentColor"
            strokeWidth="1.5"
          />
          <text x={from} y={y + 4} textAnchor="middle" className="fill-ink text-xs">
            {bar.token}
          </text>
        </>
      )}
      <text x={from + 14} y={y + 22} className="fill-soft text-xs">
        {to - from > 40 ? bar.agent.slice(0, Math.max(3, Math.floor((to - from) / 7))) : ''}
      </text>
    </g>
  );
}
