import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { SearchHit } from '../../../../contracts/knowledge/knowledge.ts';
import type { Trajectory } from '../../../../contracts/knowledge/trajectory.ts';
import { useQuery } from '@tanstack/react-query';
import { ask, useRead } from '../../api/call.ts';
import { useShortcuts } from '../../keys.ts';
import { useMay } from '../../ui/Act.tsx';
import { around } from '../../ui/marks.ts';
import { Outside } from '../../ui/Outside.tsx';
import { Split } from '../../ui/Page.tsx';
import { Empty, Failure, NoMatch, Skeleton } from '../../ui/Panel.tsx';
import { Marked, placeText } from '../../ui/Passage.tsx';
import { Beside } from './Beside.tsx';
import { chipsOf, retrieversOf, scoresOf, searchArgs, type Retriever } from './model.ts';
import type { SearchUrl } from './Search.tsx';
import { Why } from './Why.tsx';
import { counted } from '../../ui/words.ts';

interface Found {
  hits: SearchHit[];
  search_time_ms: number;
  trajectory_id?: string;
  graph?: { nodes: { name: string; type: string }[] };
}

export function Results({ url, set }: { url: SearchUrl; set: (change: Partial<SearchUrl>) => void }) {
  const { q, mode, kb, tag, code, graph } = url;
  const args = searchArgs(q.trim(), { mode, kb, tag, code, graph });
  const found = useQuery({
    queryKey: ['tool', 'index.chunk.search', args],
    queryFn: async ({ signal }) => {
      const { data, warnings } = await ask('index.chunk.search', args, { signal });
      return { ...(data as Found), warnings };
    },
    // What is typed on replaces the results when the new ones are there.
    placeholderData: (before) => before,
  });
  const explains = useMay()('index.answer.explain') !== 'deny';
  const id = found.data?.trajectory_id;
  const trajectory = useRead<{ trajectory: Trajectory }>('index.answer.explain', { trajectory_id: id ?? '' }, explains && id !== undefined);
  if (!found.data) return found.isError ? <Failure error={found.error} retry={() => void found.refetch()} /> : <Skeleton />;
  const { hits, search_time_ms, warnings } = found.data;
  const told = trajectory.data?.trajectory;
  const retrievers = told ? retrieversOf(told) : scoresOf(hits);
  return (
    <>
      {found.isError && <Failure error={found.error} retry={() => void found.refetch()} />}
      <div className="mb-2 flex flex-wrap items-center gap-3 text-soft">
        <p role="status">
          {counted(hits.length, 'passage')} in {search_time_ms} ms
        </p>
        {told && hits.length > 0 && (
          <button
            type="button"
            className="control"
            aria-expanded={url.why === 'yes'}
            onClick={() => set({ why: url.why === 'yes' ? '' : 'yes' })}
          >
            Why this order
          </button>
        )}
      </div>
      {warnings.map((warning) => (
        <p key={warning} className="mb-2 border-l-4 border-caution bg-sunk p-3">
          <Outside text={warning} />
        </p>
      ))}
      {url.why === 'yes' && told && <Why trajectory={told} />}
      {hits.length === 0 ? (
        chipsOf(url).length > 0 ? (
          <NoMatch onClear={() => set({ mode: 'hybrid', kb: '', tag: '', code: '', graph: '' })} />
        ) : (
          <Empty>No passage matches these words.</Empty>
        )
      ) : (
        <Split
          wide
          onBack={() => set({ open: '' })}
          list={
            <Hits
              hits={hits}
              retrievers={retrievers}
              open={url.open}
              onOpen={(citation) => set({ open: citation })}
              stale={found.isPlaceholderData}
            />
          }
          detail={
            url.open === '' ? null : (
              <Beside citation={url.open} matches={hits.find(({ citation }) => citation === url.open)?.matches ?? []} />
            )
          }
        />
      )}
    </>
  );
}

function Hits({
  hits,
  retrievers,
  open,
  onOpen,
  stale,
}: {
  hits: SearchHit[];
  retrievers: Map<string, Retriever[]>;
  open: string;
  onOpen: (citation: string) => void;
  stale: boolean;
}) {
  const list = useRef<HTMLOListElement>(null);
  const [at, setAt] = useState(-1);
  const now = useRef({ hits, at, open, onOpen });
  useLayoutEffect(() => {
    now.current = { hits, at, open, onOpen };
  });
  useShortcuts(
    useMemo(() => {
      const move = (step: number): void => {
        const { hits: all, at: from, open: shown } = now.current;
        const next = Math.max(0, Math.min(all.length - 1, from + step));
        setAt(next);
        list.current?.children[next]?.scrollIntoView({ block: 'nearest' });
        if (shown !== '') now.current.onOpen(all[next]!.citation);
      };
      const enter = (): void => {
        const hit = now.current.hits[now.current.at];
        if (hit) now.current.onOpen(hit.citation);
      };
      return [
        { keys: 'j', label: 'Next passage', run: () => move(1) },
        { keys: 'k', label: 'Previous passage', run: () => move(-1) },
        { keys: 'Enter', label: 'Open the passage beside the list', run: enter },
      ];
    }, []),
  );
  return (
    <ol ref={list} aria-label="Passages found" className={`grid gap-2 ${stale ? 'opacity-60' : ''}`}>
      {hits.map((hit, i) => {
        const { text, marks } = around(hit.content, hit.matches ?? [], 480);
        const place = placeText(hit.metadata.place);
        return (
          <li
            key={hit.citation}
            aria-current={hit.citation === open ? 'true' : undefined}
            className={`card grid gap-2 p-3 ${hit.citation === open ? 'bg-sunk' : ''} ${i === at ? 'shadow-[inset_3px_0_0_var(--color-route)]' : ''}`}
          >
            <div className="flex flex-wrap items-baseline gap-x-3">
              <span className="text-soft">{i + 1}</span>
              <button
                type="button"
                className="hit rounded text-left font-semibold text-route"
                onClick={() => {
                  setAt(i);
                  onOpen(hit.citation);
                }}
              >
                <Outside text={hit.source} most={160} />
              </button>
              <span className="text-soft">
                {hit.metadata.type}
                {place && ', '}
                <Outside text={place} most={120} />
              </span>
            </div>
            {hit.metadata.place.headings && (
              <p className="text-xs text-soft">
                <Outside text={hit.metadata.place.headings.join(' › ')} most={160} />
              </p>
            )}
            <p>
              <Marked text={text} marks={marks.map((mark) => ({ ...mark, is: 'match' as const }))} />
            </p>
            <Bars retrievers={retrievers.get(hit.citation) ?? []} score={hit.score} />
          </li>
        );
      })}
    </ol>
  );
}

export const Bars = ({ retrievers, score }: { retrievers: Retriever[]; score: number }) => (
  <dl className="grid grid-cols-[4rem_minmax(3rem,8rem)_auto] items-center justify-start gap-x-3 text-xs text-soft">
    {retrievers.map(({ name, score: own, rank, share }) => (
      <div key={name} className="contents">
        <dt>{name}</dt>
        <dd aria-hidden="true" className="h-1.5 rounded-sm bg-line">
          <div className="h-full rounded-sm bg-route" style={{ width: `${Math.round(share * 100)}%` }} />
        </dd>
        <dd data-retriever={name}>
          {own}
          {rank === undefined ? '' : `, rank ${rank}`}
        </dd>
      </div>
    ))}
    <div className="contents">
      <dt>total</dt>
      <dd aria-hidden="true" />
      <dd data-retriever="all">{score}</dd>
    </div>
  </dl>
);
