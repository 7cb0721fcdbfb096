import { useState } from 'react';
import { useAct } from '../../api/act.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { Select, TextArea, useTyped } from '../../ui/Field.tsx';

/** A call was started and never reported: a person looks and says what became of it. */
export function Resolve({ id }: { id: string }) {
  const [outcome, setOutcome] = useState<'completed' | 'failed'>('completed');
  const [note, setNote] = useTyped(`resolve ${id}`);
  const act = useAct('approval.request.resolve');
  return (
    <div className="grid gap-3 px-4">
      <p>
        The call was started; whether it took effect is unknown. It is not run again. Check what it would have changed, and record the
        outcome.
      </p>
      <Select
        label="Outcome"
        value={outcome}
        onChange={setOutcome}
        options={[
          ['completed', 'it took effect'],
          ['failed', 'it did not'],
        ]}
      />
      <TextArea label="How you checked" rows={2} value={note} onChange={setNote} required />
      <ActButton
        tool="approval.request.resolve"
        act={act}
        disabled={note.trim() === ''}
        args={() => ({ approval_id: id, outcome, note: note.trim() })}
        className="justify-self-start"
      >
        Record the outcome
      </ActButton>
      <Outcome act={act} />
    </div>
  );
}
