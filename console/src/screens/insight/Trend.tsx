import { scaleLinear } from 'd3-scale';
import { area, line } from 'd3-shape';
import { useState } from 'react';
import { Picture } from '../../ui/Text.tsx';
import type { Step } from './model.ts';

interface Size {
  width: number;
  height: number;
  left: number;
  bottom: number;
}

function shapes(steps: readonly Step[], { width, height, left, bottom }: Size) {
  const x = scaleLinear([0, Math.max(1, steps.length - 1)], [left, width - 4]);
  const most = Math.max(1, ...steps.flatMap(({ now, before }) => [now, before]));
  const y = scaleLinear([0, most], [height - bottom, 6]).nice(4);
  const at = (_: unknown, i: number): number => x(i);
  return {
    x,
    y,
    ticks: y.ticks(4).filter(Number.isInteger),
    fill: area<Step>(at, height - bottom, ({ now }) => y(now))([...steps]) ?? '',
    now: line<Step>(at, ({ now }) => y(now))([...steps]) ?? '',
    before: line<Step>(at, ({ before }) => y(before))([...steps]) ?? '',
  };
}

/** The course alone; the numbers stand beside it. */
export function Sparkline({ steps }: { steps: readonly Step[] }) {
  const size = { width: 120, height: 28, left: 2, bottom: 2 };
  const { fill, now, before } = shapes(steps, size);
  return (
    <svg viewBox="0 0 120 28" width="120" height="28" aria-hidden="true" className="text-route">
      <path d={fill} fill="currentColor" opacity="0.15" />
      <path d={before} fill="none" stroke="var(--color-soft)" strokeDasharray="3 3" />
      <path d={now} fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  );
}

/** A window beside the one before it (dashed), step by step; arrow keys tell each. */
export function Trend({ title, steps, what = 'statements' }: { title: string; steps: readonly Step[]; what?: string }) {
  const [at, setAt] = useState(steps.length - 1);
  const size = { width: 640, height: 180, left: 36, bottom: 24 };
  const { x, y, ticks, fill, now, before } = shapes(steps, size);
  const here = Math.max(0, Math.min(at, steps.length - 1));
  const step = steps[here];
  const told = step ? `${step.from} to ${step.to}: ${step.now} ${what}, ${step.before} in the window before` : 'Nothing was counted';
  // At most about eight dates fit.
  const every = Math.ceil(steps.length / 8);
  return (
    <Picture
      title={title}
      description={`${what} per step. Dashed: the window before.`}
      table={{ head: ['From', 'To', 'Now', 'Window before'], rows: steps.map(({ from, to, now: n, before: b }) => [from, to, n, b]) }}
    >
      <svg
        viewBox={`0 0 ${size.width} ${size.height}`}
        className="w-full max-w-3xl text-route"
        role="slider"
        tabIndex={0}
        aria-label={title}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, steps.length - 1)}
        aria-valuenow={here}
        aria-valuetext={told}
        onKeyDown={(event) => {
          const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key] ?? 0;
          const to = event.key === 'Home' ? 0 : event.key === 'End' ? steps.length - 1 : here + by;
          if (to === here && by === 0) return;
          event.preventDefault();
          setAt(Math.max(0, Math.min(steps.length - 1, to)));
        }}
        onPointerMove={({ clientX, currentTarget }) => {
          const box = currentTarget.getBoundingClientRect();
          const place = x.invert(((clientX - box.left) / box.width) * size.width);
          setAt(Math.max(0, Math.min(steps.length - 1, Math.round(place))));
        }}
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <path d={`M${size.left} ${y(tick)}H${size.width}`} stroke="var(--color-line)" />
            <text x={size.left - 6} y={y(tick) + 4} textAnchor="end" fontSize="12" fill="var(--color-soft)">
              {tick}
            </text>
          </g>
        ))}
        {steps.map(({ to }, i) => (
          <g key={to}>
            <path d={`M${x(i)} ${size.height - size.bottom}v4`} stroke="var(--color-edge)" />
            {(steps.length - 1 - i) % every === 0 && (
              <text
                x={x(i)}
                y={size.height - 6}
                textAnchor={i === steps.length - 1 ? 'end' : 'middle'}
                fontSize="12"
                fill="var(--color-soft)"
              >
                {to.slice(5)}
              </text>
            )}
          </g>
        ))}
        <path d={fill} fill="currentColor" opacity="0.15" />
        <path d={before} fill="none" stroke="var(--color-soft)" strokeWidth="1.5" strokeDasharray="5 4" />
        <path d={now} fill="none" stroke="currentColor" strokeWidth="2" />
        {step && (
          <>
            <path d={`M${x(here)} 6V${size.height - size.bottom}`} stroke="var(--color-edge)" />
            <circle cx={x(here)} cy={y(step.now)} r="4" fill="currentColor" />
          </>
        )}
      </svg>
      <p className="text-soft" aria-hidden="true">
        {told}
      </p>
    </Picture>
  );
}
