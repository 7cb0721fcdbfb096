import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { CallError } from '../api/errors.ts';
import { useSession } from '../api/session.ts';
import { Copy } from './Copy.tsx';

/** What is shown of a read, also of one that comes page by page. */
type Read<T> = Pick<UseQueryResult, 'isError' | 'error'> & { data: T | undefined; refetch: () => unknown };

/** A part of a screen with its heading, and its states while its data are read, missing or refused. */
export function Panel<T>({
  title,
  query,
  aside,
  children,
  className = '',
}: {
  title: string;
  query?: Read<T>;
  aside?: ReactNode;
  children: (data: T) => ReactNode;
  className?: string;
}) {
  const id = `p-${title.toLowerCase().replaceAll(/\W+/g, '-')}`;
  return (
    <section aria-labelledby={id} className={`card min-w-0 ${className}`}>
      <header className="flex min-h-11 items-center justify-between gap-3 border-b border-line px-4">
        <h2 id={id} className="text-lg">
          {title}
        </h2>
        {aside}
      </header>
      {query ? <Body query={query}>{children}</Body> : children(undefined as T)}
    </section>
  );
}

function Body<T>({ query, children }: { query: Read<T>; children: (data: T) => ReactNode }) {
  if (query.data !== undefined) {
    return (
      <>
        {query.isError && <Failure error={query.error!} retry={() => void query.refetch()} />}
        <div className={query.isError ? 'opacity-60' : ''}>{children(query.data)}</div>
      </>
    );
  }
  if (query.isError) return <Failure error={query.error!} retry={() => void query.refetch()} />;
  return <Skeleton />;
}

/** After 300 ms: what comes at once must not flicker. */
export function Skeleton() {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setLate(true), 300);
    return () => window.clearTimeout(timer);
  }, []);
  return (
    <div aria-busy="true" className="min-h-24 p-4">
      {late && <p className="text-soft">Loading…</p>}
    </div>
  );
}

export function Failure({ error, retry }: { error: Error; retry: () => void }) {
  const known = error instanceof CallError ? error : null;
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2 border-l-4 border-stop bg-sunk p-4">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-semibold">{error.message}</p>
        {known?.suggestion && <p>{known.suggestion}</p>}
        {known?.toolCallId && <p className="font-mono text-xs text-soft">{known.toolCallId}</p>}
      </div>
      <button type="button" className="control" onClick={retry}>
        Retry
      </button>
    </div>
  );
}

/** What would be here, and the command that fills it. */
export function Empty({ children, command }: { children: ReactNode; command?: string }) {
  return (
    <div className="p-4 text-soft">
      <p>{children}</p>
      {command && <Command text={command} />}
    </div>
  );
}

export const Command = ({ text }: { text: string }) => (
  <p className="mt-2 flex items-center gap-2">
    <code className="min-w-0 rounded bg-sunk px-2 py-1 font-mono text-xs text-ink">{text}</code>
    <Copy text={text} />
  </p>
);

/** The filters exclude everything. */
export const NoMatch = ({ onClear }: { onClear: () => void }) => (
  <div className="flex flex-wrap items-center gap-3 p-4 text-soft">
    <p>Nothing matches these filters.</p>
    <button type="button" className="control" onClick={onClear}>
      Clear the filters
    </button>
  </div>
);

/** A screen that was opened by its address, without the right to it. */
export function NoRight({ tool, scope }: { tool: string; scope?: string }) {
  const { data: facts } = useSession();
  const why = facts?.team
    ? `it belongs to the team ${facts.team}, which reads evidence within its scope and nothing else`
    : scope
      ? `it lacks ${scope}, or its policy refuses it`
      : 'its policy refuses it, or it lacks a scope';
  return (
    <p className="card p-4">
      Your key may not use <code className="font-mono text-xs">{tool}</code>: {why}. An administrator of this server can change that.
    </p>
  );
}
