import { useNavigate } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { queries } from '../api/queries.ts';
import { signOut, type Facts } from '../api/session.ts';
import { setTheme } from '../settings.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { offered, otherPages } from './Rail.tsx';

interface Entry {
  kind: string;
  title: string;
  run: () => void;
}

/** Screens and actions by their words. Arrow keys choose, Enter goes. */
export function Palette({ facts, open, onClose, openHelp }: { facts: Facts; open: boolean; onClose: () => void; openHelp: () => void }) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const entries = useMemo(
    (): Entry[] => [
      ...offered(facts).map(({ title, path }) => ({ kind: 'Screen', title, run: () => void navigate({ to: path }) })),
      ...otherPages(facts).map(({ title, href }) => ({ kind: 'Page', title, run: () => location.assign(href) })),
      { kind: 'Action', title: 'Refresh all data', run: () => void queries.invalidateQueries() },
      ...(['light', 'dark', 'system'] as const).map((theme) => ({ kind: 'Action', title: `Theme: ${theme}`, run: () => setTheme(theme) })),
      { kind: 'Action', title: 'Keyboard shortcuts', run: openHelp },
      ...(facts.sign_in ? [{ kind: 'Action', title: 'Sign out', run: () => void signOut() }] : []),
    ],
    [facts, navigate, openHelp],
  );
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = entries.filter(({ kind, title }) => words.every((word) => `${kind} ${title}`.toLowerCase().includes(word)));
  const chosen = Math.min(at, found.length - 1);
  const close = (): void => {
    setText('');
    setAt(0);
    onClose();
  };
  const go = (entry: Entry | undefined): void => {
    if (!entry) return;
    close();
    entry.run();
  };
  return (
    <Dialog open={open} onClose={close} title="Go to, do" first={field}>
      <input
        ref={field}
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found[chosen] ? `palette-${chosen}` : undefined}
        aria-label="Search screens and actions"
        className="hit w-full rounded-card border border-edge bg-paper px-3 py-1.5"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step !== undefined) {
            event.preventDefault();
            setAt((chosen + step + found.length) % Math.max(1, found.length));
          } else if (event.key === 'Enter') go(found[chosen]);
        }}
      />
      <ul id="palette-list" role="listbox" aria-label="Found" className="grid">
        {found.map((entry, i) => (
          // The field has the focus; its keys choose among these.
          <li
            key={`${entry.kind} ${entry.title}`}
            id={`palette-${i}`}
            role="option"
            aria-selected={i === chosen}
            className={`hit cursor-pointer justify-between rounded px-3 ${i === chosen ? 'bg-sunk' : ''}`}
            onClick={() => go(entry)}
            onMouseMove={() => setAt(i)}
          >
            {entry.title}
            <span className="text-xs text-soft">{entry.kind}</span>
          </li>
        ))}
      </ul>
      <p role="status" className={found.length > 0 ? 'sr-only' : 'text-soft'}>
        {found.length > 0 ? `${found.length} found` : 'Nothing matches.'}
      </p>
    </Dialog>
  );
}
