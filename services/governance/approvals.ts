import type { ApprovalDecision, ApprovalState } from '../../contracts/activities/governance/tool-call.ts';
import { decidersNamed, isPerson, lineOf, mayDecide, type Caller, type Front } from '../../contracts/caller.ts';
import type { Ref } from '../../contracts/envelope.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import { newId } from '../../contracts/ids.ts';
import { topics } from '../../contracts/notices.ts';
import type { Approval, ApprovalStatus } from '../../contracts/governance/policy.ts';
import { storable } from '../../contracts/json.ts';
import { withoutSecrets } from '../../contracts/secrets.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import type { toolCall } from '../../workflows/governance/tool-call/workflow.ts';
import { keysetPage, matching, newest, type Page, type Paging } from '../kernel/paging.ts';
import type { Process } from '../kernel/processes.ts';
import { noteEvent } from '../kernel/outbox.ts';
import { lock } from '../kernel/locks.ts';
import { Service } from '../kernel/service.ts';
import {
  approvalJob,
  approvalRow,
  approvalView,
  askedFor,
  findApproval,
  keptAnswer,
  noteStep,
  step,
  underWay,
  type ApprovalRow,
} from './approvals-records.ts';

/** Hours until an undecided approval expires. */
const validHours = 24;
/** How long an ended call answers its repeats: the same as idempotency keys. */
const answers = '24 hours';
/** Retention after the end, in days. */
const keepDays = 30;
const perSweep = 1_000;

/** A call that needs approval. */
export interface AskedCall {
  toolCallId: string;
  tool: string;
  toolVersion: number;
  calledAs: string;
  front: Front;
  /** As sent; already validated. */
  arguments: unknown;
  inputHash: string;
  policy: string;
  policyVersion: string;
  fourEyes: boolean;
  /** Its policy lets one person decide outside the console. */
  byLink: boolean;
  reason: string;
  callKey: string;
}

export interface ApprovalFilter {
  status: ApprovalStatus | 'all';
  tool?: string | undefined;
  /** Of calls with equal arguments. */
  inputHash?: string | undefined;
  /** Only those that the caller asked for. */
  mine?: boolean;
}

/** Calls that wait for a person: bound to caller, tool, arguments and policy; each decision works once. */
export class Approvals extends Service<'processes' | 'notices' | 'secrets'> {
  /**
   * Requests a decision; a repeat of the call joins it.
   * @returns the current approval
   */
  async request(caller: Caller, call: AskedCall): Promise<Approval> {
    const { db, secrets } = this.deps;
    const { tenant } = caller;
    const line = lineOf(caller);
    const row = await db.transaction(async (query) => {
      await lock(query, JSON.stringify(['approval', tenant, line, call.tool, call.callKey]));
      const [asked] = await query<ApprovalRow>(
        `select * from approvals where tenant_id = $1 and line = $2 and tool = $3 and call_key = $4
           and (finished_at is null or finished_at > now() - interval '${answers}') order by created_at desc limit 1`,
        [tenant, line, call.tool, call.callKey],
      );
      if (asked) return asked;
      const id = newId('apr');
      const [made] = await query<ApprovalRow>(
        `insert into approvals (tenant_id, id, tool_call_id, tool, tool_version, called_as, front, key_id, line, principal, principal_kind, persona,
           session_id, arguments, shown, input_hash, policy, policy_version, reason, call_key, worker, mcp_session, four_eyes, by_link, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24,
           now() + interval '${validHours} hours') returning *`,
        [
          tenant,
          id,
          call.toolCallId,
          call.tool,
          call.toolVersion,
          call.calledAs,
          call.front,
          caller.keyId,
          line,
          caller.principal,
          caller.principalKind,
          caller.role,
          caller.access?.session?.id ?? null,
          secrets.seal(JSON.stringify(call.arguments ?? {})),
          JSON.stringify(storable(withoutSecrets(call.arguments ?? {}))),
          call.inputHash,
          call.policy,
          call.policyVersion,
          call.reason,
          call.callKey,
          caller.worker ?? null,
          caller.mcpSession ?? null,
          call.fourEyes,
          call.byLink,
        ],
      );
      await noteEvent(query, tenant, 'approval.requested', id, {
        tool: call.tool,
        principal: caller.principal,
        principal_kind: caller.principalKind,
        reason: call.reason,
      });
      return made!;
    });
    if (row.input_hash !== call.inputHash) {
      throw new AppError('CONFLICT', 'This idempotency key was used for a call with other arguments.', {
        hint: 'Use a new key for another call.',
      });
    }
    if (underWay.has(row.status)) await this.deps.processes.start(this.process(tenant, row));
    return this.view(caller, row);
  }

  /** Starts the process of an unfinished approval. */
  async restart(tenant: string, id: string): Promise<void> {
    await this.deps.processes.start(this.process(tenant, await approvalRow(this.db.query, tenant, id)));
  }

  /**
   * @param inputHash of the arguments that the decider looked at
   * @throws AppError FORBIDDEN (no decider; four eyes), NOT_FOUND, CONFLICT (decided already; other arguments)
   */
  async decide(
    caller: Caller,
    id: string,
    decision: 'approved' | 'rejected',
    { note, front, inputHash }: { note: string | null; front: Front; inputHash?: string | undefined },
  ): Promise<Approval> {
    const { tenant } = caller;
    if (!mayDecide(caller)) {
      throw new AppError('FORBIDDEN', `Only a person with the role ${decidersNamed} may decide.`, {
        hint: isPerson(caller) ? 'Ask one of them.' : 'An agent never approves; a person does, with a key of their own.',
      });
    }
    const row = await approvalRow(this.db.query, tenant, id);
    // A repeat by a decider who did not get the answer: the call may have run meanwhile.
    if (row.decided_by === caller.principal && saidOf(row.status) === decision) return this.view(caller, row);
    if (row.status !== 'pending') throw decidedAlready(row);
    if (inputHash !== undefined && inputHash !== row.input_hash) {
      throw new AppError('CONFLICT', 'The arguments differ from those that you reviewed.', {
        hint: 'Read approval.request.get again.',
        details: { reason: 'arguments_changed' },
      });
    }
    if (row.four_eyes && askedFor(row, caller)) {
      throw new AppError('FORBIDDEN', `You requested this call: under the policy ${row.policy}, another person must decide.`, {
        hint: `Ask another person with the role ${decidersNamed}; approval.request.cancel cancels your request.`,
        details: { reason: 'four_eyes' },
      });
    }
    return await this.say(caller, row, { decision, note, front });
  }

  /**
   * Cancels an approval.
   * @throws AppError NOT_FOUND, CONFLICT
   */
  async cancel(caller: Caller, id: string, front: Front): Promise<Approval> {
    const row = await this.visible(caller, id);
    if (row.status !== 'pending') throw decidedAlready(row);
    return await this.say(caller, row, { decision: 'cancelled', note: null, front });
  }

  private async say(
    caller: Caller,
    row: ApprovalRow,
    said: Required<Pick<ApprovalDecision, 'decision' | 'note' | 'front'>>,
  ): Promise<Approval> {
    const { tenant, principal: by, principalKind: byKind, keyId, role } = caller;
    const given: ApprovalDecision = { ...said, by, byKind, keyId, role };
    await this.deps.processes.ask<ApprovalState>(this.process(tenant, row), 'decide', given, row.id);
    return this.view(caller, await this.visible(caller, row.id));
  }

  /**
   * A person records the outcome of an ambiguous call.
   * @throws AppError FORBIDDEN, NOT_FOUND, CONFLICT
   */
  async resolve(caller: Caller, id: string, outcome: 'completed' | 'failed', note: string): Promise<Approval> {
    if (!mayDecide(caller)) {
      throw new AppError('FORBIDDEN', `Only a person with the role ${decidersNamed} may say so.`, { hint: 'Ask one of them.' });
    }
    const { db } = this.deps;
    const resolution = { outcome, note, by: caller.principal, at: new Date().toISOString() };
    await db.transaction(async (query) => {
      await approvalRow(query, caller.tenant, id);
      if (!(await step(query, caller.tenant, id, 'ambiguous', outcome, { resolution }))) {
        throw new AppError('CONFLICT', 'Its outcome is known already.', { hint: 'approval.request.get shows it.' });
      }
      await noteStep(query, await approvalRow(query, caller.tenant, id));
    });
    return this.view(caller, await this.visible(caller, id));
  }

  /** For a process that continues for the caller. */
  async find(tenant: string, id: string): Promise<Approval | null> {
    const row = await findApproval(this.db.query, tenant, id);
    return row && approvalView(row, null, keptAnswer(this.deps.secrets, row));
  }

  /** One that may be decided by a link; null: there is none, or it is decided in the console only. */
  async byLink(tenant: string, id: string): Promise<Approval | null> {
    const row = await findApproval(this.db.query, tenant, id);
    return row?.by_link ? approvalView(row, null, null) : null;
  }

  /**
   * Waits until it has ended.
   * @returns its final state
   * @throws AppError NOT_FOUND, also for others' approvals that the caller may not decide
   */
  async settle(caller: Caller, id: string, waitMs: number, signal?: AbortSignal): Promise<Approval> {
    const { tenant } = caller;
    const until = Date.now() + waitMs;
    for (;;) {
      const row = await this.visible(caller, id);
      const left = until - Date.now();
      if (!underWay.has(row.status) || left <= 0 || signal?.aborted) return this.view(caller, row);
      await this.deps.notices.wait(topics.approval(tenant, id), Math.min(left, 2_000), signal);
    }
  }

  /** Newest first; of others only for whoever may decide. */
  async list(caller: Caller, { status, tool, inputHash, mine, ...paging }: ApprovalFilter & Paging): Promise<Page<Approval>> {
    const where = matching({
      'tenant_id = $': caller.tenant,
      'status = $': status === 'all' ? undefined : status,
      'tool = $': tool,
      'input_hash = $': inputHash,
      'line = $': mine || !mayDecide(caller) ? lineOf(caller) : undefined,
    });
    const list = { select: '*', from: 'approvals', ...where, order: newest('created_at', 'id') };
    return await keysetPage(this.deps.db.query, list, paging, (row: ApprovalRow) => this.view(caller, row));
  }

  readonly asJob = approvalJob;

  refs(tenant: string, id: string): Ref[] {
    return [{ type: 'approval', id }, ...this.deps.processes.refs(workflowIds.toolCall(tenant, id))];
  }

  /**
   * Removes old approvals, except ambiguous ones, which a person must resolve.
   * @returns how many
   */
  async sweep(tenant: string): Promise<number> {
    for (let removed = 0; ;) {
      const rows = await this.db.query(
        `delete from approvals where tenant_id = $1 and id in (
           select id from approvals where tenant_id = $1 and finished_at < now() - make_interval(days => $2) and status <> 'ambiguous' limit $3)
         returning 1`,
        [tenant, keepDays, perSweep],
      );
      removed += rows.length;
      if (rows.length < perSweep) return removed;
    }
  }

  private async visible(caller: Caller, id: string): Promise<ApprovalRow> {
    const row = await approvalRow(this.db.query, caller.tenant, id);
    if (row.line === lineOf(caller) || mayDecide(caller)) return row;
    throw notFound('approval', id, 'approval.request.list shows yours.');
  }

  /** The caller who asked sees the complete answer, others without secrets. */
  private view(caller: Caller, row: ApprovalRow): Approval {
    const answer = keptAnswer(this.deps.secrets, row);
    return approvalView(row, caller, row.line === lineOf(caller) ? answer : withoutSecrets(answer));
  }

  private process(tenant: string, row: ApprovalRow): Process<typeof toolCall> {
    return {
      workflow: 'toolCall',
      id: workflowIds.toolCall(tenant, row.id),
      queue: 'interactive',
      args: [{ tenant, id: row.id }],
      tenant,
      kind: 'toolCall',
      status: row.status,
      owner: row.principal,
      summary: `${row.principal} asks for ${row.tool}`,
    };
  }
}

/** The decision behind a status. */
const saidOf = (status: ApprovalStatus): 'approved' | 'rejected' | null =>
  status === 'rejected' ? 'rejected' : ['pending', 'expired', 'cancelled'].includes(status) ? null : 'approved';

function decidedAlready(row: ApprovalRow): AppError {
  const by = row.decided_by ? ` by ${row.decided_by}` : '';
  return new AppError('CONFLICT', `It is ${row.status} already${by}.`, {
    hint: row.status === 'expired' ? 'Repeat the call: it asks for approval again.' : 'approval.request.get shows what became of it.',
    details: { reason: row.status },
  });
}
