import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ReviewCase, ReviewItem } from '../../../../contracts/graph/graph.ts';
import { read, usePages, useRead } from '../../api/call.ts';
import { queries } from '../../api/queries.ts';
import { useShortcuts } from '../../keys.ts';
import { useMay } from '../../ui/Act.tsx';
import { Filters, Select } from '../../ui/Field.tsx';
import { Page, Tabs } from '../../ui/Page.tsx';
import { Empty, Failure, NoMatch, NoRight, Skeleton } from '../../ui/Panel.tsx';
import { useUrl } from '../../url.ts';
import { Case } from './Case.tsx';
import { Decided } from './Decided.tsx';
import { agreement, lastOf, question, queueOf } from './model.ts';
import { Past } from './Past.tsx';
import { useDecisions } from './useDecisions.ts';

const defaults = { type: '', status: 'open', id: '', blind: '', both: '' };
const rows = ({ items }: { items: ReviewItem[] }) => items;
const types = ['', 'customer', 'feature', 'issue', 'theme', 'stakeholder', 'competitor'];

export default function Reviews() {
  const [url, set] = useUrl(defaults);
  const may = useMay();
  if (may('entity.review.list') === 'deny') {
    return (
      <Page title="Entity reviews">
        <NoRight tool="entity.review.list" scope="graph:read" />
      </Page>
    );
  }
  const status = (['confirmed', 'rejected', 'withdrawn'] as const).find((each) => each === url.status) ?? 'open';
  return (
    <Page title="Entity reviews">
      <Tabs
        label="Reviews by state"
        tabs={[
          ['open', 'Open'],
          ['confirmed', 'Same'],
          ['rejected', 'Different'],
          ['withdrawn', 'Withdrawn'],
        ]}
        at={status}
        onChange={(next) => set({ status: next, id: '' })}
      />
      <Filters>
        <Select
          label="Type"
          value={url.type}
          onChange={(type) => set({ type, id: '' })}
          options={types.includes(url.type) ? types : [...types, url.type]}
        />
      </Filters>
      {status === 'open' ? <Queue url={url} set={set} /> : <Past status={status} type={url.type} />}
    </Page>
  );
}

type Url = typeof defaults;

function Queue({ url, set }: { url: Url; set: (change: Partial<Url>) => void }) {
  const decides = useMay()('entity.merge.confirm') !== 'deny';
  const list = usePages('entity.review.list', { ...(url.type ? { entity_type: url.type } : {}), limit: 50 }, rows);
  const decisions = useDecisions(() => void list.refetch());
  const [later, setLater] = useState<string[]>([]);
  const queue = queueOf(list.data?.rows ?? [], decisions.all, later);
  // After an undo the question that was asked again; else the one of the address, or the first.
  const wanted = decisions.reopened ?? url.id;
  const current = queue.find(({ feedback_id }) => feedback_id === wanted) ?? queue[0];
  const next = queue.find(({ feedback_id }) => feedback_id !== current?.feedback_id);
  const shown = useRead<{ review: ReviewCase }>('entity.review.get', { feedback_id: current?.feedback_id ?? '' }, current !== undefined);
  const review = shown.data?.review;
  // The next is there before it is needed.
  useEffect(() => {
    if (next) void queries.prefetchQuery(read('entity.review.get', { feedback_id: next.feedback_id }));
  }, [next]);
  const { more } = list;
  useEffect(() => {
    if (queue.length < 10) more?.();
  }, [queue.length, more]);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (decisions.all.length > 0) heading.current?.focus({ preventScroll: true });
  }, [current?.feedback_id, decisions.all.length]);

  const now = useRef({ review, set, decisions, url });
  useLayoutEffect(() => {
    now.current = { review, set, decisions, url };
  });
  const acts = useMemo(() => {
    const decide = (answer: 'same' | 'different') => () => {
      const { review: one, decisions: own, set: change, url: at } = now.current;
      if (!one || one.status !== 'open') return;
      own.decide(one, answer);
      if (at.id !== '' || at.both !== '') change({ id: '', both: '' });
    };
    return {
      same: decide('same'),
      different: decide('different'),
      later: () => {
        const id = now.current.review?.feedback_id;
        if (id !== undefined) setLater((before) => [...before.filter((one) => one !== id), id]);
        if (now.current.url.id !== '') now.current.set({ id: '' });
      },
      undo: () => now.current.decisions.undo(),
      both: () => now.current.set({ both: now.current.url.both === '' ? 'yes' : '' }),
    };
  }, []);
  useShortcuts(
    useMemo(
      () => [
        ...(decides
          ? [
              { keys: 'y', label: 'Same', run: acts.same },
              { keys: 'n', label: 'Different', run: acts.different },
              { keys: 'u', label: 'Undo the last answer', run: acts.undo },
            ]
          : []),
        { keys: 'l', label: 'Later', run: acts.later },
        { keys: 'o', label: 'Open both: all their mentions', run: acts.both },
      ],
      [acts, decides],
    ),
  );

  if (!list.data) return list.isError ? <Failure error={list.error} retry={() => void list.refetch()} /> : <Skeleton />;
  const done = decisions.all.filter(({ state }) => state === 'done' || state === 'sending').length;
  const { agreed, of } = agreement(decisions.all);
  const total = (list.data.total ?? 0) + decisions.all.filter(({ state }) => state === 'done').length;
  return (
    <>
      <p role="status" className="mb-3 flex flex-wrap gap-x-4 text-soft">
        <span>
          {done} of {Math.max(total, done + queue.length).toLocaleString('en')} answered
        </span>
        {of > 0 && (
          <span>
            the matcher agrees with {agreed} of {of}
          </span>
        )}
      </p>
      {current === undefined ? (
        url.type && decisions.all.length === 0 ? (
          <NoMatch onClear={() => set({ type: '' })} />
        ) : (
          <Empty>
            {done > 0 ? 'All reviews are answered.' : 'No open reviews. When two names may mean the same entity, a review appears here.'}
          </Empty>
        )
      ) : (
        <>
          <h2 ref={heading} tabIndex={-1} className="mb-3 text-xl outline-none">
            {question[current.action]}
          </h2>
          {review ? (
            <Case
              key={review.feedback_id}
              review={review}
              blind={url.blind !== 'off'}
              onBlind={(blind) => set({ blind: blind ? '' : 'off' })}
              both={url.both !== ''}
              acts={decides ? acts : null}
              onLater={acts.later}
              onBoth={acts.both}
              undo={lastOf(decisions.all) && !decisions.undoing}
            />
          ) : shown.isError ? (
            <Failure error={shown.error} retry={() => void shown.refetch()} />
          ) : (
            <Skeleton />
          )}
        </>
      )}
      <Decided decisions={decisions.all} undoing={decisions.undoing} {...(decides && lastOf(decisions.all) ? { onUndo: acts.undo } : {})} />
    </>
  );
}
