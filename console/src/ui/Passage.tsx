import { Link } from '@tanstack/react-router';
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

/** A citation opens its passage in its document. @param quote what of it is marked there */
export function CitationLink({ citation, quote, children }: { citation: string; quote?: string; children?: React.ReactNode }) {
  const [id, ordinal] = [citation.slice(0, citation.lastIndexOf('#')), citation.slice(citation.lastIndexOf('#') + 1)];
  return (
    <Link
      to={`/console/documents/${encodeURIComponent(id)}`}
      hash={ordinal}
      search={quote === undefined || quote === '' ? {} : { quote }}
      className="hit"
    >
      {children ?? <code className="font-mono text-xs">{citation}</code>}
    </Link>
  );
}
