import { useEffect, useState } from 'react';
import type { Approval } from '../../../../contracts/governance/policy.ts';
import type { InboxItem } from '../../../../contracts/inbox.ts';
import { act, useAct } from '../../api/act.ts';
import { useRead } from '../../api/call.ts';
import { ActButton, Outcome, useMay } from '../../ui/Act.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Json } from '../../ui/Text.tsx';
import { readInboxAgain } from './again.ts';
import { Results } from './Letter.tsx';
import { groupOf } from './model.ts';

/** Several chosen items: what is equal is decided together, each as a call of its own. */
export function Group({ items, onDone }: { items: InboxItem[]; onDone: () => void }) {
  const group = groupOf(items);
  return (
    <section aria-label="Chosen" className="grid gap-3 border-t border-edge bg-sunk p-4">
      <div className="flex flex-wrap items-center gap-3">
        <p className="font-semibold">{`${items.length} chosen`}</p>
        <button type="button" className="control ml-auto" onClick={onDone}>
          Choose none
        </button>
      </div>
      {group.can === null && <p className="text-soft">{group.why}</p>}
      {group.can === 'letters' && <Letters ids={items.map(({ id }) => id)} />}
      {group.can === 'decide' && <Calls items={items} />}
    </section>
  );
}

function Letters({ ids }: { ids: string[] }) {
  const retry = useAct('ingest.dlq.retry', readInboxAgain);
  const abandon = useAct('ingest.dlq.abandon', readInboxAgain);
  const args = () => ({ dlq_ids: ids });
  return (
    <>
      <div className="flex flex-wrap gap-3">
        <ActButton tool="ingest.dlq.retry" act={retry} args={args}>
          {`Retry ${ids.length}`}
        </ActButton>
        <ActButton
          tool="ingest.dlq.abandon"
          act={abandon}
          args={args}
          confirm={{ title: `Abandon ${ids.length}?`, text: 'None of them is retried.' }}
          className="border-stop text-stop"
        >
          {`Abandon ${ids.length}`}
        </ActButton>
      </div>
      <Outcome act={retry}>{retry.state.is === 'done' && <Results answer={retry.state.answer} />}</Outcome>
      <Outcome act={abandon}>{abandon.state.is === 'done' && <Results answer={abandon.state.answer} />}</Outcome>
    </>
  );
}

function Calls({ items }: { items: InboxItem[] }) {
  const may = useMay();
  const [note, setNote] = useState('');
  const [said, setSaid] = useState<Record<string, string>>({});
  const [running, setRunning] = useState(false);
  const [looked, setLooked] = useState<Record<string, Approval>>({});
  const decide = async (verb: 'approve' | 'reject'): Promise<void> => {
    setRunning(true);
    for (const { id } of items) {
      const seen = looked[id];
      if (verb === 'approve' && !seen) continue;
      const extra = verb === 'approve' ? { input_hash: seen!.input_hash, wait_seconds: 0 } : {};
      const outcome = await act(`approval.request.${verb}`, {
        approval_id: id,
        ...(note.trim() ? { note: note.trim() } : {}),
        ...extra,
      }).then(
        () => (verb === 'approve' ? 'approved' : 'rejected'),
        (error: Error) => error.message,
      );
      setSaid((before) => ({ ...before, [id]: outcome }));
    }
    setRunning(false);
    readInboxAgain();
  };
  if (may('approval.request.approve') === 'deny') return <p className="text-soft">Your key may not decide on calls.</p>;
  const ready = items.every(({ id }) => looked[id]);
  return (
    <>
      <p>
        <code className="font-mono">{items[0]!.title}</code> by <Outside text={items[0]!.who ?? ''} most={60} />. Each call is decided
        separately.
      </p>
      <ul className="grid gap-3">
        {items.map(({ id }) => (
          <li key={id}>
            <One id={id} onLooked={(approval) => setLooked((before) => (before[id] ? before : { ...before, [id]: approval }))} />
            {said[id] && <p role="status">{said[id]}</p>}
          </li>
        ))}
      </ul>
      <TextField label="Note for all" value={note} onChange={setNote} />
      <div className="flex flex-wrap gap-3">
        <button
          type="button"
          className="control border-proceed text-proceed"
          disabled={running || !ready}
          onClick={() => void decide('approve')}
        >
          {`Approve ${items.length}`}
        </button>
        <button type="button" className="control border-stop text-stop" disabled={running} onClick={() => void decide('reject')}>
          {`Reject ${items.length}`}
        </button>
      </div>
    </>
  );
}

/** The arguments of one call, read for the decision that is bound to them. */
function One({ id, onLooked }: { id: string; onLooked: (approval: Approval) => void }) {
  const { data, isError, error } = useRead<{ approval: Approval }>('approval.request.get', { approval_id: id });
  const approval = data?.approval;
  useEffect(() => {
    if (approval) onLooked(approval);
    // Once for each state of the call.
  }, [approval]);
  if (isError) return <p role="alert">{error.message}</p>;
  return approval ? <Json value={approval.arguments} label={`arguments of ${id}`} whole /> : <p aria-busy="true">…</p>;
}
