import type { Database, Row } from '../../adapters/postgres/database.ts';
import type { SecretBox } from '../../adapters/secrets/box.ts';
import type { ApprovalDecision } from '../../contracts/activities/governance/tool-call.ts';
import { lineOf, localCaller, mayDecide, type Caller, type Front, type PrincipalKind, type Role } from '../../contracts/caller.ts';
import type { Envelope } from '../../contracts/envelope.ts';
import { notFound } from '../../contracts/errors.ts';
import type { Job } from '../../contracts/jobs.ts';
import type { Approval, ApprovalStatus } from '../../contracts/governance/policy.ts';
import { topics } from '../../contracts/notices.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import type { Columns, Tables } from '../../prisma/rows.ts';
import { notify } from '../kernel/notify.ts';
import { noteEvent } from '../kernel/outbox.ts';
import { insertEvents } from './ledger.ts';

type Query = Database['query'];

export interface ApprovalRow
  extends
    Row,
    Columns<
      'approvals',
      | 'tenant_id'
      | 'id'
      | 'tool_call_id'
      | 'tool'
      | 'tool_version'
      | 'called_as'
      | 'front'
      | 'key_id'
      | 'principal'
      | 'principal_kind'
      | 'mcp_session'
      | 'session_id'
      | 'shown'
      | 'input_hash'
      | 'policy'
      | 'policy_version'
      | 'reason'
      | 'call_key'
      | 'decided_by'
      | 'decision_note'
      | 'decided_at'
      | 'expires_at'
      | 'started_at'
      | 'finished_at'
      | 'created_at'
      | 'four_eyes'
      | 'by_link'
    > {
  /** The owner: this key and its replacements. */
  line: Tables['approvals']['line'];
  /** The worker's name, if it is not the principal. */
  worker: Tables['approvals']['worker'];
  /** Sealed. */
  arguments: Tables['approvals']['arguments'];
  status: ApprovalStatus;
  /** Sealed; older answers are plain. */
  answer: Tables['approvals']['answer'];
  resolution: Record<string, unknown> | null;
}

export async function findApproval(query: Query, tenant: string, id: string): Promise<ApprovalRow | null> {
  const [row] = await query<ApprovalRow>('select * from approvals where tenant_id = $1 and id = $2', [tenant, id]);
  return row ?? null;
}

/** @throws AppError NOT_FOUND */
export async function approvalRow(query: Query, tenant: string, id: string): Promise<ApprovalRow> {
  const row = await findApproval(query, tenant, id);
  if (!row) throw notFound('approval', id, 'approval.request.list shows what waits.');
  return row;
}

/** @returns null when there is none, or it was sealed under another key */
export function keptAnswer(secrets: SecretBox, { answer }: ApprovalRow): Envelope | null {
  if (answer === null) return null;
  try {
    return JSON.parse(answer.startsWith('{') ? answer : secrets.open(answer)) as Envelope;
  } catch {
    return null;
  }
}

/** Whether this caller made the call: by this key or one that it replaces, or under this name. */
export const askedFor = (row: Pick<ApprovalRow, 'line' | 'principal'>, caller: Caller): boolean =>
  row.line === lineOf(caller) || row.principal === caller.principal;

/** @param viewer null: a process. @param answer as far as the viewer may see it */
export const approvalView = (row: ApprovalRow, viewer: Caller | null, answer: unknown): Approval => ({
  approval_id: row.id,
  status: row.status,
  tool: row.tool,
  called_as: row.called_as,
  requested_by: row.principal,
  requester_kind: row.principal_kind,
  requested_by_me: viewer !== null && askedFor(row, viewer),
  four_eyes: row.four_eyes,
  you_may_decide: viewer !== null && row.status === 'pending' && mayDecide(viewer) && !(row.four_eyes && askedFor(row, viewer)),
  reason: row.reason,
  arguments: row.shown,
  input_hash: row.input_hash,
  tool_call_id: row.tool_call_id,
  key_id: row.key_id,
  policy: row.policy,
  policy_version: row.policy_version,
  requested_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
  decided_by: row.decided_by,
  decided_at: row.decided_at?.toISOString() ?? null,
  note: row.decision_note,
  finished_at: row.finished_at?.toISOString() ?? null,
  answer,
});

/** State changes of an approval; each requires a specific state, so that repeated or late ones have no effect. */
export async function step(
  query: Query,
  tenant: string,
  id: string,
  from: ApprovalStatus,
  to: ApprovalStatus,
  changes: { decision?: ApprovalDecision; answer?: string; resolution?: Record<string, unknown> } = {},
): Promise<boolean> {
  const { decision, answer, resolution } = changes;
  const over = ['rejected', 'expired', 'cancelled', 'completed', 'failed', 'ambiguous'].includes(to);
  const rows = await query(
    `update approvals set status = $4, rev = rev + 1, updated_at = now(),
       decided_by = coalesce($5, decided_by), decided_by_kind = coalesce($6, decided_by_kind), decision_note = coalesce($7, decision_note),
       decided_at = case when $5::text is null then decided_at else now() end,
       started_at = case when $4 = 'started' then now() else started_at end,
       finished_at = case when $8 then coalesce(finished_at, now()) else finished_at end,
       answer = coalesce($9, answer), resolution = coalesce($10, resolution)
     where tenant_id = $1 and id = $2 and status = $3 returning 1`,
    [
      tenant,
      id,
      from,
      to,
      decision?.by ?? null,
      decision?.byKind ?? null,
      decision?.note ?? null,
      over,
      answer ?? null,
      resolution ? JSON.stringify(resolution) : null,
    ],
  );
  return rows.length > 0;
}

const decided = new Set<ApprovalStatus>(['approved', 'rejected', 'expired', 'cancelled']);

/** Neither refused nor ended. */
export const underWay: ReadonlySet<ApprovalStatus> = new Set<ApprovalStatus>(['pending', 'approved', 'started']);

/** In the form of `system.job.get`. */
export function approvalJob(tenant: string, found: Approval): Job {
  const answer = found.answer as Envelope | null;
  const ended = found.status === 'completed' || found.status === 'failed' ? found.status : 'cancelled';
  return {
    job_id: found.approval_id,
    kind: 'approval',
    title: `${found.requested_by} asks for ${found.tool}`,
    status:
      found.status === 'pending' ? 'queued' : underWay.has(found.status) ? 'running' : found.status === 'ambiguous' ? 'failed' : ended,
    progress: { stage: found.status },
    result: answer && !answer.error ? { ...answer } : null,
    error: answer?.error ?? (found.status === 'ambiguous' ? { code: 'AMBIGUOUS', message: 'Whether it took effect is not known.' } : null),
    workflow_id: workflowIds.toolCall(tenant, found.approval_id),
    created_by: found.requested_by,
    created_at: found.requested_at,
    updated_at: found.finished_at ?? found.decided_at ?? found.requested_at,
    finished_at: found.finished_at,
  };
}

/**
 * Tells those who wait, and readers of events.
 * @param row after the step, in the step's transaction
 */
export async function noteStep(query: Query, { tenant_id: tenant, id, tool, status, decided_by }: ApprovalRow): Promise<void> {
  if (decided.has(status)) await noteEvent(query, tenant, 'approval.decided', id, { tool, status, by: decided_by });
  else if (status !== 'started') await noteEvent(query, tenant, 'approval.finished', id, { tool, status });
  await notify(query, topics.approval(tenant, id));
}

/**
 * Writes the decision into the ledger, under the call that asked.
 * @param query of the decision's transaction
 */
export async function noteInLedger(
  query: Query,
  secrets: SecretBox,
  row: ApprovalRow,
  to: ApprovalStatus,
  decision: ApprovalDecision | undefined,
): Promise<void> {
  if (!decided.has(to)) return;
  const { tenant_id: tenant, tool_call_id: toolCallId } = row;
  const [asked] = await query<{ effect: string }>('select effect from ledger_events where tenant_id = $1 and tool_call_id = $2 limit 1', [
    tenant,
    toolCallId,
  ]);
  const policy = { name: row.policy, version: row.policy_version, level: 'strict' as const, fourEyes: row.four_eyes, rules: [] };
  await insertEvents(query, secrets, [
    {
      type: to === 'approved' ? 'tool.call.approved' : 'tool.call.rejected',
      toolCallId,
      tool: row.tool,
      calledAs: row.called_as,
      toolVersion: row.tool_version,
      effect: asked?.effect ?? 'write',
      front: (decision?.front ?? row.front) as Front,
      caller: {
        ...localCaller,
        tenant,
        // Expired without a decision.
        keyId: decision?.keyId ?? 'signalbox',
        principal: decision?.by ?? 'signalbox',
        principalKind: (decision?.byKind ?? 'agent') as PrincipalKind,
        role: (decision?.role ?? 'agent') as Role,
        access: { policy, covers: null, session: null, scope: null },
      },
      inputHash: row.input_hash,
      status: to,
      approvalId: row.id,
      at: new Date(),
    },
  ]);
}
