import { useState } from 'react';
import { Outside } from './Outside.tsx';

/** Entries that are shown of a list or an object, until somebody asks for more. */
const most = 50;

/** A value as a tree that opens and closes. Only what is open is in the page. */
export function Tree({ value, name, depth = 0 }: { value: unknown; name?: string; depth?: number }) {
  const [open, setOpen] = useState(depth < 2);
  const [all, setAll] = useState(false);
  const label =
    name === undefined ? null : (
      <span className="text-soft">
        <Outside text={name} />:{' '}
      </span>
    );
  if (value === null || typeof value !== 'object') {
    return (
      <p className="font-mono text-xs whitespace-pre-wrap">
        {label}
        <Outside text={typeof value === 'string' ? value : String(JSON.stringify(value))} most={2_000} />
      </p>
    );
  }
  const entries: (readonly [string, unknown])[] = Array.isArray(value) ? value.map((one, i) => [String(i), one]) : Object.entries(value);
  const count = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  if (entries.length === 0) {
    return (
      <p className="font-mono text-xs">
        {label}
        {Array.isArray(value) ? '[]' : '{}'}
      </p>
    );
  }
  return (
    <div className="font-mono text-xs">
      <button type="button" className="hit gap-1 rounded" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span aria-hidden="true" className="text-soft">
          {open ? '−' : '+'}
        </span>
        {label ?? <span className="text-soft">data: </span>}
        <span className="text-soft">{count}</span>
      </button>
      {open && (
        <div className="ml-2 border-l border-line pl-3">
          {(all ? entries : entries.slice(0, most)).map(([key, one]) => (
            <Tree key={key} name={key} value={one} depth={depth + 1} />
          ))}
          {!all && entries.length > most && (
            <button type="button" className="hit rounded px-2 text-route underline" onClick={() => setAll(true)}>
              {entries.length - most} more
            </button>
          )}
        </div>
      )}
    </div>
  );
}
