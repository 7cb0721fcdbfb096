import { useState, type ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import type { Ref } from '../../../contracts/envelope.ts';
import { hasScreen } from '../screens.ts';
import { Copy } from './Copy.tsx';
import { Outside } from './Outside.tsx';

/** An id, that is copied rather than read. */
export const Id = ({ children }: { children: string }) => (
  <span className="inline-flex min-w-0 max-w-full items-center gap-1">
    <code className="min-w-0 truncate font-mono text-xs" title={children}>
      {children}
    </code>
    <Copy text={children} />
  </span>
);

/** Long JSON is cut at this many characters until somebody asks for all of it. */
const previewed = 2_000;

/** A value as JSON, exactly, with invisible characters marked. */
export function Json({ value, label = 'JSON', whole = false }: { value: unknown; label?: string; whole?: boolean }) {
  const [all, setAll] = useState(whole);
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'undefined');
  const cut = !all && text.length > previewed * 1.2;
  return (
    <div>
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        className="max-h-[32rem] overflow-auto rounded bg-sunk p-3 font-mono text-xs whitespace-pre-wrap"
      >
        <Outside text={cut ? text.slice(0, previewed) : text} most={Infinity} />
        {cut && '…'}
      </pre>
      <p className="flex items-center gap-3 text-soft">
        <Copy text={text} label={`Copy ${label}`} />
        {cut && (
          <button type="button" className="hit rounded px-2 text-route underline" onClick={() => setAll(true)}>
            Show all {text.length.toLocaleString('en')} characters
          </button>
        )}
      </p>
    </div>
  );
}

/** A picture and the same numbers as a table. */
export function Picture({
  title,
  description,
  table,
  children,
}: {
  title: string;
  description: string;
  table: { head: string[]; rows: (string | number)[][] };
  children: ReactNode;
}) {
  const [asTable, setAsTable] = useState(false);
  return (
    <figure className="min-w-0" aria-label={title}>
      <div className="flex items-center justify-between gap-3">
        <figcaption className="text-soft">{description}</figcaption>
        <button type="button" className="control shrink-0" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          As table
        </button>
      </div>
      {asTable ? (
        <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={`${title}, as table`}>
          <table className="w-full border-collapse text-left">
            <thead>
              <tr className="border-b border-edge text-soft">
                {table.head.map((name) => (
                  <th key={name} scope="col" className="px-3 py-1.5 font-normal">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.map((row, i) => (
                <tr key={i} className="border-b border-line">
                  {row.map((cell, j) => (
                    <td key={j} className="px-3 py-1.5">
                      {typeof cell === 'string' ? <Outside text={cell} /> : cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        children
      )}
    </figure>
  );
}

/** Where a record of an answer is shown. */
const screensOf: Partial<Record<Ref['type'], (id: string) => string>> = {
  approval: (id) => `/console/inbox?id=${encodeURIComponent(id)}`,
  task: (id) => `/console/work/${encodeURIComponent(id)}`,
  agent: (id) => `/console/agents/${encodeURIComponent(id)}`,
  job: (id) => `/console/jobs?id=${encodeURIComponent(id)}`,
  document: (id) => `/console/documents/${encodeURIComponent(id)}`,
  source: (id) => `/console/sources?id=${encodeURIComponent(id)}`,
  signal: (id) => `/console/signals?id=${encodeURIComponent(id)}`,
  opportunity: (id) => `/console/opportunities/${encodeURIComponent(id)}`,
  draft: (id) => `/console/drafts/${encodeURIComponent(id)}`,
  entity: (id) => `/console/entities/${encodeURIComponent(id)}`,
  brief: (id) => `/console/briefs?id=${encodeURIComponent(id)}`,
};

/** A link to a record, if there is a screen for it. */
export function RecordLink({ type, id, children }: { type: Ref['type']; id: string; children?: ReactNode }) {
  const path = screensOf[type]?.(id);
  const text = children ?? <code className="font-mono text-xs">{id}</code>;
  if (path === undefined || !hasScreen(path)) return <span className="min-w-0">{text}</span>;
  const [to = path, query] = path.split('?');
  return (
    <Link to={to} search={Object.fromEntries(new URLSearchParams(query))} className="hit">
      {text}
    </Link>
  );
}

export function RefLink({ one }: { one: Ref }) {
  if (one.type === 'workflow' && one.url) {
    return (
      <a href={one.url} className="hit">
        Open in Temporal
      </a>
    );
  }
  return (
    <span className="inline-flex items-center gap-1">
      {one.type} <RecordLink type={one.type} id={one.id} />
    </span>
  );
}
