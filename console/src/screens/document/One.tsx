import type { ReadPassage } from '../../../../contracts/knowledge/reading.ts';
import { Outside } from '../../ui/Outside.tsx';
import { Marked, placeText } from '../../ui/Passage.tsx';
import { RecordLink } from '../../ui/Text.tsx';
import { marksOf } from './model.ts';

/** A passage with what belongs to it in the margin. */
export function One({ passage, target, quote }: { passage: ReadPassage; target: boolean; quote: string }) {
  const place = placeText(passage.place);
  const margin = passage.signals.length + passage.cited_by.length > 0;
  return (
    <article
      id={String(passage.ordinal)}
      tabIndex={-1}
      aria-current={target ? 'true' : undefined}
      aria-label={`Passage ${passage.ordinal}`}
      className={`mb-2 grid scroll-mt-20 gap-x-6 gap-y-2 rounded-card border-l-4 p-3 md:grid-cols-[minmax(0,1fr)_minmax(0,16rem)] ${target ? 'border-token bg-sunk' : 'border-transparent'}`}
    >
      <div className="min-w-0 max-w-[75ch]">
        <p>
          <Marked text={passage.content} marks={marksOf(passage, target, quote)} />
        </p>
        <p className="mt-1 text-xs text-soft">
          {passage.ordinal}
          {place && ' · '}
          <Outside text={place} most={120} />
        </p>
      </div>
      {margin && (
        <ul aria-label={`About passage ${passage.ordinal}`} className="grid content-start gap-1 text-xs">
          {passage.signals.map(({ signal_id, class: kind, severity, author }) => (
            <li key={signal_id} className="border-l-2 border-caution pl-2">
              <RecordLink type="signal" id={signal_id}>
                {kind}
                {severity === 'none' ? '' : `, ${severity}`}
              </RecordLink>{' '}
              {author && <Outside text={author} most={40} />}
            </li>
          ))}
          {passage.cited_by.map(({ draft_id, title, number }) => (
            <li key={`${draft_id} ${number}`} className="border-l-2 border-token pl-2">
              <RecordLink type="draft" id={draft_id}>
                <Outside text={title} most={60} />
              </RecordLink>{' '}
              [{number}]
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}
