import type { Approval } from '../../../../contracts/governance/policy.ts';
import { useRead } from '../../api/call.ts';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { RecordLink } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';

type Call = Pick<Approval, 'approval_id' | 'tool' | 'requested_by' | 'reason' | 'requested_at' | 'expires_at'>;

/** The calls that wait for a decision. Each is decided in the inbox. */
export function Calls() {
  const calls = useRead<{ approvals: Call[] }>('approval.request.list', { status: 'pending', limit: 5 });
  return (
    <Panel title="Calls waiting for approval" query={calls}>
      {({ approvals }) =>
        approvals.length === 0 ? (
          <Empty>No call waits. Calls that need approval appear here.</Empty>
        ) : (
          <ul className="divide-y divide-line">
            {approvals.map((call) => (
              <li key={call.approval_id} className="grid gap-x-4 gap-y-1 px-4 py-2 sm:grid-cols-[minmax(0,1fr)_auto]">
                <p className="min-w-0">
                  <RecordLink type="approval" id={call.approval_id}>
                    <code className="font-mono">{call.tool}</code>
                  </RecordLink>{' '}
                  <span className="text-soft">
                    by <Outside text={call.requested_by} most={60} />
                  </span>
                </p>
                <p className="text-soft sm:text-right">
                  <Age at={call.requested_at} />, expires <Age at={call.expires_at} />
                </p>
                <p className="col-span-full min-w-0">
                  <Outside text={call.reason} />
                </p>
              </li>
            ))}
          </ul>
        )
      }
    </Panel>
  );
}
