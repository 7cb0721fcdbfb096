import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Outside } from '../../ui/Outside.tsx';
import { Age } from '../../ui/Time.tsx';

/** The address of a citation, `{document_id}#{ordinal}`. */
export function passageOf(citation: string): { to: string; hash: string } {
  const [document = '', ordinal = ''] = citation.split('#');
  return { to: `/console/documents/${encodeURIComponent(document)}`, hash: ordinal };
}

/** To the passage in its document. */
export const PassageLink = ({ citation, label, children }: { citation: string; label?: string; children?: ReactNode }) => (
  <Link {...passageOf(citation)} className="hit min-w-0" data-passage={citation} aria-label={label}>
    {children ?? 'Passage'}
  </Link>
);

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
        {citation !== null && <PassageLink citation={citation} label={`Passage of: ${text.slice(0, 60)}`} />}
      </p>
    </div>
  );
}
