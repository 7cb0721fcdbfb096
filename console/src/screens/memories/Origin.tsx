import type { MemoryOrigin } from '../../../../contracts/knowledge/memory.ts';
import { Outside, visible } from '../../ui/Outside.tsx';
import { CitationLink } from '../../ui/Passage.tsx';
import { RecordLink } from '../../ui/Text.tsx';
import { documentOf } from './model.ts';

/**
 * Where a memory was taken from: the words, who said them, and the way to the passage if the conversation is a document.
 * @param bare without the words
 */
export function Origin({ origin, bare = false }: { origin: MemoryOrigin; bare?: boolean }) {
  const { citation, quote, speaker, turn } = origin;
  const document = documentOf(origin);
  return (
    <div className="min-w-0 border-l-4 border-line pl-3">
      {!bare && (
        <blockquote>
          <Outside text={quote} most={600} />
        </blockquote>
      )}
      <p className="flex flex-wrap items-center gap-x-3 text-soft">
        <span>
          {speaker !== null && (
            <>
              <Outside text={speaker} most={80} />,{' '}
            </>
          )}
          turn {turn + 1} of {document === null ? 'a pasted conversation, of which nothing else is kept' : 'a conversation'}
        </span>
        {citation === undefined ? (
          document !== null && (
            <RecordLink type="document" id={document}>
              Document
            </RecordLink>
          )
        ) : (
          <CitationLink citation={citation} quote={quote} label={`Passage of: ${visible(quote, 60)}`}>
            Passage
          </CitationLink>
        )}
      </p>
    </div>
  );
}
