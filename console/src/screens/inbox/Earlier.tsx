import { Link } from '@tanstack/react-router';
import type { Approval } from '../../../../contracts/governance/policy.ts';
import { useRead } from '../../api/call.ts';
import { Outside } from '../../ui/Outside.tsx';
import { Age } from '../../ui/Time.tsx';

/** What was decided about calls of the same tool before. */
export function Earlier({ approval }: { approval: Approval }) {
  const { data } = useRead<{ approvals: Approval[] }>('approval.request.list', { status: 'all', tool: approval.tool, limit: 6 });
  const others = data?.approvals.filter(({ approval_id }) => approval_id !== approval.approval_id).slice(0, 5) ?? [];
  if (others.length === 0) return null;
  return (
    <section className="px-4">
      <h3 className="mb-1">Other calls of this tool</h3>
      <ul className="divide-y divide-line">
        {others.map((one) => (
          <li key={one.approval_id} className="flex flex-wrap items-baseline gap-x-3 py-1">
            <Link to="/console/inbox" search={{ id: one.approval_id }} className="hit">
              {one.status}
            </Link>
            <span className="min-w-0">
              <Outside text={one.requested_by} most={40} />
              {one.decided_by !== null && ', decided by '}
              {one.decided_by !== null && <Outside text={one.decided_by} most={40} />}
              {one.input_hash === approval.input_hash && ', equal arguments'}
            </span>
            <span className="ml-auto text-soft">
              <Age at={one.requested_at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
