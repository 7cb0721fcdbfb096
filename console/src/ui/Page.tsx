import { useEffect, type ReactNode } from 'react';
import { showTitle } from '../title.ts';
import { Outside } from './Outside.tsx';
import { capped } from './words.ts';

/** A screen's heading, its actions, and the title of the tab. */
export function Page({ title, above, actions, children }: { title: string; above?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  useEffect(() => {
    showTitle(title);
  }, [title]);
  return (
    <>
      <header className="mb-4 flex flex-wrap items-end gap-x-4 gap-y-2">
        <div className="min-w-0">
          {above && <p className="text-soft">{above}</p>}
          <h1 className="text-2xl">
            <Outside text={title} />
          </h1>
        </div>
        {actions && <div className="ml-auto flex flex-wrap items-center gap-3 text-soft">{actions}</div>}
      </header>
      {children}
    </>
  );
}

/**
 * A list and the chosen record beside it. Where there is no room for both, the record takes the place of the list and
 * has a way back.
 */
export function Split({
  list,
  detail,
  onBack,
  wide = false,
}: {
  list: ReactNode;
  detail: ReactNode | null;
  onBack: () => void;
  wide?: boolean;
}) {
  const columns = wide ? 'xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]' : 'xl:grid-cols-[minmax(0,1fr)_minmax(0,34rem)]';
  return (
    <div className={`grid items-start gap-4 ${detail === null ? '' : columns}`}>
      <div className={`min-w-0 ${detail === null ? '' : 'max-xl:hidden'}`}>{list}</div>
      {detail !== null && (
        <div className="grid min-w-0 gap-3 xl:sticky xl:top-16 xl:max-h-[calc(100vh-5rem)] xl:overflow-y-auto">
          <button type="button" className="control justify-self-start xl:hidden" onClick={onBack}>
            Back to the list
          </button>
          {detail}
        </div>
      )}
    </div>
  );
}

/** Names and values of a record. Values that are null or undefined are left out. */
export function Facts({ rows }: { rows: (readonly [name: string, value: ReactNode] | null | false)[] }) {
  return (
    <dl className="grid grid-cols-[minmax(6rem,auto)_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1 p-4">
      {rows.flatMap((row) => {
        if (!row || row[1] === null || row[1] === undefined || row[1] === '') return [];
        return [
          <dt key={`${row[0]}:`} className="text-soft first-letter:uppercase">
            {row[0]}
          </dt>,
          <dd key={row[0]} className="min-w-0">
            {row[1]}
          </dd>,
        ];
      })}
    </dl>
  );
}

/** Tabs of one screen. The chosen one is in the address. */
export function Tabs<T extends string>({
  tabs,
  at,
  onChange,
  label,
}: {
  tabs: readonly (readonly [value: T, text: string, count?: number | undefined])[];
  at: T;
  onChange: (value: T) => void;
  label: string;
}) {
  return (
    <div role="group" aria-label={label} className="mb-4 flex flex-wrap gap-x-1 border-b border-line">
      {tabs.map(([value, text, count]) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === at}
          className={`hit -mb-px gap-2 border-b-2 px-3 ${value === at ? 'border-route font-semibold' : 'border-transparent text-soft hover:text-ink'}`}
          onClick={() => onChange(value)}
        >
          {text}
          {count !== undefined && <span className="text-xs text-soft">{capped(count)}</span>}
        </button>
      ))}
    </div>
  );
}
