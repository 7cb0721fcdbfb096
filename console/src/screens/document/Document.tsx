import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useRouterState } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { DocumentHead, OutlineEntry, ReadPassage } from '../../../../contracts/knowledge/reading.ts';
import { ask } from '../../api/call.ts';
import { CallError } from '../../api/errors.ts';
import { useShortcuts } from '../../keys.ts';
import { useMay } from '../../ui/Act.tsx';
import { Copy } from '../../ui/Copy.tsx';
import { Outside, visible } from '../../ui/Outside.tsx';
import { Page } from '../../ui/Page.tsx';
import { Failure, NoRight, Skeleton } from '../../ui/Panel.tsx';
import { Scope } from '../../ui/Scope.tsx';
import { RecordLink } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';
import { useUrl } from '../../url.ts';
import { nextCited, ordinalOf } from './model.ts';
import { Gone } from './Gone.tsx';
import { Outline } from './Outline.tsx';
import { One } from './One.tsx';
import { counted } from '../../ui/words.ts';

interface Read {
  document: DocumentHead;
  outline?: OutlineEntry[];
  passages: ReadPassage[];
  previous_cursor: string | null;
}

const defaults = { quote: '', names: '' };
const perPage = 30;

/** Passages around one, read on in both directions. */
const pagesOf = (id: string, around: number, names: boolean) =>
  infiniteQueryOptions({
    queryKey: ['tool', 'knowledge.document.get', { id, around, names }, 'pages'],
    queryFn: async ({ pageParam, signal }) => {
      const args = {
        document_id: id,
        include_mentions: names,
        limit: perPage,
        ...(pageParam === null ? { around } : { cursor: pageParam, include_outline: false }),
      };
      const { data, metadata } = await ask('knowledge.document.get', args, { signal });
      return { ...(data as Read), next: metadata.next_cursor };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    getPreviousPageParam: ({ previous_cursor }) => previous_cursor,
    // With other names shown, the text stays where it is.
    placeholderData: (before, query) => ((query?.queryKey[2] as { id: string } | undefined)?.id === id ? before : undefined),
  });

export default function Document() {
  const { id } = useParams({ strict: false }) as { id: string };
  const [url, set] = useUrl(defaults);
  const hash = useRouterState({ select: ({ location }) => location.hash });
  const target = ordinalOf(hash);
  // Where reading begins. It stays while the target is among what was read.
  const [begin, setBegin] = useState({ id, at: target ?? 0 });
  if (begin.id !== id) setBegin({ id, at: target ?? 0 });
  const may = useMay();
  const allowed = may('knowledge.document.get') !== 'deny';
  const names = url.names === 'yes';
  const query = useInfiniteQuery({ ...pagesOf(id, begin.at, names), enabled: allowed });
  const passages = useMemo(() => query.data?.pages.flatMap((page) => page.passages) ?? [], [query.data]);
  const first = query.data?.pages.find(({ outline }) => outline !== undefined);
  const document = query.data?.pages[0]?.document;
  const navigate = useNavigate();
  const go = useRef((_ordinal: number): void => {});
  useLayoutEffect(() => {
    go.current = (ordinal) =>
      void navigate({ to: '.', hash: String(ordinal), search: (old: object) => ({ ...old, quote: undefined }) as never });
  });

  const read = passages.some(({ ordinal }) => ordinal === target);
  const last = document ? document.passage_count - 1 : 0;
  if (target !== null && document && !query.isPlaceholderData && !read && target !== begin.at && target <= last)
    setBegin({ id, at: target });
  // Once for each target, when its passage is there.
  useEffect(() => {
    if (target === null || !read) return;
    const element = globalThis.document.getElementById(String(target));
    element?.scrollIntoView({ block: 'center' });
    element?.focus({ preventScroll: true });
  }, [target, read]);

  const now = useRef({ passages, target });
  useLayoutEffect(() => {
    now.current = { passages, target };
  });
  useShortcuts(
    useMemo(
      () => [
        {
          keys: 'p',
          label: 'Next citation',
          run: () => {
            const next = nextCited(now.current.passages, now.current.target ?? -1);
            if (next !== null) go.current(next);
          },
        },
      ],
      [],
    ),
  );

  const title = document ? document.title : 'Document';
  if (!allowed) {
    return (
      <Page title={title}>
        <NoRight tool="knowledge.document.get" scope="knowledge:read" />
      </Page>
    );
  }
  if (!document) {
    return (
      <Page title={title}>
        {query.isError ? (
          query.error instanceof CallError && (query.error.code === 'GONE' || query.error.code === 'NOT_FOUND') ? (
            <Gone error={query.error} />
          ) : (
            <Failure error={query.error} retry={() => void query.refetch()} />
          )
        ) : (
          <Skeleton />
        )}
      </Page>
    );
  }
  return (
    <Page
      title={visible(title)}
      above={
        <>
          <RecordLink type="source" id={document.source_id}>
            Source
          </RecordLink>{' '}
          <Scope />
        </>
      }
      actions={
        <>
          <label className="hit gap-2">
            <input
              type="checkbox"
              className="size-4"
              checked={names}
              onChange={({ target: box }) => set({ names: box.checked ? 'yes' : '' })}
            />
            Names
          </label>
          <button
            type="button"
            className="control"
            onClick={() => {
              const next = nextCited(passages, target ?? -1);
              if (next !== null) go.current(next);
            }}
          >
            Next citation
            <kbd aria-hidden="true" className="font-mono text-xs text-soft max-sm:hidden">
              p
            </kbd>
          </button>
        </>
      }
    >
      <p className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-1 text-soft">
        <span>
          {document.type}, {document.format}
        </span>
        <span>{counted(document.passage_count, 'passage')}</span>
        {document.version > 1 && <span>version {document.version}</span>}
        {document.said_at && (
          <span>
            said <Age at={document.said_at} />
          </span>
        )}
        <span>
          taken in <Age at={document.created_at} />
        </span>
        {document.url && <Outside text={document.url} most={80} />}
        <Copy text={globalThis.location.href} label="Copy link" />
        {may('memory.record.extract') !== 'deny' && (
          <Link to="/console/memories" search={{ tab: 'talk', from: 'document', document: id }} className="hit">
            Memories from it
          </Link>
        )}
      </p>
      {query.isError && <Failure error={query.error} retry={() => void query.refetch()} />}
      {target !== null && target > last && (
        <p role="alert" className="mb-4 border-l-4 border-caution bg-sunk p-3">
          The document has no passage {target}: its last one is {last}.
        </p>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,14rem)_minmax(0,1fr)]">
        <Outline outline={first?.outline ?? []} at={target ?? passages[0]?.ordinal ?? 0} />
        <div className="min-w-0">
          {query.hasPreviousPage && (
            <button
              type="button"
              className="control mb-3"
              disabled={query.isFetchingPreviousPage}
              onClick={() => void query.fetchPreviousPage()}
            >
              {query.isFetchingPreviousPage ? 'Loading…' : 'Earlier passages'}
            </button>
          )}
          {passages.map((passage) => (
            <One key={passage.ordinal} passage={passage} target={passage.ordinal === target} quote={url.quote} />
          ))}
          {query.hasNextPage && <Later busy={query.isFetchingNextPage} more={() => void query.fetchNextPage()} />}
          {passages.length === 0 && <p className="text-soft">You may see no passage of this document.</p>}
          {!query.hasNextPage && passages.length > 0 && (
            <p className="py-3 text-soft">
              End of the document.{' '}
              <Link to="/console/search" className="hit">
                Search
              </Link>
            </p>
          )}
        </div>
      </div>
    </Page>
  );
}

/** The rest is read when its place comes into view, or by hand. */
function Later({ busy, more }: { busy: boolean; more: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  const next = useRef(more);
  useLayoutEffect(() => {
    next.current = more;
  });
  useEffect(() => {
    if (busy || !place.current) return;
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && next.current(), { rootMargin: '400px' });
    seen.observe(place.current);
    return () => seen.disconnect();
  }, [busy]);
  return (
    <div ref={place} className="py-3">
      <button type="button" className="control" disabled={busy} onClick={more}>
        {busy ? 'Loading…' : 'Later passages'}
      </button>
    </div>
  );
}
