import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CitedPlace } from '../../../contracts/knowledge/knowledge.ts';
import { hasScreen } from '../screens.ts';
import { pieces, type Mark } from './marks.ts';
import { Outside } from './Outside.tsx';

/** A stretch of a passage and why it is marked. */
export interface PassageMark extends Mark {
  is: 'match' | 'quote' | 'name' | 'signal';
  /** Of a name: the entity it means. */
  entity?: { id: string; name: string; type: string };
}

const looks = {
  match: 'bg-transparent font-semibold text-route underline decoration-2',
  quote: 'bg-token text-on',
  signal: 'border-b-2 border-caution bg-transparent text-ink',
} as const;

/** A text from outside with stretches of it marked: as `<mark>`, or as links to what names mean. */
export const Marked = ({ text, marks }: { text: string; marks: readonly PassageMark[] }) => (
  <span className="whitespace-pre-wrap">
    {pieces(text, marks).map(({ text: piece, marks: all }, i) => {
      const shown = <Outside key={i} text={piece} most={Infinity} />;
      const name = all.find(({ is }) => is === 'name')?.entity;
      const why = (['quote', 'match', 'signal'] as const).find((is) => all.some((mark) => mark.is === is));
      const marked = why ? (
        <mark key={i} data-mark={why} className={looks[why]}>
          {shown}
        </mark>
      ) : (
        shown
      );
      if (!name || !hasScreen('/console/entities/x')) return marked;
      return (
        <Link
          key={i}
          to={`/console/entities/${encodeURIComponent(name.id)}`}
          title={`${name.type} ${name.name}`}
          className="underline decoration-dotted underline-offset-2"
        >
          {marked}
        </Link>
      );
    })}
  </span>
);

/** Where a passage stands in its source, in words. */
export function placeText(place: CitedPlace): string {
  const { page, slide, sheet, start_line, end_line, start_time, end_time, speaker } = place;
  const lines =
    start_line === undefined
      ? ''
      : end_line === undefined || end_line === start_line
        ? `line ${start_line}`
        : `lines ${start_line}–${end_line}`;
  const time =
    start_time === undefined
      ? ''
      : end_time === undefined || end_time === start_time
        ? short(start_time)
        : `${short(start_time)}–${short(end_time)}`;
  return [page === undefined ? '' : `page ${page}`, slide === undefined ? '' : `slide ${slide}`, sheet ?? '', time, speaker ?? '', lines]
    .filter(Boolean)
    .join(', ');
}

const short = (time: string): string => time.replace(/\.\d+$/, '');

/** A longer quotation would not fit into an address. */
const longest = 1_500;

/** The address of a citation, `{document_id}#{ordinal}`. @param quote what is marked in the passage */
export function addressOf(citation: string, quote = ''): { to: string; hash: string; search: Record<string, string> } {
  const at = citation.lastIndexOf('#');
  return {
    to: `/console/documents/${encodeURIComponent(citation.slice(0, at))}`,
    hash: citation.slice(at + 1),
    search: quote !== '' && quote.length <= longest ? { quote } : {},
  };
}

/** A citation opens its passage in its document. @param label for screen readers, where the text does not say of what */
export const CitationLink = ({
  citation,
  quote,
  label,
  children,
}: {
  citation: string;
  quote?: string | undefined;
  label?: string;
  children: ReactNode;
}) => (
  <Link {...addressOf(citation, quote)} className="hit" data-passage={citation} aria-label={label}>
    {children}
  </Link>
);
