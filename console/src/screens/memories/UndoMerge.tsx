import type { UndoneMerge } from '../../../../contracts/knowledge/memory.ts';
import { useAct } from '../../api/act.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { toast } from '../../ui/toasts.tsx';
import { counted } from '../../ui/words.ts';

/** Takes a merge back; refused if one of its memories was changed since. @param label of what, for screen readers */
export function UndoMerge({ id, label }: { id: string; label: string }) {
  // Where the merge is listed, it is gone with its button.
  const act = useAct('memory.record.restore', () => toast('The merge was undone.'));
  const done = act.state.is === 'done' ? (act.state.answer.data as UndoneMerge) : null;
  return (
    <div className="grid gap-2">
      {!done && (
        <div>
          <ActButton tool="memory.record.restore" act={act} args={() => ({ merge_id: id })} label={label}>
            Undo the merge
          </ActButton>
        </div>
      )}
      <Outcome act={act}>
        {done && <p>Undone: {counted(done.restored.length, 'memory holds', 'memories hold')} again as before.</p>}
      </Outcome>
    </div>
  );
}
