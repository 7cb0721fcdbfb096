import { Aspect } from '../../ui/Aspect.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { percent, type Decision } from './model.ts';

const looks = {
  sending: ['caution', 'being carried out'],
  done: ['clear', 'done'],
  failed: ['stop', 'refused'],
  undone: ['out', 'undone'],
} as const;

/** What was answered on this visit, the last first, with what the matcher had thought. */
export function Decided({ decisions, undoing, onUndo }: { decisions: Decision[]; undoing: boolean; onUndo?: () => void }) {
  if (decisions.length === 0) return null;
  return (
    <section aria-labelledby="decided" className="card mt-6 p-4">
      <header className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="decided" className="text-lg">
          Answered now
        </h2>
        {onUndo && (
          <button type="button" className="control" disabled={undoing} onClick={onUndo}>
            {undoing ? 'Undoing…' : 'Undo the last'}
          </button>
        )}
      </header>
      <ol aria-live="polite" className="divide-y divide-line">
        {decisions
          .toReversed()
          .slice(0, 50)
          .map(({ feedback_id, names, answer, probability, state, error }) => (
            <li key={feedback_id} data-decision={feedback_id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-1">
              <span className="min-w-0 flex-1 basis-60">
                <Outside text={names[0]} most={60} /> · <Outside text={names[1]} most={60} />
              </span>
              <span>{answer}</span>
              {probability !== null && <span className="text-soft">matcher: {percent(probability)} the same</span>}
              <Aspect is={looks[state][0]}>{looks[state][1]}</Aspect>
              {error && (
                <span role="alert" className="basis-full text-stop">
                  <Outside text={error} />
                </span>
              )}
            </li>
          ))}
      </ol>
    </section>
  );
}
