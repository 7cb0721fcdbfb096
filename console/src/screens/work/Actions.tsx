import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useAct } from '../../api/act.ts';
import { useRead } from '../../api/call.ts';
import { ActButton, Outcome, useMay } from '../../ui/Act.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextArea, useTyped } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { toast } from '../../ui/toasts.tsx';
import { headline } from './model.ts';
import { movesOf, type Move, type Moved } from './moves.ts';

/** The moves of one task as buttons: what dragging does, by keyboard and touch, too. */
export function Actions({
  task,
  chosen,
  onClose,
  onAsking,
}: {
  task: Moved & { description: string };
  /** The move that a drop meant. */
  chosen?: Move | undefined;
  onClose: () => void;
  onAsking: (id: string, asking: boolean) => void;
}) {
  const may = useMay();
  const [move, setMove] = useState<Move | undefined>(chosen);
  const moves = movesOf(task).filter(({ tool }) => may(tool) !== 'deny');
  return (
    <Dialog open onClose={onClose} title={move ? `${move.verb}?` : 'Actions'}>
      <p className="text-soft">
        <Outside text={headline(task.description)} />
      </p>
      {move ? (
        <One key={move.verb} task={task} move={move} onClose={onClose} onAsking={onAsking} />
      ) : (
        <ul className="grid gap-2">
          {moves.map((one) => (
            <li key={one.verb}>
              <button type="button" className="control w-full justify-start" onClick={() => setMove(one)}>
                {one.verb}
              </button>
            </li>
          ))}
          {moves.length === 0 && (
            <li className="text-soft">
              {task.status === 'blocked'
                ? 'It becomes ready by itself when its blockers are done.'
                : task.status === 'done'
                  ? 'What is done stays done.'
                  : 'Your key may not act on it.'}
            </li>
          )}
          <li>
            <Link to="/console/work/$id" params={{ id: task.id }} className="control w-full justify-start no-underline">
              Open
            </Link>
          </li>
        </ul>
      )}
    </Dialog>
  );
}

function One({
  task,
  move,
  onClose,
  onAsking,
}: {
  task: Moved;
  move: Move;
  onClose: () => void;
  onAsking: (id: string, asking: boolean) => void;
}) {
  const [text, setText] = useTyped(`${move.verb} ${task.id}`);
  const act = useAct(move.tool, () => {
    setText('');
    toast(`${move.verb}: asked, and done`);
    onClose();
  });
  // Whoever claimed it themselves shows the number of their lease, as agents do; the server tells it to them alone.
  const own = useRead<{ task: { fencing_token: number | null } }>('work.task.get', { task_id: task.id }, task.status === 'in_progress');
  const token = own.data?.task.fencing_token ?? null;
  const { busy } = act;
  useEffect(() => {
    onAsking(task.id, busy);
    return () => onAsking(task.id, false);
  }, [busy, onAsking, task.id]);
  const { text: field } = move;
  return (
    <>
      <p>{move.words}</p>
      {field && (
        <TextArea
          label={field.required ? field.label : `${field.label} (may be left empty)`}
          value={text}
          onChange={setText}
          rows={3}
          required={field.required}
        />
      )}
      <Outcome act={act} />
      <div className="flex justify-end gap-3">
        <button type="button" className="control" onClick={onClose}>
          Cancel
        </button>
        <ActButton
          tool={move.tool}
          act={act}
          disabled={(Boolean(field?.required) && text.trim() === '') || own.isLoading}
          args={() => ({
            ...move.args,
            ...(token === null ? {} : { fencing_token: token }),
            ...(field && text.trim() ? { [field.field]: text.trim() } : {}),
          })}
        >
          {move.verb}
        </ActButton>
      </div>
    </>
  );
}
