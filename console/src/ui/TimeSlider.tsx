import { useId } from 'react';

const day = 86_400_000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** A day by slider or by date; empty: now. */
export function TimeSlider({
  label,
  value,
  onChange,
  from,
}: {
  label: string;
  /** `2026-05-04`, or empty. */
  value: string;
  onChange: (value: string) => void;
  /** The earliest day that makes a difference. */
  from: string;
}) {
  const id = useId();
  const today = dayOf(Date.now());
  const first = Math.floor(Date.parse(from < today ? from : today) / day) - 1;
  const last = Math.floor(Date.parse(today) / day);
  const at = value === '' ? last : Math.min(last, Math.max(first, Math.floor(Date.parse(value) / day)));
  const choose = (days: number): void => onChange(days >= last ? '' : dayOf(days * day));
  return (
    <div className="grid min-w-0 gap-1">
      <label htmlFor={id} className="text-soft">
        {label}
      </label>
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <input
          id={id}
          type="range"
          className="hit min-w-24 flex-1 accent-route"
          min={first}
          max={last}
          value={at}
          aria-valuetext={value === '' ? 'now' : value}
          onChange={({ target }) => choose(Number(target.value))}
        />
        <input
          type="date"
          aria-label={`${label}, as date`}
          className="hit rounded-card border border-edge bg-paper px-2"
          max={today}
          value={value}
          onChange={({ target }) => onChange(target.value >= today ? '' : target.value)}
        />
        {value !== '' && (
          <button type="button" className="control" onClick={() => onChange('')}>
            Now
          </button>
        )}
      </div>
    </div>
  );
}
