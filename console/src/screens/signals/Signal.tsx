import { useMemo } from 'react';
import type { Referral } from '../../../../contracts/signals/signals.ts';
import { usePages, useRead } from '../../api/call.ts';
import { useShortcuts } from '../../keys.ts';
import { Facts } from '../../ui/Page.tsx';
import { around } from '../../ui/marks.ts';
import { Panel } from '../../ui/Panel.tsx';
import { CitationLink, Marked } from '../../ui/Passage.tsx';
import { More } from '../../ui/Table.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Id } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';
import { Correct } from './Correct.tsx';
import type { Corrected } from './model.ts';
import { worded, percent } from '../../ui/words.ts';

export interface Listed extends Corrected {
  signal_id: string;
  source: string;
  title: string;
  snippet: string;
  occurred_at: string;
  class_confidence: number;
  sentiment: number;
  refers_to: { signal_id: string; as: Referral } | null;
  settled: { signal_id: string; at: string } | null;
  author: string | null;
  area: string | null;
  customers: string[];
  features: string[];
  issues: string[];
  themes: string[];
  competitors: string[];
  citation: string;
  group_id: string;
  group_size: number;
}

interface Whole extends Listed {
  passage: { text: string; start: number; end: number };
  classifier: string;
  corrected_by: string | null;
  similar: string[];
}

/** Characters of the passage that are shown beside the statement. */
const beside = 800;

/** The statement within its passage. */
function Within({ text, start, end }: Whole['passage']) {
  // Twice its length, so that all of a long statement is in it.
  const part = around(text, [{ start, end, is: 'match' as const }], beside + 2 * (end - start));
  return (
    <p tabIndex={0} role="region" aria-label="Passage" className="max-h-80 overflow-auto">
      <Marked text={part.text} marks={part.marks} />
    </p>
  );
}

/** @param step opens the next (1) or the previous (-1) one of the list */
export function Signal({
  id,
  open,
  step,
  onRemoved,
}: {
  id: string;
  open: (id: string) => void;
  step: (by: 1 | -1) => void;
  onRemoved: () => void;
}) {
  const query = useRead<Whole>('signal.record.get', { signal_id: id });
  useShortcuts(
    useMemo(
      () => [
        { keys: ']', label: 'Next statement', run: () => step(1) },
        { keys: '[', label: 'Previous statement', run: () => step(-1) },
      ],
      [step],
    ),
  );
  const names = (list: string[]) => (list.length === 0 ? null : <Outside text={list.join(', ')} />);
  return (
    <Panel
      title="Statement"
      query={query}
      aside={
        <span className="flex gap-1">
          {([-1, 1] as const).map((by) => (
            <button
              key={by}
              type="button"
              className="control px-2"
              aria-label={by === 1 ? 'Next statement' : 'Previous statement'}
              onClick={() => step(by)}
            >
              <kbd className="font-mono text-xs">{by === 1 ? ']' : '['}</kbd>
            </button>
          ))}
        </span>
      }
    >
      {(signal) => (
        <>
          <div className="grid gap-2 p-4">
            <Within {...signal.passage} />
            <p className="flex flex-wrap items-center gap-x-3">
              <CitationLink citation={signal.citation} quote={signal.snippet}>
                <Outside text={`In ${signal.title}`} most={100} />
              </CitationLink>
            </p>
          </div>
          <Correct key={signal.signal_id} signal={signal} onRemoved={onRemoved} />
          <div className="border-t border-line">
            <Facts
              rows={[
                ['said', <Age key="at" at={signal.occurred_at} />],
                ['by', signal.author && <Outside text={signal.author} />],
                ['customers', names(signal.customers)],
                ['features', names(signal.features)],
                ['issues', names(signal.issues)],
                ['themes', names(signal.themes)],
                ['competitors', names(signal.competitors)],
                ['area', signal.area && <Outside text={signal.area} />],
                ['source', worded(signal.source)],
                ['sentiment', signal.sentiment.toFixed(2)],
                [
                  'told by',
                  <span key="by">
                    {signal.corrected_by === null ? signal.classifier : `${signal.corrected_by}, a person`}
                    {signal.corrected_by === null && `, ${percent(signal.class_confidence)} sure`}
                  </span>,
                ],
                [
                  'refers to',
                  signal.refers_to && (
                    <OpenButton key="r" id={signal.refers_to.signal_id} open={open}>
                      {signal.refers_to.as} an earlier statement
                    </OpenButton>
                  ),
                ],
                [
                  'settled',
                  signal.settled && (
                    <OpenButton key="s" id={signal.settled.signal_id} open={open}>
                      by a later statement
                    </OpenButton>
                  ),
                ],
                ['id', <Id key="id">{signal.signal_id}</Id>],
              ]}
            />
          </div>
          {signal.group_size > 1 && (
            <Alike key={signal.group_id} group={signal.group_id} own={signal.signal_id} size={signal.group_size} open={open} />
          )}
        </>
      )}
    </Panel>
  );
}

const OpenButton = ({ id, open, children }: { id: string; open: (id: string) => void; children: React.ReactNode }) => (
  <button type="button" className="hit rounded text-route underline" onClick={() => open(id)}>
    {children}
  </button>
);

const rows = ({ signals }: { signals: Listed[] }) => signals;

/** Statements that say nearly the same. */
function Alike({ group, own, size, open }: { group: string; own: string; size: number; open: (id: string) => void }) {
  const query = usePages('signal.record.search', { group_id: group, limit: 20 }, rows);
  const others = query.data?.rows.filter(({ signal_id }) => signal_id !== own) ?? [];
  return (
    <details className="border-t border-line px-4 py-2">
      <summary className="hit cursor-pointer">{size - 1} more say nearly the same</summary>
      <ul className="grid gap-2">
        {others.map(({ signal_id, snippet, customers, occurred_at }) => (
          <li key={signal_id}>
            <button type="button" className="hit rounded text-left text-route" onClick={() => open(signal_id)}>
              <Outside text={snippet} most={160} />
            </button>
            <p className="text-xs text-soft">
              <Outside text={customers.join(', ')} /> <Age at={occurred_at} />
            </p>
          </li>
        ))}
      </ul>
      {query.more && <More query={query} shown={others.length} />}
    </details>
  );
}
