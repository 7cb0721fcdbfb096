import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Outside } from '../../ui/Outside.tsx';
import { Age } from '../../ui/Time.tsx';

/** A longer quotation would not fit into an address. */
const longest = 1_500;

/** The address of a citation, `{document_id}#{ordinal}`. @param quote what is marked in the passage */
export function passageOf(citation: string, quote: string): { to: string; hash: string; search: Record<string, string> } {
  const [document = '', ordinal = ''] = citation.split('#');
  return {
    to: `/console/documents/${encodeURIComponent(document)}`,
    hash: ordinal,
    search: quote !== '' && quote.length <= longest ? { quote } : {},
  };
}

/** To the passage in its document, where the quotation is marked. */
export const PassageLink = ({ citation, quote, children }: { citation: string; quote: string; children?: ReactNode }) => {
  const { to, hash, search } = passageOf(citation, quote);
  return (
    <Link
      to={to}
      hash={hash}
      search={search}
      className="hit"
      data-passage={citation}
      aria-label={children === undefined ? `Passage of: ${quote.slice(0, 60)}` : undefined}
    >
      {children ?? 'Passage'}
    </Link>
  );
};

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
        {citation !== null && <PassageLink citation={citation} quote={text} />}
      </p>
    </div>
  );
}
