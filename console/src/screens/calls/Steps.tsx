import { Link } from '@tanstack/react-router';
import type { CallStep } from '../../../../contracts/governance/calls.ts';
import { Outside } from '../../ui/Outside.tsx';
import { Picture } from '../../ui/Text.tsx';
import { useNow } from '../../ui/Time.tsx';
import { duration, waterfallOf, type Bar } from './model.ts';
import { counted } from '../../ui/words.ts';

const colours: Record<CallStep['kind'], string> = { call: 'fill-route', wait: 'fill-caution', run: 'fill-token', job: 'fill-proceed' };
const kinds: Record<CallStep['kind'], string> = { call: 'call', wait: 'wait', run: 'run', job: 'job' };

/** Calls, waits, runs and jobs on one axis, by their start. */
export function Steps({ steps, own }: { steps: CallStep[]; own: string }) {
  const now = useNow(5);
  const { bars, ms } = waterfallOf(steps, now);
  return (
    <div className="p-4">
      <Picture
        title="Time breakdown"
        description={`${counted(bars.length, 'step')} in ${duration(ms)}: calls of the trace, waiting times for people, and jobs.`}
        table={{
          head: ['Kind', 'Step', 'Started', 'Duration', 'Outcome'],
          rows: bars.map((bar) => [
            kinds[bar.kind],
            bar.name,
            bar.started_at,
            bar.ended_at === null ? 'not over' : duration(bar.ms),
            ended(bar),
          ]),
        }}
      >
        <ol className="mt-3 grid gap-2">
          {bars.map((bar) => (
            <li key={`${bar.kind} ${bar.id}`} className="grid gap-x-3 sm:grid-cols-[14rem_minmax(0,1fr)_6rem]">
              <span className={`min-w-0 ${bar.id === own ? 'font-semibold' : ''}`}>
                <span className="text-xs text-soft">{kinds[bar.kind]} </span>
                <Name bar={bar} own={own} />
              </span>
              <svg width="100%" height="20" aria-hidden="true" className="bg-sunk">
                <rect
                  x={`${bar.left}%`}
                  y="4"
                  width={`${Math.min(bar.width, 100 - bar.left)}%`}
                  height="12"
                  className={bar.error_code ? 'fill-stop' : colours[bar.kind]}
                />
              </svg>
              <span className="text-soft">
                {bar.ended_at === null ? 'not over' : duration(bar.ms)}
                {bar.error_code && <span className="block text-stop">{bar.error_code}</span>}
              </span>
            </li>
          ))}
        </ol>
      </Picture>
    </div>
  );
}

const ended = ({ ended_at, error_code, status }: Bar): string => error_code ?? status ?? (ended_at === null ? 'not over' : '');

function Name({ bar, own }: { bar: Bar; own: string }) {
  const name = <Outside text={bar.name} most={80} />;
  if (bar.kind === 'call' && bar.id !== own) {
    return (
      <Link to={`/console/calls/${bar.id}`} className="hit">
        {name}
      </Link>
    );
  }
  if (bar.url !== null) {
    return (
      <a href={bar.url} className="hit">
        {name}
      </a>
    );
  }
  return name;
}
