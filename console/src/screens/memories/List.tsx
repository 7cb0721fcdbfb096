import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { FoundMemory, Memory } from '../../../../contracts/knowledge/memory.ts';
import { ask, usePages } from '../../api/call.ts';
import { useMay } from '../../ui/Act.tsx';
import { FilterText, Filters, Select, TextField } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Empty, NoMatch, NoRight } from '../../ui/Panel.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { Age } from '../../ui/Time.tsx';
import type { Url as UseUrl } from '../../url.ts';
import { memoryPath } from './MemoryLink.tsx';
import { categoriesOf, cleared, filterOf, scopes, whose, type Url } from './model.ts';

export interface Tab {
  url: Url;
  set: UseUrl<Url>[1];
  type: UseUrl<Url>[2];
}

const search = 'memory.record.search';
/** Hits that are asked for: a search has no pages. */
const most = 50;
const rows = ({ memories }: { memories: Memory[] }) => memories;

const columns: Column<Memory>[] = [
  { title: 'Memory', cell: ({ content }) => <Outside text={content} most={160} />, className: 'min-w-36' },
  { title: 'Category', cell: ({ category }) => <Outside text={category} most={40} />, className: 'min-w-20' },
  { title: 'Whose', cell: ({ scope }) => whose[scope], className: 'whitespace-nowrap' },
  { title: 'Tags', cell: ({ tags }) => <Outside text={tags.join(', ')} most={80} />, wide: true },
  { title: 'Until', cell: ({ expires_at: at }) => (at ? <Age at={at} /> : <span className="text-soft">for ever</span>), wide: true },
  { title: 'By', cell: ({ created_by }) => <Outside text={created_by} most={40} />, wide: true },
  { title: 'Saved', cell: ({ created_at }) => <Age at={created_at} />, wide: true, className: 'whitespace-nowrap' },
];

/** Newest first, or found by words and meaning, best first. */
export function List({ url, set, type }: Tab) {
  const navigate = useNavigate();
  const may = useMay();
  const query = url.q.trim();
  const args = filterOf(url);
  const finds = may(search) !== 'deny';
  const wish = { query, ...args, limit: most };
  const found = useQuery({
    queryKey: ['tool', search, wish],
    queryFn: async ({ signal }) => {
      const { data, warnings } = await ask(search, wish, { signal });
      return { rows: (data as { memories: FoundMemory[] }).memories, warnings };
    },
    enabled: query !== '' && finds,
    // What is typed on replaces the results when the new ones are there.
    placeholderData: (before) => before,
  });
  const listed = usePages('memory.record.list', args, rows, query === '');
  const shown = query === '' ? listed : found;
  const narrowed = query !== '' || Object.keys(args).length > 0;
  return (
    <>
      <Filters>
        <FilterText label="Words or meaning" placeholder="what was decided about…" value={url.q} onChange={(q) => type({ q })} />
        <Select label="Whose" value={url.scope} onChange={(scope) => set({ scope })} options={[['', 'the team and yours'], ...scopes]} />
        <Select
          label="Category"
          value={url.category}
          onChange={(category) => set({ category })}
          options={categoriesOf(shown.data?.rows ?? [], url.category)}
        />
        <TextField label="Tags" value={url.tags} onChange={(tags) => type({ tags })} hint="All of these, with commas" />
        <TextField
          label="As of"
          type="date"
          value={url.as_of}
          onChange={(as_of) => set({ as_of })}
          hint="What held at the end of that day"
        />
      </Filters>
      {query !== '' &&
        found.data?.warnings.map((warning) => (
          <p key={warning} className="mb-2 border-l-4 border-caution bg-sunk p-3">
            <Outside text={warning} />
          </p>
        ))}
      {query !== '' && !finds ? (
        <NoRight tool={search} scope="memory:read" />
      ) : (
        <>
          <p className="mb-2 flex flex-wrap items-center gap-3 text-soft">
            <span>{query === '' ? 'Newest first.' : 'Best first.'}</span>
            <button type="button" className="control" onClick={() => void shown.refetch()}>
              {shown.isFetching ? 'Reading…' : 'Refresh'}
            </button>
          </p>
          <Table
            label="memories"
            query={shown}
            columns={columns}
            keyOf={({ memory_id }) => memory_id}
            onOpen={({ memory_id }) => void navigate({ to: memoryPath(memory_id) })}
            empty={
              narrowed ? (
                <NoMatch onClear={() => set(cleared)} />
              ) : (
                <Empty>
                  Nothing is remembered yet. Decisions, conventions and lessons that agents save with memory.record.save appear here, and
                  what you write under “Remember something”.
                </Empty>
              )
            }
          />
        </>
      )}
    </>
  );
}
