import type { Approval } from '../contracts/governance/policy.ts';
import { ok } from './client.ts';
import type { ApprovalFilters } from './commands/approvals.ts';
import { defined, facts, oneLine, say, sayJson, table } from './output.ts';
import { aside } from './tools.ts';

export async function listApprovals({ status, limit }: ApprovalFilters, json: boolean): Promise<void> {
  const answer = await ok<{ approvals: Approval[] }>('approval.request.list', { status, limit });
  const { approvals } = answer.data;
  if (json) return sayJson({ ...answer.data, next_cursor: answer.metadata.next_cursor });
  if (approvals.length === 0) return say(status === 'pending' ? 'Nothing waits for a decision.' : 'No approvals.');
  table(
    ['id', 'status', 'tool', 'asked by', 'asked at', 'why'],
    approvals.map((each) => [each.approval_id, each.status, each.tool, each.requested_by, each.requested_at, oneLine(each.reason)]),
  );
}

export async function getApproval(id: string, json: boolean): Promise<void> {
  const answer = await ok<{ approval: Approval }>('approval.request.get', { approval_id: id });
  if (json) return sayJson(answer.data);
  show(answer.data.approval);
  aside(answer);
}

export async function decideApproval(verb: 'approve' | 'reject', id: string, note: string | undefined, json: boolean): Promise<void> {
  const answer = await ok<{ approval: Approval }>(`approval.request.${verb}`, defined({ approval_id: id, note }));
  if (json) return sayJson(answer.data);
  show(answer.data.approval);
  aside(answer);
}

function show(approval: Approval): void {
  facts([
    ['approval', approval.approval_id],
    ['status', approval.status],
    ['tool', approval.called_as],
    ['asked by', `${oneLine(approval.requested_by)} (${approval.requester_kind})`],
    ['why', oneLine(approval.reason)],
    ['arguments', JSON.stringify(approval.arguments, null, 2)],
    ['policy', `${approval.policy} ${approval.policy_version}`],
    ['expires', approval.expires_at],
    ['decided by', approval.decided_by],
    ['note', approval.note],
    ['answer', approval.answer === null ? null : JSON.stringify(approval.answer, null, 2)],
  ]);
}
