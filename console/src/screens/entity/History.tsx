import { useAct } from '../../api/act.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Empty } from '../../ui/Panel.tsx';
import { RecordLink } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';
import { told } from './history.ts';
import type { EntityDetail } from './types.ts';

/** The history of the entity; its changes can be undone. */
export function History({ entity }: { entity: EntityDetail }) {
  const undo = useAct('entity.change.undo');
  if (entity.history.length === 0) return <Empty>No changes: the entity was found in documents, and nobody has edited it.</Empty>;
  return (
    <div className="grid gap-3">
      <Outcome act={undo}>
        The change was undone: names, mentions and links are restored. If it answered a review, that review is open again.
      </Outcome>
      <ol aria-label="History" className="divide-y divide-line">
        {entity.history.map((entry, i) => {
          const { text, other } = told(entry);
          return (
            <li key={`${entity.history.length - i}`} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
              <span className="min-w-0 flex-1 basis-60">
                <Outside text={text} />{' '}
                {other && other !== entity.entity_id && (
                  <RecordLink type="entity" id={other}>
                    look at it
                  </RecordLink>
                )}
              </span>
              <span className="text-soft">
                by <Outside text={entry.by} most={40} />, <Age at={entry.at} />
              </span>
              {entry.undoable && entry.change_id !== null && (
                <ActButton
                  tool="entity.change.undo"
                  act={undo}
                  args={() => ({ change_id: entry.change_id })}
                  label={text}
                  confirm={{
                    title: 'Undo this change?',
                    text: <>{<Outside text={text} />}. Names, mentions and links are restored. The same review may be opened again.</>,
                  }}
                >
                  Undo
                </ActButton>
              )}
            </li>
          );
        })}
      </ol>
    </div>
  );
}
