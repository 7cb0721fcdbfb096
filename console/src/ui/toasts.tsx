import { useEffect } from 'react';
import { Store } from '../api/signals.ts';
import { useStore } from '../settings.ts';

const shown = new Store<{ id: number; text: string }[]>([]);
let count = 0;
const staysMs = 6_000;

/** Tells the user something that needs no answer; screen readers read it, too. */
export function toast(text: string): void {
  const id = (count += 1);
  shown.set([...shown.get().slice(-2), { id, text }]);
}

export function Toasts() {
  const list = useStore(shown);
  const oldest = list[0]?.id;
  useEffect(() => {
    if (oldest === undefined) return;
    const timer = window.setTimeout(() => shown.set(shown.get().filter(({ id }) => id !== oldest)), staysMs);
    return () => window.clearTimeout(timer);
  }, [oldest]);
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed right-4 bottom-4 z-20 grid gap-2 peer-data-tray:bottom-16 max-lg:bottom-16 max-sm:left-4 max-lg:peer-data-tray:bottom-32"
    >
      {list.map(({ id, text }) => (
        <p key={id} className="card border-edge px-4 py-2">
          {text}
        </p>
      ))}
    </div>
  );
}
