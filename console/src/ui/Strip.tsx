import { useState, type KeyboardEvent } from 'react';

export interface StripSpan {
  from: string;
  to: string;
  /** Of the strip's height, 0 to 1. Height and colour both differ, so that neither is the only sign. */
  part: number;
  /** The fill. */
  className: string;
  says: string;
}

const [width, height] = [1_440, 32];

/** States over time, one after the other; the arrow keys move from one to the next, and its words are said below. */
export function Strip({ label, since, until, spans }: { label: string; since: string; until: string; spans: StripSpan[] }) {
  const [at, setAt] = useState(spans.length - 1);
  const chosen = Math.min(at, spans.length - 1);
  const begin = Date.parse(since);
  const whole = Math.max(1, Date.parse(until) - begin);
  const place = (time: string): number => ((Date.parse(time) - begin) / whole) * width;
  const move = (event: KeyboardEvent): void => {
    const to = { ArrowLeft: chosen - 1, ArrowRight: chosen + 1, Home: 0, End: spans.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setAt(Math.max(0, Math.min(spans.length - 1, to)));
  };
  return (
    <div role="group" aria-label={label} tabIndex={0} onKeyDown={move} className="rounded">
      <svg role="none" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" className="block h-8 w-full bg-sunk">
        {spans.map(({ from, to, part, className, says }, i) => {
          const [x, end] = [place(from), place(to)];
          return (
            <g key={from} role="img" aria-label={says} onClick={() => setAt(i)}>
              {/* The whole height can be hit. */}
              <rect x={x} y={0} width={Math.max(1, end - x)} height={height} fill="transparent" />
              <rect
                x={x}
                y={height - height * part}
                width={Math.max(1, end - x)}
                height={height * part}
                className={`${className} ${i === chosen ? '' : 'opacity-70'}`}
              />
              {i === chosen && <rect x={x} y={0} width={Math.max(3, end - x)} height={3} className="fill-route" />}
            </g>
          );
        })}
      </svg>
      <p role="status" className="pt-1">
        {spans[chosen]?.says ?? 'No data for this time.'}
      </p>
    </div>
  );
}
