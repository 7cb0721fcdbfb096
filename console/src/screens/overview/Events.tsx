import { useMemo, useRef, useState } from 'react';
import type { Event } from '../../../../contracts/outbound/events.ts';
import { latest } from '../../api/live.ts';
import { useShortcuts } from '../../keys.ts';
import { useStore } from '../../settings.ts';
import { Outside } from '../../ui/Outside.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Clock } from '../../ui/Time.tsx';

const most = 30;

/** Events as they come, newest first. Paused, the list stays and tells how many have come. */
export function Events() {
  const all = useStore(latest);
  const [held, setHeld] = useState<Event[] | null>(null);
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useShortcuts(useMemo(() => [{ keys: '/', label: 'Filter events', run: () => field.current?.focus() }], []));
  const events = (held ?? all).filter(({ type, subject }) => `${type} ${subject}`.toLowerCase().includes(text.toLowerCase()));
  const missed = held ? all.length - held.length : 0;
  return (
    <Panel
      title="Events"
      aside={
        <button type="button" className="control" aria-pressed={held !== null} onClick={() => setHeld(held ? null : all)}>
          {held ? `Resume${missed > 0 ? ` (${missed} new)` : ''}` : 'Pause'}
        </button>
      }
    >
      {() => (
        <div>
          <label className="flex items-center gap-2 border-b border-line px-4 py-2">
            <span className="text-soft">Filter</span>
            <input
              ref={field}
              value={text}
              onChange={({ target }) => setText(target.value)}
              placeholder="type or subject"
              className="hit min-w-0 flex-1 rounded-card border border-edge bg-paper px-2 placeholder:text-soft"
            />
            <kbd aria-hidden="true" className="font-mono text-xs text-soft max-sm:hidden">
              /
            </kbd>
          </label>
          {events.length === 0 ? (
            <p className="p-4 text-soft">
              {all.length === 0 ? 'No events since this page was opened.' : `None of ${all.length} events matches. `}
              {all.length > 0 && text !== '' && (
                <button type="button" className="hit rounded text-route underline" onClick={() => setText('')}>
                  Clear the filter
                </button>
              )}
            </p>
          ) : (
            <ol aria-label="Events, newest first" className="divide-y divide-line">
              {events.slice(0, most).map((event) => (
                <li key={event.id} className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 px-4 py-1.5">
                  <Clock at={event.occurred_at} />
                  <span className="font-mono text-xs">{event.type}</span>
                  <span className="col-start-2 text-soft">
                    <Outside text={event.subject} most={120} />
                  </span>
                </li>
              ))}
            </ol>
          )}
        </div>
      )}
    </Panel>
  );
}
