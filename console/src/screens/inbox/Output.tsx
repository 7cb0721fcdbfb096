import { useState } from 'react';
import type { InboxItem } from '../../../../contracts/inbox.ts';
import { useAct } from '../../api/act.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { TextArea, useTyped } from '../../ui/Field.tsx';
import { Code } from '../../ui/LazyCode.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Facts } from '../../ui/Page.tsx';
import { Json, RecordLink } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';
import { readInboxAgain } from './again.ts';

/** What an agent produced, to be accepted, corrected or rejected, once. */
export function Output({ item }: { item: InboxItem }) {
  const data = item.data as { output_kind: string; content: string; agent_version: number; status: string; decided_by: string | null };
  const [correction, setCorrection] = useTyped(`correction ${item.id}`, data.content);
  const [correcting, setCorrecting] = useState(correction !== data.content);
  const [notes, setNotes] = useTyped(`notes ${item.id}`);
  const judge = useAct('agent.output.review', readInboxAgain);
  const args = (decision: string) => () => ({
    output_id: item.id,
    decision,
    ...(decision === 'correct' ? { correction } : {}),
    ...(notes.trim() === '' ? {} : { notes: notes.trim() }),
  });
  return (
    <div className="grid min-w-0 gap-3 pb-4">
      <p className="px-4 pt-4 font-semibold">
        <Outside text={item.title} />
      </p>
      <p role="status" className="px-4">
        <Aspect is={item.open ? 'caution' : data.status === 'rejected' ? 'stop' : 'clear'}>
          {item.open ? 'It waits for your judgement.' : `It was ${data.status}${data.decided_by ? ` by ${data.decided_by}` : ''}.`}
        </Aspect>
      </p>
      <Facts
        rows={[
          ['Agent', item.who && <RecordLink type="agent" id={item.who} />],
          ['Version', data.agent_version],
          ['Kind', data.output_kind],
          ['Created', <Age at={item.since} />],
        ]}
      />
      <div className="px-4">
        {correcting && item.open ? (
          <div className="grid gap-3">
            <TextArea label="Correction" mono rows={12} value={correction} onChange={setCorrection} />
            {correction !== data.content && <Code label="Corrected output" before={data.content} value={correction} />}
          </div>
        ) : (
          <Json value={data.content} label="output" />
        )}
      </div>
      {item.open && (
        <div className="grid gap-3 px-4">
          <TextArea label="Note" rows={2} value={notes} onChange={setNotes} hint="The agent reads it." />
          <div className="flex flex-wrap gap-3">
            {correcting ? (
              <>
                <ActButton tool="agent.output.review" act={judge} disabled={correction === data.content} args={args('correct')}>
                  Save the correction
                </ActButton>
                <button
                  type="button"
                  className="control"
                  onClick={() => {
                    setCorrection(data.content);
                    setCorrecting(false);
                  }}
                >
                  Cancel the correction
                </button>
              </>
            ) : (
              <>
                <ActButton tool="agent.output.review" act={judge} args={args('accept')} className="border-proceed text-proceed">
                  Accept
                </ActButton>
                <button type="button" className="control" onClick={() => setCorrecting(true)}>
                  Correct…
                </button>
                <ActButton tool="agent.output.review" act={judge} args={args('reject')} className="border-stop text-stop">
                  Reject
                </ActButton>
              </>
            )}
          </div>
          <Outcome act={judge} />
        </div>
      )}
    </div>
  );
}
