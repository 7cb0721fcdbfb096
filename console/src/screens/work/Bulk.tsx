import { useState } from 'react';
import { act } from '../../api/act.ts';
import { call } from '../../api/call.ts';
import { useMay } from '../../ui/Act.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextArea } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { RecordLink } from '../../ui/Text.tsx';
import { counted } from '../../ui/words.ts';

const actions = [
  // Held ones are released, failed ones and those in review are sent back.
  { verb: 'Make ready', tool: 'work.task.update_status', field: null, label: '', fixed: { status: 'ready' } },
  { verb: 'Fail', tool: 'work.task.fail', field: 'reason', label: 'Why', fixed: { retry: false } },
  { verb: 'Comment', tool: 'work.task.comment', field: 'body', label: 'Comment', fixed: {} },
] as const;
type Action = (typeof actions)[number];
type Result = { id: string; title: string; error: string | null; waits: boolean };

/** Actions on several tasks: one call for each, with its own answer. */
export function Bulk({ chosen, onClear }: { chosen: ReadonlySet<string>; onClear: () => void }) {
  const may = useMay();
  const [action, setAction] = useState<Action | null>(null);
  const [text, setText] = useState('');
  const [results, setResults] = useState<Result[] | null>(null);
  const [running, setRunning] = useState(false);
  if (chosen.size === 0 && results === null) return null;

  const run = async (one: Action): Promise<void> => {
    setRunning(true);
    const done: Result[] = [];
    for (const id of chosen) {
      let title = '';
      try {
        // Whoever claimed it themselves shows the number of their lease; the server tells it to them alone.
        const { task } = await call<{ task: { title: string | null; description: string; fencing_token: number | null; status: string } }>(
          'work.task.get',
          { task_id: id },
        );
        title = task.title ?? task.description.split('\n', 1)[0]!;
        const token = task.status === 'in_progress' ? task.fencing_token : null;
        const answer = await act(one.tool, {
          task_id: id,
          ...(token === null || one.field === 'body' ? {} : { fencing_token: token }),
          ...(one.field ? { [one.field]: text.trim() } : {}),
          ...one.fixed,
        });
        done.push({ id, title, error: null, waits: answer.status === 'pending_approval' });
      } catch (error) {
        done.push({ id, title, error: (error as Error).message, waits: false });
      }
      setResults([...done]);
    }
    setRunning(false);
    setText('');
    onClear();
  };
  const close = (): void => {
    setAction(null);
    setResults(null);
  };
  const failed = results?.filter(({ error }) => error !== null).length ?? 0;
  return (
    <div role="region" aria-label="Chosen tasks" className="card mb-3 flex flex-wrap items-center gap-3 px-3 py-2">
      <span>{chosen.size} chosen</span>
      {actions
        .filter(({ tool }) => may(tool) !== 'deny')
        .map((one) => (
          <button key={one.verb} type="button" className="control" onClick={() => setAction(one)}>
            {one.verb}…
          </button>
        ))}
      <button type="button" className="control ml-auto" onClick={onClear}>
        Choose none
      </button>
      <Dialog
        open={action !== null}
        onClose={running ? () => {} : close}
        title={`${action?.verb ?? ''}: ${counted(results?.length ?? chosen.size, 'task')}`}
      >
        {results === null ? (
          action?.field && <TextArea label={action.label} value={text} onChange={setText} rows={3} required />
        ) : (
          <>
            <p role="status">
              {results.length - failed} done{failed > 0 && `, ${failed} refused`}
              {running && '…'}
            </p>
            <ul className="grid max-h-64 gap-1 overflow-auto" tabIndex={0} aria-label="Results">
              {results.map(({ id, title, error, waits }) => (
                <li key={id} className={error ? 'text-stop' : ''}>
                  <RecordLink type="task" id={id} /> {title && <Outside text={`${title}: `} most={60} />}
                  {error ?? (waits ? 'waits for a person' : 'done')}
                </li>
              ))}
            </ul>
          </>
        )}
        <div className="flex justify-end gap-3">
          <button type="button" className="control" disabled={running} onClick={close}>
            {results === null ? 'Cancel' : 'Close'}
          </button>
          {results === null && action && (
            <button
              type="button"
              className="control"
              disabled={running || (action.field !== null && text.trim() === '')}
              onClick={() => void run(action)}
            >
              {action.verb}
            </button>
          )}
        </div>
      </Dialog>
    </div>
  );
}
