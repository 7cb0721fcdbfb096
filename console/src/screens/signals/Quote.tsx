import type { ReactNode } from 'react';
import { Outside } from '../../ui/Outside.tsx';
import { CitationLink } from '../../ui/Passage.tsx';
import { Age } from '../../ui/Time.tsx';

/** A statement of a customer, with the way to its passage. */
export function Quote({
  text,
  citation,
  at,
  children,
}: {
  text: string;
  citation: string | null;
  at: string;
  /** Who, where, how. */
  children?: ReactNode;
}) {
  return (
    <div className="min-w-0 border-l-4 border-line pl-3">
      <blockquote>
        <Outside text={text} most={600} />
      </blockquote>
      <p className="flex flex-wrap items-center gap-x-3 text-soft">
        {children}
        <Age at={at} />
        {citation !== null && (
          <CitationLink citation={citation} quote={text} label={`Passage of: ${text.slice(0, 60)}`}>
            Passage
          </CitationLink>
        )}
      </p>
    </div>
  );
}
