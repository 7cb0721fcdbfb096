import type { Fact } from '../../../../contracts/graph/graph.ts';
import { useRead } from '../../api/call.ts';
import { Failure, NoMatch, Skeleton } from '../../ui/Panel.tsx';
import { TimeSlider } from '../../ui/TimeSlider.tsx';
import { FactList, firstDay } from '../entity/FactList.tsx';
import type { SearchUrl } from './Search.tsx';

type Held = Fact & { holds: boolean };

/** Facts found by words, at a time, and as they were known at a time. */
export function FactResults({
  url,
  set,
  type,
}: {
  url: SearchUrl;
  set: (change: Partial<SearchUrl>) => void;
  type: (change: Partial<SearchUrl>) => void;
}) {
  const query = url.q.trim();
  const args = { query, limit: 50, ...(url.as_of ? { as_of: url.as_of } : {}), ...(url.known_at ? { known_at: url.known_at } : {}) };
  const facts = useRead<{ facts: Held[] }>('graph.fact.search', args, query !== '');
  // The sliders reach back to the first day of any fact about it, whatever they stand at.
  const all = useRead<{ facts: Held[] }>('graph.fact.search', { query, limit: 50 }, query !== '');
  if (query === '')
    return (
      <p className="text-soft">
        Type a name or a question. Facts are dated: choose the day on which they were valid, and the day on which they were known.
      </p>
    );
  const from = firstDay(all.data?.facts ?? []);
  return (
    <div className="grid gap-3">
      <div className="grid gap-3 sm:grid-cols-2">
        <TimeSlider label="Valid on" value={url.as_of} onChange={(as_of) => type({ as_of })} from={from} />
        <TimeSlider label="Known on" value={url.known_at} onChange={(known_at) => type({ known_at })} from={from} />
      </div>
      {facts.data === undefined ? (
        facts.isError ? (
          <Failure error={facts.error} retry={() => void facts.refetch()} />
        ) : (
          <Skeleton />
        )
      ) : facts.data.facts.length === 0 ? (
        <NoMatch onClear={() => set({ as_of: '', known_at: '' })} />
      ) : (
        <FactList facts={facts.data.facts} />
      )}
    </div>
  );
}
