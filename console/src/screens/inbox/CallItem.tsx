import { Link } from '@tanstack/react-router';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Approval } from '../../../../contracts/governance/policy.ts';
import { useAct } from '../../api/act.ts';
import { useRead } from '../../api/call.ts';
import { useShortcuts } from '../../keys.ts';
import { hasScreen } from '../../screens.ts';
import { ActButton, Outcome, useMay } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { TextArea, useTyped } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Facts } from '../../ui/Page.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Id, Json, RecordLink } from '../../ui/Text.tsx';
import { Age, useNow } from '../../ui/Time.tsx';
import { Countdown } from './Countdown.tsx';
import { Earlier } from './Earlier.tsx';
import { Resolve } from './Resolve.tsx';
import { standing, touched } from './model.ts';

/** A call that asked: what exactly would run, why a person is asked, and the decision, bound to what is shown. */
export function CallItem({ id }: { id: string }) {
  const query = useRead<{ approval: Approval }>('approval.request.get', { approval_id: id });
  return (
    <Panel
      title="Call that asks"
      query={query}
      aside={query.data?.approval.status === 'pending' && <Countdown until={query.data.approval.expires_at} />}
    >
      {({ approval }) => <Call approval={approval} />}
    </Panel>
  );
}

function Call({ approval }: { approval: Approval }) {
  const state = standing(approval, useNow(1));
  const { data: tool } = useRead<{ title: string; effect: string; approval: string }>('system.tool.describe', { name: approval.tool });
  const records = touched(approval.arguments);
  const policies = '/console/policies';
  return (
    <div className="grid min-w-0 gap-3 pb-4">
      <div className="px-4 pt-4">
        <p className="font-mono font-semibold">{approval.tool}</p>
        {tool && <p className="text-soft">{tool.title}</p>}
        <p role="status" className="mt-2">
          <Aspect is={state.aspect}>{state.text}</Aspect>
        </p>
        {approval.note !== null && (
          <p className="mt-1">
            <Outside text={approval.note} most={2_000} />
          </p>
        )}
      </div>
      <Facts
        rows={[
          [
            'Asks',
            <>
              <Outside text={approval.requested_by} most={80} /> ({approval.requester_kind})
              {approval.requested_by_me && ': you asked for this'}
            </>,
          ],
          ['Why', <Outside text={approval.reason} most={600} />],
          [
            'Policy',
            hasScreen(policies) ? (
              <Link to={`${policies}/${approval.policy}`} search={{ v: approval.policy_version.split(':')[0]! }} className="hit">
                {approval.policy}
              </Link>
            ) : (
              `${approval.policy}, version ${approval.policy_version.split(':')[0]}`
            ),
          ],
          ['Four eyes', approval.four_eyes ? 'the requester may not decide' : null],
          ['Effect', tool && `${tool.effect}, ${tool.approval}`],
          ['Requested', <Age at={approval.requested_at} />],
          ['Expires', approval.status === 'pending' ? <Age at={approval.expires_at} /> : null],
          [
            'Call',
            <Link to={`/console/calls/${approval.tool_call_id}`} className="hit">
              in the ledger
            </Link>,
          ],
          ['Hash of the arguments', <Id>{approval.input_hash}</Id>],
          [
            'Records',
            records.length === 0 ? null : (
              <ul>
                {records.map(({ type, id }) => (
                  <li key={`${type} ${id}`}>
                    {type} <RecordLink type={type} id={id} />
                  </li>
                ))}
              </ul>
            ),
          ],
        ]}
      />
      <Arguments value={approval.arguments} />
      {state.open && <Decide approval={approval} needsNote={tool?.effect === 'destructive' || /A2/.test(tool?.approval ?? '')} />}
      {!state.open && approval.status === 'pending' && approval.requested_by_me && <TakeBack id={approval.approval_id} />}
      {approval.status === 'ambiguous' && <Resolve id={approval.approval_id} />}
      {approval.answer !== null && (
        <section className="px-4">
          <h3 className="mb-1">Answer</h3>
          <Json value={approval.answer} label="answer" />
        </section>
      )}
      <Earlier approval={approval} />
    </div>
  );
}

/** Field by field for reading, and exactly as the decision is bound to it. Nothing is cut. */
function Arguments({ value }: { value: unknown }) {
  const [exact, setExact] = useState(true);
  const fields = value !== null && typeof value === 'object' ? Object.entries(value) : [];
  return (
    <section className="px-4">
      <div className="mb-1 flex items-center justify-between gap-3">
        <h3>Arguments</h3>
        {fields.length > 0 && (
          <button type="button" className="control" aria-pressed={!exact} onClick={() => setExact(!exact)}>
            By field
          </button>
        )}
      </div>
      {exact ? (
        <Json value={value} label="arguments" whole />
      ) : (
        <dl className="rounded bg-sunk p-3">
          {fields.map(([name, field]) => (
            <div key={name} className="mb-2">
              <dt className="text-soft">
                <Outside text={name} />
              </dt>
              <dd className="whitespace-pre-wrap">
                <Outside text={typeof field === 'string' ? field : JSON.stringify(field, null, 2)} most={Infinity} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

function Decide({ approval, needsNote }: { approval: Approval; needsNote: boolean }) {
  const may = useMay();
  const approve = useAct('approval.request.approve');
  const reject = useAct('approval.request.reject');
  const [note, setNote] = useTyped(`note ${approval.approval_id}`);
  const place = useRef<HTMLDivElement>(null);
  const given = { approval_id: approval.approval_id, ...(note.trim() === '' ? {} : { note: note.trim() }) };
  const busy = approve.busy || reject.busy;
  const mustSayWhy = needsNote && note.trim() === '';
  const yes = () => ({ ...given, input_hash: approval.input_hash, wait_seconds: 10 });
  const now = useRef({ a: () => {}, x: () => {} });
  useLayoutEffect(() => {
    now.current = {
      a: () => void (!busy && may('approval.request.approve') === 'allow' && approve.run(yes())),
      x: () => {
        if (busy || may('approval.request.reject') !== 'allow') return;
        if (mustSayWhy) place.current?.querySelector('textarea')?.focus();
        else void reject.run(given);
      },
    };
  });
  useShortcuts(
    useMemo(
      () => [
        { keys: 'a', label: 'Approve', run: () => now.current.a() },
        { keys: 'x', label: 'Reject', run: () => now.current.x() },
      ],
      [],
    ),
  );
  return (
    <div ref={place} className="grid gap-3 px-4">
      <TextArea
        label="Note"
        rows={2}
        value={note}
        onChange={setNote}
        hint={needsNote ? 'The caller reads it. To reject this call, say why.' : 'The caller reads it.'}
      />
      <div className="flex flex-wrap gap-3">
        <ActButton
          tool="approval.request.approve"
          act={approve}
          disabled={busy}
          args={yes}
          keys="a"
          className="border-proceed text-proceed max-sm:flex-1"
        >
          Approve
        </ActButton>
        <ActButton
          tool="approval.request.reject"
          act={reject}
          disabled={busy || mustSayWhy}
          args={() => given}
          keys="x"
          className="border-stop text-stop max-sm:flex-1"
        >
          Reject
        </ActButton>
      </div>
      <Outcome act={approve} />
      <Outcome act={reject} />
    </div>
  );
}

function TakeBack({ id }: { id: string }) {
  const cancel = useAct('approval.request.cancel');
  return (
    <div className="grid gap-3 px-4">
      <ActButton tool="approval.request.cancel" act={cancel} args={() => ({ approval_id: id })} className="justify-self-start">
        Cancel the request
      </ActButton>
      <Outcome act={cancel} />
    </div>
  );
}
