import { useSyncExternalStore } from 'react';
import { Signal } from '../api/signals.ts';
import { settings, useStore } from '../settings.ts';

/** One clock for all relative times. */
const tick = new Signal();
let now = Date.now();
window.setInterval(() => {
  now = Date.now();
  tick.fire();
}, 1_000);
/** The time to the given number of seconds: a component is rendered again when that changes. */
export const useNow = (everySeconds = 1): number =>
  useSyncExternalStore(
    (listener) => tick.on(listener),
    () => now - (now % (everySeconds * 1_000)),
  );

const units: [name: string, seconds: number][] = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
];

/** `3 min`, `12 s`. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(Math.abs(ms) / 1000));
  const unit = units.find(([, size]) => seconds >= size);
  return unit ? `${Math.floor(seconds / unit[1])} ${unit[0]}` : `${seconds} s`;
}

/** `12:04:11`, in the chosen zone. */
export const clock = (at: number | string, utc: boolean): string =>
  new Date(at).toLocaleTimeString('en-GB', utc ? { timeZone: 'UTC' } : {});

/** How long ago, with the moment itself as tooltip. */
export function Age({ at, suffix = ' ago' }: { at: string | number; suffix?: string }) {
  useStore(settings.utc);
  const time = new Date(at);
  const left = time.getTime() - useNow(5);
  const text = left > 5_000 ? `in ${span(left)}` : -left < 10_000 ? 'just now' : `${span(left)}${suffix}`;
  return (
    <time dateTime={time.toISOString()} title={`${time.toISOString()} · here ${time.toLocaleString()}`} className="whitespace-nowrap">
      {text}
    </time>
  );
}

export function Clock({ at }: { at: string | number }) {
  const utc = useStore(settings.utc);
  return (
    <time dateTime={new Date(at).toISOString()} title={new Date(at).toISOString()} className="whitespace-nowrap font-mono text-xs">
      {clock(at, utc)}
    </time>
  );
}

/** `23 Nov, 16:52`: the strip is of two days. */
export const moment = (at: string, utc: boolean): string =>
  new Date(at).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    ...(utc ? { timeZone: 'UTC' } : {}),
  });
