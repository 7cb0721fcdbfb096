import { useState } from 'react';
import type { ReviewCase, ReviewSide } from '../../../../contracts/graph/graph.ts';
import { Outside } from '../../ui/Outside.tsx';
import { CitationLink, Marked } from '../../ui/Passage.tsx';
import { RecordLink } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';
import { Mentions } from '../entity/Entity.tsx';
import { consequenceOf } from './model.ts';
import { Weights } from './Weights.tsx';
import { counted } from '../../ui/words.ts';

interface Acts {
  same: () => void;
  different: () => void;
  undo: () => void;
}

/** One question: both sides, what a yes does, and what the matcher weighed, unless that is hidden until the answer. */
export function Case({
  review,
  blind,
  onBlind,
  both,
  acts,
  onLater,
  onBoth,
  undo,
}: {
  review: ReviewCase;
  blind: boolean;
  onBlind: (blind: boolean) => void;
  both: boolean;
  acts: Acts | null;
  onLater: () => void;
  onBoth: () => void;
  undo: boolean | undefined;
}) {
  const [peeked, setPeeked] = useState(false);
  const { a, b, consequence, match } = review;
  const hidden = blind && !peeked;
  return (
    <div className="grid gap-4">
      <div className="grid items-start gap-4 md:grid-cols-2">
        <Side side={a} letter="A" />
        <Side side={b} letter="B" />
      </div>
      <p className="border-l-4 border-route bg-sunk p-3">
        If yes:{' '}
        <strong>
          <Outside text={consequence.moves} most={100} />
        </strong>{' '}
        {consequenceOf(consequence).split(';')[0]}{' '}
        <strong>
          <Outside text={consequence.keeps} most={100} />
        </strong>
        {consequenceOf(consequence).includes(';') && `; ${consequenceOf(consequence).split('; ')[1]}`}.
      </p>
      <div className="flex flex-wrap gap-3">
        {acts && (
          <>
            <Key keys="y" onClick={acts.same} primary>
              Same
            </Key>
            <Key keys="n" onClick={acts.different} primary>
              Different
            </Key>
          </>
        )}
        <Key keys="l" onClick={onLater}>
          Later
        </Key>
        <Key keys="o" onClick={onBoth} expanded={both}>
          Open both
        </Key>
        {acts && (
          <Key keys="u" onClick={acts.undo} disabled={!undo}>
            Undo last
          </Key>
        )}
      </div>
      <section aria-label="The matcher’s result" className="card grid gap-3 p-4">
        <div className="flex flex-wrap items-center gap-3">
          <label className="hit gap-2">
            <input type="checkbox" className="size-4" checked={blind} onChange={({ target }) => onBlind(target.checked)} />
            Hide the matcher’s result until I have answered
          </label>
          {hidden && match && (
            <button type="button" className="control" onClick={() => setPeeked(true)}>
              Show it for this review
            </button>
          )}
        </div>
        {hidden ? (
          <p className="text-soft">It is hidden so that it does not influence your answer.</p>
        ) : (
          <>
            <ul className="list-disc pl-5">
              {review.evidence.map((text, i) => (
                <li key={i}>
                  <Outside text={text} />
                </li>
              ))}
            </ul>
            {match ? <Weights match={match} /> : <p className="text-soft">The matcher did not compare them.</p>}
          </>
        )}
      </section>
      {both && (
        <div className="grid items-start gap-4 md:grid-cols-2">
          {[a, b].map((side, i) =>
            side.entity_id === null ? (
              <p key={i} className="text-soft">
                It is a name only, not an entity yet.
              </p>
            ) : (
              <div key={i} className="min-w-0">
                <Mentions id={side.entity_id} label={`Passages of ${'AB'[i]}`} />
              </div>
            ),
          )}
        </div>
      )}
    </div>
  );
}

function Key({
  keys,
  onClick,
  children,
  disabled = false,
  primary = false,
  expanded,
}: {
  keys: string;
  onClick: () => void;
  children: string;
  disabled?: boolean;
  primary?: boolean;
  expanded?: boolean;
}) {
  return (
    <button
      type="button"
      className={`control ${primary ? 'border-route font-semibold' : ''}`}
      disabled={disabled}
      aria-expanded={expanded}
      onClick={onClick}
    >
      {children}
      <kbd aria-hidden="true" className="font-mono text-xs text-soft max-sm:hidden">
        {keys}
      </kbd>
    </button>
  );
}

function Side({ side, letter }: { side: ReviewSide; letter: string }) {
  const id = `side-${letter}`;
  return (
    <section aria-labelledby={id} className="card grid min-w-0 gap-2 p-4">
      <h3 id={id} className="text-lg">
        <span className="text-soft">{letter}</span>{' '}
        {side.entity_id === null ? (
          <Outside text={side.name} most={160} />
        ) : (
          <RecordLink type="entity" id={side.entity_id}>
            <Outside text={side.name} most={160} />
          </RecordLink>
        )}
      </h3>
      <p className="flex flex-wrap gap-x-4 text-soft">
        <span>{side.type}</span>
        <span>{counted(side.mentions, 'mention')}</span>
        <span>{counted(side.signals, 'document')}</span>
        {side.facts > 0 && <span>{counted(side.facts, 'fact')}</span>}
        {side.first_seen_at && (
          <span>
            first <Age at={side.first_seen_at} />
          </span>
        )}
        {side.last_seen_at && (
          <span>
            last <Age at={side.last_seen_at} />
          </span>
        )}
      </p>
      {side.aliases.length > 0 && (
        <p>
          <span className="text-soft">also</span> <Outside text={side.aliases.slice(0, 12).join(', ')} />
        </p>
      )}
      <ul aria-label={`Passages of ${letter}`} className="grid gap-2">
        {side.passages.map((passage) => (
          <li key={passage.citation} className="border-l-2 border-line pl-3">
            <Marked text={passage.content} marks={passage.marks.map((mark) => ({ ...mark, is: 'match' as const }))} />
            <span className="block text-xs text-soft">
              <CitationLink citation={passage.citation}>
                <Outside text={passage.title} most={60} />
              </CitationLink>{' '}
              <Age at={passage.occurred_at} />
            </span>
          </li>
        ))}
        {side.passages.length === 0 && <li className="text-soft">No passage names it.</li>}
      </ul>
    </section>
  );
}
