import { useState, type ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import type { Approval } from '../../../contracts/governance/policy.ts';
import type { Act } from '../api/act.ts';
import { useRead } from '../api/call.ts';
import { CallError } from '../api/errors.ts';
import { useSession } from '../api/session.ts';
import { hasScreen } from '../screens.ts';
import { Aspect } from './Aspect.tsx';
import { Dialog } from './Dialog.tsx';
import { TextField } from './Field.tsx';
import { Json } from './Text.tsx';
import { Age, span, useNow } from './Time.tsx';

/** What the signed-in key gets from the policy for a tool. Shows and hides controls; the server decides again. */
export function useMay(): (tool: string) => 'allow' | 'ask' | 'deny' {
  const { data: facts } = useSession();
  return (tool) => {
    const effect = facts?.may[tool];
    return effect === undefined || effect === 'deny' ? 'deny' : effect === 'allow' ? 'allow' : 'ask';
  };
}

/**
 * A button that calls a tool. Absent when the key may not; "Ask to …" when a person decides first.
 * @param confirm asks before it acts; with `type`, the user types that name
 */
export function ActButton({
  tool,
  act,
  args,
  children,
  label,
  confirm,
  keys,
  disabled = false,
  className = '',
}: {
  tool: string;
  act: Act;
  args: () => object;
  /** A verb: "Release". */
  children: string;
  /** For screen readers, where the verb alone does not say of what. */
  label?: string;
  confirm?: { title: string; text: ReactNode; type?: string };
  /** The shortcut that does the same, shown on the button. */
  keys?: string;
  disabled?: boolean;
  className?: string;
}) {
  const may = useMay()(tool);
  const [asking, setAsking] = useState(false);
  const [typed, setTyped] = useState('');
  if (may === 'deny') return null;
  const text = may === 'ask' ? `Ask to ${children.charAt(0).toLowerCase()}${children.slice(1)}` : children;
  const go = (): void => {
    setAsking(false);
    setTyped('');
    void act.run(args());
  };
  return (
    <>
      <button
        type="button"
        className={`control ${className}`}
        disabled={act.busy || act.state.is === 'waits'}
        // What cannot be done yet stays in the order of Tab, so that a keyboard finds why.
        aria-disabled={disabled || undefined}
        aria-label={label && `${text}: ${label}`}
        onClick={() => !disabled && (confirm ? setAsking(true) : go())}
      >
        {act.busy ? `${text}…` : text}
        {keys && (
          <kbd aria-hidden="true" className="font-mono text-xs text-soft max-sm:hidden">
            {keys}
          </kbd>
        )}
      </button>
      {confirm && (
        <Dialog open={asking} onClose={() => setAsking(false)} title={confirm.title}>
          <div>{confirm.text}</div>
          {confirm.type !== undefined && <TextField label={`Type ${confirm.type} to confirm`} value={typed} onChange={setTyped} />}
          <div className="flex justify-end gap-3">
            <button type="button" className="control" onClick={() => setAsking(false)}>
              Cancel
            </button>
            <button
              type="button"
              className="control border-stop text-stop"
              disabled={confirm.type !== undefined && typed !== confirm.type}
              onClick={go}
            >
              {text}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

/** What came of an action: a lost answer, a wait for a person, a refusal with what to do. Nothing while all is well. */
export function Outcome({ act, children }: { act: Act; children?: ReactNode }) {
  const { state } = act;
  if (state.is === 'away') {
    return (
      <p role="status" className="border-l-4 border-caution bg-sunk p-3">
        The answer was lost. The console asks for it again; the call takes effect once. Attempt {state.attempts + 1}.
      </p>
    );
  }
  if (state.is === 'waits') return <Waiting approvalId={state.approvalId} onClose={act.reset} />;
  if (state.is === 'failed') return <Refusal error={state.error} onClose={act.reset} />;
  if (state.is === 'done' && children) return <div role="status">{children}</div>;
  return null;
}

export function Refusal({ error, onClose }: { error: Error; onClose: () => void }) {
  const known = error instanceof CallError ? error : null;
  const now = useNow(1);
  const [until] = useState(() => (known?.retryAfter ? Date.now() + known.retryAfter * 1000 : 0));
  return (
    <div role="alert" className="flex flex-wrap items-start gap-3 border-l-4 border-stop bg-sunk p-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-semibold">{error.message}</p>
        {known?.suggestion && <p>{known.suggestion}</p>}
        {until > now && <p>It may be tried again in {span(until - now)}.</p>}
        {known?.toolCallId && <p className="font-mono text-xs text-soft">{known.toolCallId}</p>}
      </div>
      <button type="button" className="control" onClick={onClose}>
        Close
      </button>
    </div>
  );
}

/** A call that waits for a person: who may decide, until when, and the answer when it is there. */
export function Waiting({ approvalId, onClose }: { approvalId: string; onClose?: () => void }) {
  const { data: read } = useRead<{ approval: Approval }>('approval.request.get', { approval_id: approvalId });
  const data = read?.approval;
  const inbox = '/console/inbox';
  const waits = data === undefined || data.status === 'pending';
  return (
    <div role="status" className="flex flex-wrap items-center gap-3 border-l-4 border-caution bg-sunk p-3">
      <Aspect is={waits ? 'caution' : /^(approved|started|completed)$/.test(data.status) ? 'clear' : 'stop'}>
        {waits ? 'Waits for a person' : data.status === 'completed' ? 'Approved, and done' : `It is ${data.status}`}
      </Aspect>
      {data && waits && (
        <span>
          expires <Age at={data.expires_at} />
        </span>
      )}
      {hasScreen(inbox) ? (
        <Link to={inbox} search={{ id: approvalId }} className="hit">
          Open it in the inbox
        </Link>
      ) : (
        <a href={`/approvals/${approvalId}`} className="hit">
          Open it
        </a>
      )}
      {data?.status === 'completed' && data.answer !== null && (
        <div className="basis-full">
          <Json value={data.answer} label="answer" />
        </div>
      )}
      {onClose && (
        <button type="button" className="control ml-auto" onClick={onClose}>
          Close
        </button>
      )}
    </div>
  );
}
