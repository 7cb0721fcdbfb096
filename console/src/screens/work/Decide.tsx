import { useMemo, useRef } from 'react';
import type { WorkRun } from '../../../../contracts/work/runs.ts';
import { useAct } from '../../api/act.ts';
import { useShortcuts } from '../../keys.ts';
import { ActButton, Outcome, useMay } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { TextArea, useTyped } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { counted } from '../../ui/words.ts';
import { asks } from './run.ts';

const tool = 'work.run.review';

/** What a person decides about a run that was handed in, or that asks. @param remarks comments beside its lines */
export function Decide({ run, remarks }: { run: WorkRun; remarks: number }) {
  const may = useMay()(tool) !== 'deny';
  const [note, setNote] = useTyped(`review ${run.id}`);
  const act = useAct(tool, () => setNote(''));
  const form = useRef<HTMLDivElement>(null);
  const question = asks(run);
  const handedIn = run.state === 'review';
  const open = may && (handedIn || question || (run.state === 'approved' && run.merged_commit === null));
  const { run: go, busy } = act;
  useShortcuts(
    useMemo(
      () =>
        open
          ? [
              ...(handedIn
                ? [{ keys: 'a', label: 'Approve the run', run: () => void (busy || go({ run_id: run.id, verdict: 'approve' })) }]
                : []),
              { keys: 'b', label: 'Note for sending the run back', run: () => form.current?.querySelector('textarea')?.focus() },
            ]
          : [],
      [open, handedIn, busy, go, run.id],
    ),
  );
  const text = note.trim();
  const said = text === '' ? {} : { note: text };
  return (
    <div ref={form} className="grid gap-3 px-4 pt-4 empty:hidden">
      {run.state === 'approved' && (
        <p role="status">
          <Aspect is="caution">
            {run.merged_commit === null
              ? 'Approved. It waits for its merge, which the runner does.'
              : 'Approved and merged. Its task is about to be done.'}
          </Aspect>
        </p>
      )}
      {question && (
        <p className="border-l-4 border-caution pl-3">
          {run.outcome === 'question' ? 'The agent asks: ' : 'The agent is blocked: '}
          <Outside text={run.reason ?? 'no reason was given'} most={4_000} />
        </p>
      )}
      {open && (
        <>
          <TextArea
            label={question ? 'Answer, which the next attempt reads' : 'Note, which the next attempt reads'}
            hint={remarks > 0 ? `It also reads ${counted(remarks, 'comment')} beside lines.` : undefined}
            value={note}
            onChange={setNote}
            rows={2}
          />
          <div className="flex flex-wrap justify-end gap-3">
            <ActButton
              tool={tool}
              act={act}
              args={() => ({ run_id: run.id, verdict: 'send_back', ...said })}
              // Without a word the next attempt would do the same again.
              disabled={text === '' && remarks === 0}
              keys="b"
            >
              Send back
            </ActButton>
            {handedIn && (
              <ActButton tool={tool} act={act} args={() => ({ run_id: run.id, verdict: 'approve', ...said })} keys="a">
                Approve
              </ActButton>
            )}
          </div>
        </>
      )}
      <Outcome act={act} />
    </div>
  );
}
