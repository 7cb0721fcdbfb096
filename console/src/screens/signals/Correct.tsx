import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useAct } from '../../api/act.ts';
import { useShortcuts } from '../../keys.ts';
import { Outcome, useMay } from '../../ui/Act.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { toast } from '../../ui/toasts.tsx';
import { corrections, fields, undoOf, type Corrected, type Field } from './model.ts';
import { worded } from '../../ui/words.ts';

const tool = 'signal.record.correct';

interface Done {
  signalId: string;
  undo: ReturnType<typeof undoOf>;
}

/**
 * What a statement really is, by digits: `f` chooses the field, a digit its value, `u` takes the last one back.
 * @param onRemoved it was no statement of a customer
 */
export function Correct({ signal, onRemoved }: { signal: Corrected & { signal_id: string }; onRemoved: () => void }) {
  const may = useMay()(tool);
  const [field, setField] = useState<Field>('class');
  const [removing, setRemoving] = useState(false);
  const [last, setLast] = useState<Done | null>(null);
  const act = useAct(tool);
  const now = useRef({ signal, last, busy: act.busy });
  useLayoutEffect(() => {
    now.current = { signal, last, busy: act.busy };
  });
  const { run } = act;
  const say = useCallback(
    async (value: string, of: Field) => {
      const { signal: before, busy } = now.current;
      if (busy || before[of] === value) return;
      const answer = await run({ signal_id: before.signal_id, [of]: value });
      if (answer?.status !== 'success') return;
      if (value === 'none') return onRemoved();
      setLast({ signalId: before.signal_id, undo: undoOf(before, of) });
      toast(`${worded(of)}: ${worded(value)}`);
    },
    [run, onRemoved],
  );
  const choose = useCallback((value: string, of: Field) => (value === 'none' ? setRemoving(true) : void say(value, of)), [say]);
  const undo = useCallback(async () => {
    const { last: done, busy } = now.current;
    if (busy || !done) return;
    if (!done.undo) return toast('It had no tone before, so this correction cannot be undone.');
    const answer = await run({ signal_id: done.signalId, ...done.undo });
    if (answer?.status !== 'success') return;
    setLast(null);
    toast('Undone');
  }, [run]);
  const allowed = may !== 'deny';
  useShortcuts(
    useMemo(
      () =>
        allowed
          ? [
              ...corrections[field].map((value, i) => ({
                keys: String(i + 1),
                label: `Correct the ${field}: ${worded(value)}`,
                run: () => choose(value, field),
              })),
              {
                keys: 'f',
                label: 'Next field to correct',
                run: () => setField((old) => fields[(fields.indexOf(old) + 1) % fields.length]!),
              },
              { keys: 'u', label: 'Undo the last correction', run: () => void undo() },
            ]
          : [],
      [allowed, field, choose, undo],
    ),
  );
  if (!allowed) return null;
  return (
    <section aria-label="Correct" className="grid gap-2 border-t border-line p-4">
      <h3 className="flex items-center gap-2">
        Correct
        {may === 'ask' && <span className="font-normal text-soft">(needs approval)</span>}
      </h3>
      {fields.map((each) => (
        <div
          key={each}
          role="group"
          aria-label={each}
          className={`grid gap-1 rounded-card border p-2 ${each === field ? 'border-route' : 'border-line'}`}
        >
          <button
            type="button"
            className="hit justify-self-start gap-2 rounded text-soft"
            aria-pressed={each === field}
            onClick={() => setField(each)}
          >
            {each}
            {each === field ? (
              <kbd aria-hidden="true" className="font-mono text-xs">
                1–{corrections[each].length}
              </kbd>
            ) : null}
          </button>
          <div className="flex flex-wrap gap-1">
            {corrections[each].map((value, i) => (
              <button
                key={value}
                type="button"
                className={`control px-2 ${signal[each] === value ? 'border-ink font-semibold' : ''}`}
                aria-pressed={signal[each] === value}
                disabled={act.busy}
                onClick={() => choose(value, each)}
              >
                {each === field && (
                  <kbd aria-hidden="true" className="font-mono text-xs text-soft">
                    {i + 1}
                  </kbd>
                )}
                {value === 'none' ? 'no statement' : worded(value)}
              </button>
            ))}
          </div>
        </div>
      ))}
      <p className="flex flex-wrap items-center gap-3">
        <button type="button" className="control" disabled={!last || act.busy} onClick={() => void undo()}>
          Undo <kbd className="font-mono text-xs text-soft">u</kbd>
        </button>
        <span className="text-xs text-soft">
          <kbd>f</kbd> next field. The correction stays when the document is read again.
        </span>
      </p>
      <Outcome act={act} />
      <Dialog open={removing} onClose={() => setRemoving(false)} title="Remove this statement?">
        <p>Remove it if it is not a statement of a customer. All counts and future drafts leave it out. This cannot be undone here.</p>
        <div className="flex justify-end gap-3">
          <button type="button" className="control" onClick={() => setRemoving(false)}>
            Cancel
          </button>
          <button
            type="button"
            className="control border-stop text-stop"
            onClick={() => {
              setRemoving(false);
              void say('none', 'class');
            }}
          >
            Remove it
          </button>
        </div>
      </Dialog>
    </section>
  );
}
