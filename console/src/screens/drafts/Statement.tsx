import { useState } from 'react';
import type { RecountedFigure, TracedDraft, TracedSource, TracedStatement } from '../../../../contracts/authoring/authoring.ts';
import { useRead } from '../../api/call.ts';
import { Outside } from '../../ui/Outside.tsx';
import { Failure } from '../../ui/Panel.tsx';
import { RecordLink } from '../../ui/Text.tsx';
import { Quote } from '../signals/Quote.tsx';
import { sourcesOf } from './model.ts';
import { counted } from '../../ui/words.ts';

/** The sources of a statement in order, and how its numbers were counted. */
export function Statement({ draft, statement }: { draft: TracedDraft; statement: TracedStatement }) {
  const sources = sourcesOf(draft, statement);
  return (
    <div className="grid gap-4 p-4">
      {statement.figures.length > 0 && <Figures key={statement.ordinal} draftId={draft.draft_id} statement={statement} />}
      <section aria-label="Sources" className="grid gap-3">
        <h3>{counted(sources.length, 'source')}</h3>
        <ol className="grid gap-3">
          {sources.map((source) => (
            <li key={source.number}>
              <Source source={source} />
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
}

function Source({ source }: { source: TracedSource }) {
  const { number, kind, ref, excerpt, title, citation, author, customers, occurred_at } = source;
  return (
    <Quote text={excerpt} citation={citation} at={occurred_at}>
      <span className="font-mono text-xs">[{number}]</span>
      <span>{kind}</span>
      {(customers.length > 0 || author !== null) && <Outside text={customers.join(', ') || author!} most={80} />}
      {title !== null && <Outside text={title} most={80} />}
      {kind === 'opportunity' && (
        <RecordLink type="opportunity" id={ref}>
          Opportunity
        </RecordLink>
      )}
      {citation === null && kind !== 'opportunity' && <span>its passage was deleted or is outside your scope</span>}
    </Quote>
  );
}

/** How each number was counted, and the same counted now. */
function Figures({ draftId, statement }: { draftId: string; statement: TracedStatement }) {
  const [asked, setAsked] = useState(false);
  const query = useRead<{ figures: RecountedFigure[] }>(
    'authoring.figure.count',
    { draft_id: draftId, ordinal: statement.ordinal, limit: 20 },
    asked,
  );
  return (
    <section aria-label="Numbers" className="grid gap-2">
      <h3>How it was counted</h3>
      <ul className="grid gap-3">
        {statement.figures.map(({ n, how }, i) => {
          const again = query.data?.figures[i];
          return (
            <li key={i} data-figure={i}>
              <p>
                <strong>{n}</strong>: <Outside text={how} most={600} />
              </p>
              {again && (
                <>
                  <p role="status" className={again.now === n ? 'text-proceed' : 'text-caution'}>
                    {again.now === n ? `Counted again: ${n}, the same.` : `Counted again: ${again.now}, was ${n}.`}
                  </p>
                  <details>
                    <summary className="hit cursor-pointer">Counted statements</summary>
                    <ul className="grid gap-2">
                      {again.statements.map(({ signal_id, text, citation, occurred_at, customers }) => (
                        <li key={signal_id}>
                          <Quote text={text} citation={citation} at={occurred_at}>
                            <Outside text={customers.join(', ')} most={80} />
                          </Quote>
                        </li>
                      ))}
                    </ul>
                    {again.statements.length === 20 && <p className="text-soft">Only the newest 20 are shown.</p>}
                  </details>
                </>
              )}
            </li>
          );
        })}
      </ul>
      <div>
        <button
          type="button"
          className="control"
          disabled={query.isFetching}
          onClick={() => (asked ? void query.refetch() : setAsked(true))}
        >
          {query.isFetching ? 'Counting…' : 'Count again'}
        </button>
      </div>
      {query.isError && <Failure error={query.error} retry={() => void query.refetch()} />}
    </section>
  );
}

/** The first source that has a passage: where Enter leads. */
export const firstPassage = (draft: TracedDraft, statement: TracedStatement): TracedSource | undefined =>
  sourcesOf(draft, statement).find(({ citation }) => citation !== null);
