import { useState } from 'react';
import type { Breach, LedgerCheck } from '../../../../contracts/activities/governance/ledger.ts';
import type { Job } from '../../../../contracts/jobs.ts';
import { call } from '../../api/call.ts';
import { useAct } from '../../api/act.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { TextField, useTyped } from '../../ui/Field.tsx';
import { Facts } from '../../ui/Page.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Id } from '../../ui/Text.tsx';

type Verified = Partial<LedgerCheck> & { job_id: string; status: string; contains?: { link: string; at: string } | null };

/** Holds the ledger against its chain, and a head that was kept elsewhere against the links. */
export function Verify() {
  const [head, setHead] = useTyped('ledger head');
  const [found, setFound] = useState<Verified | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const verify = useAct('system.ledger.verify', (answer) => {
    const first = answer.data as Verified;
    setFailed(null);
    setFound(first);
    if (first.intact === undefined) void waitFor(first, setFound, setFailed);
  });
  const wanted = head.trim().toLowerCase();
  const wrong = wanted !== '' && !/^[0-9a-f]{64}$/.test(wanted);
  return (
    <Panel title="Verify the ledger">
      {() => (
        <div className="grid gap-3 p-4">
          <TextField
            label="Earlier head (optional)"
            value={head}
            onChange={setHead}
            error={wrong ? 'A head has 64 characters from 0 to 9 and a to f.' : undefined}
          />
          <ActButton
            tool="system.ledger.verify"
            act={verify}
            disabled={wrong}
            args={() => (wanted === '' ? {} : { head: wanted })}
            className="justify-self-start"
          >
            Verify
          </ActButton>
          <Outcome act={verify} />
          {failed !== null && <p role="alert">{failed}</p>}
          {found && <Found found={found} />}
        </div>
      )}
    </Panel>
  );
}

/** Waits for the job of a long verification, without polling. */
async function waitFor(first: Verified, tell: (found: Verified) => void, fail: (text: string) => void): Promise<void> {
  try {
    for (;;) {
      const { job } = await call<{ job: Job }>('system.job.get', { job_id: first.job_id, wait_seconds: 60 });
      if (job.status === 'completed') return tell({ ...first, ...(job.result as unknown as LedgerCheck), status: job.status });
      if (job.finished_at !== null) return fail(job.error?.message ?? `The verification was ${job.status}.`);
    }
  } catch (error) {
    fail((error as Error).message);
  }
}

function Found({ found }: { found: Verified }) {
  const { intact, contains, head } = found;
  return (
    <div role="status" className="grid gap-2">
      <Aspect is={intact === undefined ? 'held' : intact ? 'clear' : 'stop'}>
        {intact === undefined
          ? 'The ledger is being verified…'
          : intact
            ? 'Intact: nothing was changed, removed or inserted.'
            : 'Not intact.'}
      </Aspect>
      {contains !== undefined && (
        <Aspect is={contains ? 'clear' : 'stop'}>
          {contains ? `The head belongs to this chain, at link ${contains.link}.` : 'The head does not belong to this chain.'}
        </Aspect>
      )}
      {found.breaches && found.breaches.length > 0 && <Breaches all={found.breaches} />}
      {intact !== undefined && (
        <Facts
          rows={[
            ['Entries', found.events?.toLocaleString('en')],
            ['Links', found.links?.toLocaleString('en')],
            ['Not linked yet', found.unlinked],
            ['Head', head && <Id>{head.hash}</Id>],
            ['Link of the head', head?.link],
          ]}
        />
      )}
    </div>
  );
}

const Breaches = ({ all }: { all: Breach[] }) => (
  <ul aria-label="Breaches" className="grid gap-1">
    {all.map(({ kind, event_id, link, what }, i) => (
      <li key={i} className="border-l-4 border-stop bg-sunk p-2">
        <strong>{kind.replace('_', ' ')}</strong>
        {event_id !== undefined && `, entry ${event_id}`}
        {link !== undefined && `, link ${link}`}: {what}
      </li>
    ))}
  </ul>
);
