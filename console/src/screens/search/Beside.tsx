import type { DocumentHead, ReadPassage } from '../../../../contracts/knowledge/reading.ts';
import { useRead } from '../../api/call.ts';
import type { Mark } from '../../ui/marks.ts';
import { Outside } from '../../ui/Outside.tsx';
import { Facts } from '../../ui/Page.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { CitationLink, Marked, placeText, type PassageMark } from '../../ui/Passage.tsx';
import { Id, RecordLink } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';

/** A passage beside the results, with those before and after it one step away. */
export function Beside({ citation, matches }: { citation: string; matches: readonly Mark[] }) {
  const opened = useRead<{ document: DocumentHead; passage: ReadPassage; previous: string | null; next: string | null }>(
    'knowledge.passage.get',
    {
      citation,
      include_mentions: true,
    },
  );
  return (
    <Panel title="Passage" query={opened} aside={<CitationLink citation={citation}>In its document</CitationLink>}>
      {({ document, passage, previous, next }) => {
        const marks: PassageMark[] = [
          ...matches.map((mark) => ({ ...mark, is: 'match' as const })),
          ...(passage.mentions ?? []).map(({ start, end, entity_id: id, name, type }) => ({
            start,
            end,
            is: 'name' as const,
            entity: { id, name, type },
          })),
        ];
        return (
          <>
            <p className="p-4">
              <Marked text={passage.content} marks={marks} />
            </p>
            <Facts
              rows={[
                [
                  'document',
                  <RecordLink key="d" type="document" id={document.document_id}>
                    <Outside text={document.title} most={120} />
                  </RecordLink>,
                ],
                ['place', placeText(passage.place)],
                ['under', passage.context && <Outside text={passage.context} />],
                ['said', document.said_at && <Age at={document.said_at} />],
                ['statements', passage.signals.length || null],
                [
                  'cited by',
                  passage.cited_by.length === 0
                    ? null
                    : passage.cited_by.map(({ draft_id, title, number }) => (
                        <span key={`${draft_id} ${number}`} className="mr-3">
                          <RecordLink type="draft" id={draft_id}>
                            <Outside text={title} most={60} />
                          </RecordLink>{' '}
                          [{number}]
                        </span>
                      )),
                ],
                ['citation', <Id key="c">{citation}</Id>],
              ]}
            />
            <p className="flex gap-3 px-4 pb-4">
              {previous && <CitationLink citation={previous}>Passage before</CitationLink>}
              {next && <CitationLink citation={next}>Passage after</CitationLink>}
            </p>
          </>
        );
      }}
    </Panel>
  );
}
