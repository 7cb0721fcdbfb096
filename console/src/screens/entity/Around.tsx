import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'react';
import type { Neighbourhood } from '../../../../contracts/graph/graph.ts';
import { call, useRead } from '../../api/call.ts';
import { useShortcuts } from '../../keys.ts';
import { Refusal, useMay } from '../../ui/Act.tsx';
import { Select } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Empty, Failure, NoRight, Skeleton } from '../../ui/Panel.tsx';
import { Picture, RecordLink } from '../../ui/Text.tsx';
import { TimeSlider } from '../../ui/TimeSlider.tsx';
import type { EntityUrl } from './Entity.tsx';
import { Drawing } from './Drawing.tsx';
import { collapsed, expandedBy, firstDay, holds, isExpanded, mostNodes, pictured, type Pictured } from './graph.ts';
import type { EntityDetail } from './types.ts';
import { layoutWorker } from './useLayout.ts';
import { counted, worded } from '../../ui/words.ts';

interface Props {
  entity: EntityDetail;
  url: EntityUrl;
  set: (change: Partial<EntityUrl>) => void;
  type: (change: Partial<EntityUrl>) => void;
}

const shownFirst = 60;

/** The first picture. The screen asks for it with the entity itself, not after. */
export function useAround(id: string, depthText: string, wanted: boolean) {
  const depth = /^[123]$/.test(depthText) ? Number(depthText) : 1;
  useEffect(() => {
    if (wanted) layoutWorker();
  }, [wanted]);
  return useRead<Neighbourhood>('graph.neighbourhood.get', { entity_id: id, depth, limit: depth === 1 ? shownFirst : 150 }, wanted);
}

/** What is around the entity, as a picture and as a list. */
export function Around({ read, ...props }: Props & { read: ReturnType<typeof useAround> }) {
  const allowed = useMay()('graph.neighbourhood.get') !== 'deny';
  if (!allowed) return <NoRight tool="graph.neighbourhood.get" scope="graph:read" />;
  if (!read.data) return read.isError ? <Failure error={read.error} retry={() => void read.refetch()} /> : <Skeleton />;
  return <Explored {...props} first={read.data} />;
}

type Step = { is: 'to'; picture: Pictured } | { is: 'undo' };

/** Each step can be undone; an event that changes the graph starts a new picture on the next visit. */
const steps = (history: Pictured[], step: Step): Pictured[] =>
  step.is === 'to'
    ? step.picture === history.at(-1)
      ? history
      : [...history, step.picture]
    : history.length > 1
      ? history.slice(0, -1)
      : history;

function Explored({ first, entity, url, set, type }: Props & { first: Neighbourhood }) {
  const [history, go] = useReducer(steps, first, (found) => [pictured(found)]);
  const picture = history.at(-1)!;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const [note, setNote] = useState('');
  const chosen =
    picture.nodes.find(({ entity_id }) => entity_id === url.of) ?? picture.nodes.find(({ entity_id }) => entity_id === picture.root);
  const edges = useMemo(() => picture.edges.filter((edge) => holds(edge, url.at)), [picture.edges, url.at]);
  const names = new Map(picture.nodes.map(({ entity_id, name }) => [entity_id, name]));

  async function expand(): Promise<void> {
    if (!chosen || busy) return;
    if (picture.nodes.length >= mostNodes) return setNote(`The picture shows at most ${mostNodes} entities: collapse one first.`);
    setBusy(true);
    setError(null);
    try {
      const known = picture.nodes.map(({ entity_id }) => entity_id);
      const found = await call<Neighbourhood>('graph.neighbourhood.get', { entity_id: chosen.entity_id, known, limit: 25 });
      const next = expandedBy(picture, chosen.entity_id, found);
      const added = next.nodes.length - picture.nodes.length;
      setNote(
        added === 0 ? `${chosen.name.slice(0, 60)} has no other neighbours.` : `${added} added${found.more ? ', there are more' : ''}.`,
      );
      go({ is: 'to', picture: next });
    } catch (failure) {
      setError(failure as Error);
    }
    setBusy(false);
  }
  const collapse = (): void => {
    if (!chosen) return;
    setNote('');
    go({ is: 'to', picture: collapsed(picture, chosen.entity_id) });
  };
  const undo = (): void => {
    setNote('');
    go({ is: 'undo' });
  };
  const now = useRef({ expand, collapse, undo });
  useLayoutEffect(() => {
    now.current = { expand, collapse, undo };
  });
  useShortcuts(
    useMemo(
      () => [
        { keys: 'e', label: 'Expand the chosen entity', run: () => void now.current.expand() },
        { keys: 'x', label: 'Collapse the chosen entity', run: () => now.current.collapse() },
        { keys: 'u', label: 'Undo the last step of the picture', run: () => now.current.undo() },
      ],
      [],
    ),
  );

  if (picture.nodes.length <= 1) return <Empty>Nothing is mentioned together with {entity.name.slice(0, 80)} yet.</Empty>;
  const began = firstDay(picture.edges);
  const Key = ({ children }: { children: string }) => (
    <kbd aria-hidden="true" className="font-mono text-xs text-soft max-sm:hidden">
      {children}
    </kbd>
  );
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-end gap-3">
        <Select label="Steps away" value={url.depth} onChange={(depth) => set({ depth })} options={['1', '2', '3']} />
        {began && (
          <div className="min-w-0 flex-1 basis-60">
            <TimeSlider label="Facts valid on" value={url.at} onChange={(at) => type({ at })} from={began} />
          </div>
        )}
        <button type="button" className="control" disabled={busy} onClick={() => void expand()}>
          {busy ? 'Expanding…' : 'Expand'}
          <Key>e</Key>
        </button>
        <button type="button" className="control" disabled={!chosen || !isExpanded(picture, chosen.entity_id)} onClick={collapse}>
          Collapse
          <Key>x</Key>
        </button>
        <button type="button" className="control" disabled={history.length === 1} onClick={undo}>
          Undo
          <Key>u</Key>
        </button>
      </div>
      {error && <Refusal error={error} onClose={() => setError(null)} />}
      <p role="status" className="text-soft">
        {counted(picture.nodes.length, 'entity', 'entities')}, {counted(edges.length, 'connection')}. {note}
      </p>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,18rem)]">
        <Picture
          title="Neighbourhood"
          description="Size: mentions. Shape: type. Lines: mentioned together, or facts. Arrow keys move."
          table={{
            head: ['From', 'Connection', 'To', 'Passages', 'Valid'],
            rows: edges.map(({ source, target, kind, passages, held }) => [
              names.get(source) ?? source,
              worded(kind),
              names.get(target) ?? target,
              passages,
              held === null ? '' : held.map(({ from, to }) => `${from?.slice(0, 10) ?? '?'} – ${to?.slice(0, 10) ?? 'now'}`).join('; '),
            ]),
          }}
        >
          <Drawing picture={picture} edges={edges} chosen={chosen?.entity_id ?? picture.root} onChoose={(of) => set({ of })} />
        </Picture>
        <div className="min-w-0">
          {chosen && (
            <p className="mb-2">
              <RecordLink type="entity" id={chosen.entity_id}>
                <Outside text={chosen.name} most={120} />
              </RecordLink>
              <span className="block text-soft">
                {chosen.type}, {counted(chosen.mention_count, 'mention')}, {chosen.neighbours >= 100 ? '100+' : chosen.neighbours}{' '}
                connections
              </span>
            </p>
          )}
          <ul
            aria-label="Entities of the picture"
            tabIndex={0}
            className="max-h-[32rem] overflow-y-auto rounded-card border border-line p-1"
          >
            {picture.nodes.map(({ entity_id, name, type: kind, depth }) => (
              <li key={entity_id}>
                <button
                  type="button"
                  aria-pressed={entity_id === chosen?.entity_id}
                  className={`hit w-full gap-2 rounded px-2 text-left ${entity_id === chosen?.entity_id ? 'bg-sunk font-semibold' : ''}`}
                  onClick={() => set({ of: entity_id })}
                >
                  <span className="min-w-0 flex-1">
                    <Outside text={name} most={60} />
                  </span>
                  <span className="text-xs text-soft">
                    {kind}, {depth}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </div>
  );
}
