import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { Failure, Skeleton } from '../../ui/Panel.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { chosen, facets, isChosen, type Facet, type Url } from './model.ts';
import { worded } from '../../ui/words.ts';

export interface FacetCounts {
  total: number;
  groups: number;
  facets: Record<Facet, { value: string; count: number }[]>;
}

/** Of a facet shown until somebody asks for more. */
const few = 7;

export function Facets({ query, url, set }: { query: UseQueryResult<FacetCounts>; url: Url; set: (change: Partial<Url>) => void }) {
  const [open, setOpen] = useState(() => window.matchMedia('(min-width: 1024px)').matches);
  return (
    <details open={open} className="card min-w-0" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="hit w-full cursor-pointer px-4 py-2 text-lg font-semibold">Counts</summary>
      {query.data ? (
        <div className="grid gap-3 border-t border-line p-3">
          {url.q.trim() !== '' && <p className="text-xs text-soft">Counts follow the filters, not the words.</p>}
          {facets.map((facet) => (
            <OneFacet key={facet} facet={facet} values={query.data.facets[facet]} url={url} set={set} />
          ))}
        </div>
      ) : query.isError ? (
        <Failure error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Skeleton />
      )}
    </details>
  );
}

function OneFacet({
  facet,
  values,
  url,
  set,
}: {
  facet: Facet;
  values: { value: string; count: number }[];
  url: Url;
  set: (change: Partial<Url>) => void;
}) {
  const [all, setAll] = useState(false);
  if (values.length === 0) return null;
  const shown = all ? values : values.filter((each, i) => i < few || isChosen(url, facet, each.value));
  return (
    <section aria-label={facet}>
      <h3 className="text-soft">{facet}</h3>
      <ul>
        {shown.map(({ value, count }) => {
          const on = isChosen(url, facet, value);
          return (
            <li key={value}>
              <button
                type="button"
                aria-pressed={on}
                className={`hit w-full justify-between gap-2 rounded px-2 text-left hover:bg-sunk ${on ? 'bg-sunk font-semibold' : ''}`}
                onClick={() => set({ ...chosen(url, facet, value), id: '' })}
              >
                <span className="min-w-0">
                  {on && <span aria-hidden="true">✓ </span>}
                  <Outside text={worded(value)} most={60} />
                </span>
                <span className="text-soft">{count.toLocaleString('en')}</span>
              </button>
            </li>
          );
        })}
      </ul>
      {values.length > shown.length && (
        <button type="button" className="hit rounded px-2 text-route underline" onClick={() => setAll(true)}>
          {values.length - shown.length} more
        </button>
      )}
    </section>
  );
}
