import type { ReviewItem } from '../../../../contracts/graph/graph.ts';
import { useAct } from '../../api/act.ts';
import { usePages } from '../../api/call.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Empty } from '../../ui/Panel.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { RecordLink } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';
import { percent } from './model.ts';

const rows = ({ items }: { items: ReviewItem[] }) => items;

/** Reviews that are no longer open, latest first; an answer can be undone. */
export function Past({ status, type }: { status: 'confirmed' | 'rejected' | 'withdrawn'; type: string }) {
  const list = usePages('entity.review.list', { status, ...(type ? { entity_type: type } : {}), limit: 50 }, rows);
  const undo = useAct('entity.change.undo');
  const side = ({ entity_id, name }: ReviewItem['entity_a']) =>
    entity_id === '' ? (
      <Outside text={name} most={80} />
    ) : (
      <RecordLink type="entity" id={entity_id}>
        <Outside text={name} most={80} />
      </RecordLink>
    );
  const columns: Column<ReviewItem>[] = [
    { title: 'A', cell: ({ entity_a }) => side(entity_a) },
    { title: 'B', cell: ({ entity_b }) => side(entity_b) },
    { title: 'Review', cell: ({ action }) => action, wide: true },
    { title: 'Matcher', cell: ({ confidence }) => percent(confidence), wide: true },
    { title: 'By', cell: ({ decided_by }) => decided_by && <Outside text={decided_by} most={40} />, wide: true },
    { title: 'When', cell: ({ decided_at, created_at }) => <Age at={decided_at ?? created_at} />, wide: true },
    ...(status === 'withdrawn'
      ? []
      : [
          {
            title: 'Undo',
            cell: ({ feedback_id, entity_a, entity_b }: ReviewItem) => (
              <ActButton
                tool="entity.change.undo"
                act={undo}
                args={() => ({ feedback_id })}
                label={`${entity_a.name.slice(0, 40)}, ${entity_b.name.slice(0, 40)}`}
              >
                Undo
              </ActButton>
            ),
          },
        ]),
  ];
  return (
    <>
      <Outcome act={undo}>The answer was undone. The review is open again.</Outcome>
      <Table
        label="answered reviews"
        query={list}
        columns={columns}
        keyOf={({ feedback_id }) => feedback_id}
        empty={<Empty>{status === 'withdrawn' ? 'No review was withdrawn.' : 'No review has this answer.'}</Empty>}
      />
    </>
  );
}
