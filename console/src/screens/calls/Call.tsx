import { Link, useParams } from '@tanstack/react-router';
import type { CallDetail } from '../../../../contracts/governance/calls.ts';
import type { LedgerEntry } from '../../../../contracts/governance/ledger.ts';
import { useRead } from '../../api/call.ts';
import { CallError } from '../../api/errors.ts';
import { hasScreen } from '../../screens.ts';
import { useMay } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Facts, Page } from '../../ui/Page.tsx';
import { Empty, NoRight, Panel } from '../../ui/Panel.tsx';
import { Copy } from '../../ui/Copy.tsx';
import { Id, RefLink } from '../../ui/Text.tsx';
import { Age, Clock } from '../../ui/Time.tsx';
import { duration, outcomeOf } from './model.ts';
import { Steps } from './Steps.tsx';
import { worded } from '../../ui/words.ts';

/** One call: who, why it was allowed, how it ended, what it touched, and where its time went. */
export default function Call() {
  const { id } = useParams({ strict: false }) as { id: string };
  const may = useMay();
  const allowed = may('system.call.get') !== 'deny';
  const query = useRead<{ call: CallDetail }>('system.call.get', { tool_call_id: id }, allowed);
  if (!allowed) {
    return (
      <Page title="Call">
        <NoRight tool="system.call.get" scope="ledger:read" />
      </Page>
    );
  }
  const call = query.data?.call;
  if (query.error instanceof CallError && query.error.status === 404) {
    return (
      <Page title="Call" above={<Link to="/console/ledger">Ledger</Link>}>
        <Empty>{`The ledger has no call ${id}. Entries past their retention are gone; the entry of a new call appears within a second.`}</Empty>
      </Page>
    );
  }
  return (
    <Page
      title={call?.tool ?? 'Call'}
      above={
        <Link to="/console/ledger" className="hit">
          Ledger
        </Link>
      }
      actions={<Copy text={location.href} label="Copy link" />}
    >
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_minmax(0,34rem)]">
        <div className="grid min-w-0 gap-4">
          <Panel title="Time breakdown" query={query}>
            {({ call: one }) => <Steps steps={one.steps} own={one.tool_call_id} />}
          </Panel>
          {call && <Entries entries={call.entries} />}
        </div>
        <div className="grid min-w-0 gap-4">
          <Panel title="The call" query={query}>
            {({ call: one }) => <About call={one} />}
          </Panel>
          {call && <Effects call={call} />}
        </div>
      </div>
    </Page>
  );
}

function About({ call }: { call: CallDetail }) {
  const by = { search: { principal: call.principal } };
  const policies = '/console/policies';
  const [policy, version] = call.policy?.split('@') ?? [];
  const tools = `/console/tools/${call.tool}`;
  return (
    <Facts
      rows={[
        ['Outcome', <Aspect is={call.error_code ? 'stop' : call.status === 'success' ? 'clear' : 'caution'}>{outcomeOf(call)}</Aspect>],
        [
          'Tool',
          hasScreen(tools) ? (
            <Link to={tools} className="hit">
              {call.tool}
            </Link>
          ) : (
            call.tool
          ),
        ],
        ['Called as', call.called_as === call.tool ? null : <Outside text={call.called_as} />],
        [
          'By',
          <>
            <Link to="/console/ledger" {...by} className="hit">
              <Outside text={call.principal} most={80} />
            </Link>{' '}
            ({call.principal_kind}, {call.persona})
          </>,
        ],
        ['Front', call.front],
        [
          'Policy',
          policy === undefined ? null : hasScreen(policies) ? (
            <Link to={`${policies}/${policy}`} search={{ v: version?.split(':')[0] ?? '' }} className="hit">
              {policy}
            </Link>
          ) : (
            `${policy}, version ${version?.split(':')[0]}`
          ),
        ],
        ['Effect', call.effect],
        ['Started', <Clock at={call.started_at} />],
        ['Ended', call.ended_at && <Clock at={call.ended_at} />],
        ['Duration', call.duration_ms === null ? null : duration(call.duration_ms)],
        ['Tokens', call.tokens],
        ['Approval', call.approval && <ApprovalLine call={call} />],
        ['Requested by', call.asked_by_call && <CallLink id={call.asked_by_call} />],
        ['Ran as', call.ran_as_call && <CallLink id={call.ran_as_call} />],
        ['Arguments', 'not stored, only their hash'],
        ['Hash of the arguments', <Id>{call.input_hash}</Id>],
        ['Key', <Pivot name="key" value={call.key_id} />],
        ['Session', call.session_id && <Pivot name="session" value={call.session_id} />],
        ['Trace', call.trace_id && <Pivot name="trace" value={call.trace_id} />],
        ['Id', <Id>{call.tool_call_id}</Id>],
      ]}
    />
  );
}

const CallLink = ({ id }: { id: string }) => (
  <Link to={`/console/calls/${id}`} className="hit font-mono text-xs">
    {id}
  </Link>
);

const Pivot = ({ name, value }: { name: string; value: string }) => (
  <Link to="/console/ledger" search={{ [name]: value }} className="hit font-mono text-xs">
    {value}
  </Link>
);

function ApprovalLine({ call: { approval } }: { call: CallDetail }) {
  const { approval_id, status, decided_by, decided_at } = approval!;
  return (
    <>
      <Link to="/console/inbox" search={{ id: approval_id }} className="hit">
        {status}
      </Link>
      {decided_by && (
        <>
          {' by '}
          <Outside text={decided_by} most={60} />
        </>
      )}
      {decided_at && (
        <>
          , <Age at={decided_at} />
        </>
      )}
    </>
  );
}

/** What the call answered with, and the processes that it began. */
function Effects({ call }: { call: CallDetail }) {
  return (
    <Panel title="Records">
      {() =>
        call.refs.length === 0 && call.jobs.length === 0 ? (
          <Empty>The call named no records.</Empty>
        ) : (
          <div className="grid gap-3 p-4">
            <ul>
              {call.refs.map((one, i) => (
                <li key={i}>
                  <RefLink one={one} />
                </li>
              ))}
            </ul>
            <ul>
              {call.jobs.map((job) => (
                <li key={job.job_id}>
                  <Outside text={job.title} most={120} />: {job.status}
                  {job.url !== null && (
                    <>
                      {' '}
                      <a href={job.url} className="hit">
                        Open in Temporal
                      </a>
                    </>
                  )}
                </li>
              ))}
            </ul>
          </div>
        )
      }
    </Panel>
  );
}

const Entries = ({ entries }: { entries: LedgerEntry[] }) => (
  <Panel title="Ledger entries">
    {() => (
      <ol className="divide-y divide-line">
        {entries.map((entry) => (
          <li key={entry.event_id} className="flex flex-wrap items-baseline gap-x-3 px-4 py-2">
            <span className="font-mono text-xs text-soft">{entry.event_id}</span>
            <span>{worded(entry.type.replace('tool.call.', ''))}</span>
            <span className="text-soft">
              by <Outside text={entry.principal} most={60} />, {entry.front}
            </span>
            {entry.error_code && <span className="text-stop">{entry.error_code}</span>}
            <span className="ml-auto">
              <Clock at={entry.at} />
            </span>
          </li>
        ))}
      </ol>
    )}
  </Panel>
);
