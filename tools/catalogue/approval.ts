import type { Caller, Front } from '../../contracts/caller.ts';
import type { Envelope } from '../../contracts/envelope.ts';
import { AppError } from '../../contracts/errors.ts';
import type { Approval, Asked, Policy } from '../../contracts/governance/policy.ts';
import type { Services } from '../../services/index.ts';
import { textOf } from './answers.ts';
import type { Alias } from './define.ts';
import type { Verdict } from './policy.ts';

/** The worker and the session that asked: an approved claim's lease belongs to them. */
export const askedBy = ({ worker, mcpSession }: Asked): Pick<Caller, 'worker' | 'mcpSession'> => ({
  ...(worker === null ? {} : { worker }),
  ...(mcpSession === null ? {} : { mcpSession }),
});

/** @throws AppError CONFLICT when the call or the policy differs from what was approved */
export function assertStillApproved(asked: Asked, inputHash: string, policyVersion: string): void {
  if (asked.inputHash !== inputHash) {
    throw new AppError('CONFLICT', 'The arguments are not those that were approved.', { hint: 'Make the call again: it asks anew.' });
  }
  if (asked.policyVersion !== policyVersion) {
    throw new AppError('CONFLICT', 'The policy has changed since it was approved.', {
      hint: 'Make the call again: it asks anew.',
      details: { reason: 'policy_changed', approved_under: asked.policyVersion, now: policyVersion },
    });
  }
}

/** The call that needs approval. */
export interface Question {
  toolCallId: string;
  tool: string;
  toolVersion: number;
  calledAs: string;
  front: Front;
  arguments: unknown;
  inputHash: string;
  verdict: Verdict;
  callKey: string;
  /** How long the caller can wait for a person, in ms. */
  waitMs: number;
  signal?: AbortSignal | undefined;
}

/**
 * Requests approval, and waits as long as the caller can. @returns the call's answer if it has run meanwhile, otherwise
 * the approval's status
 */
export async function askPerson(services: Services, caller: Caller, question: Question): Promise<Envelope> {
  const { approvals } = services.governance;
  const { verdict, waitMs, signal, ...call } = question;
  const policy = caller.access?.policy;
  const asked = await approvals.request(caller, {
    ...call,
    policy: policy?.name ?? caller.policy,
    policyVersion: policy?.version ?? '0',
    fourEyes: policy?.fourEyes ?? false,
    byLink: policy !== undefined && byOnePerson(policy) && (policy.and === undefined || byOnePerson(policy.and)),
    reason: verdict.reason,
  });
  const found = waitMs > 0 ? await approvals.settle(caller, asked.approval_id, waitMs, signal) : asked;
  return answerOf(found, approvals.refs(caller.tenant, found.approval_id), question.toolCallId);
}

/** The strictest level, and calls that a second person decides, stay in the console. */
const byOnePerson = ({ level, fourEyes }: Policy): boolean => level !== 'strict' && !fourEyes;

/** MCP's text content: for aliases while the approval is pending, the sentence about what to do next; otherwise the answer's text. */
export function askedText(envelope: Envelope, alias: Alias | undefined, args: Record<string, unknown>): string {
  if (!alias) return textOf(envelope, envelope.data, alias, args);
  if (envelope.status === 'pending_approval') return envelope.warnings.join(' ');
  // The stored answer has the alias's shape; `toText` only works if that is also the tool's shape.
  return textOf(envelope, envelope.data, alias.toAnswer ? { ...alias, toText: (data: unknown) => JSON.stringify(data) } : alias, args);
}

/** @throws AppError when the call was not approved, or its outcome is unknown */
function answerOf(found: Approval, refs: Envelope['refs'], toolCallId: string): Envelope {
  const { approval_id, status, decided_by, note } = found;
  if (found.answer !== null && (status === 'completed' || status === 'failed')) {
    const answer = found.answer as Envelope;
    return { ...answer, refs: [...answer.refs, ...refs], warnings: [...answer.warnings, `Approved by ${decided_by} (${approval_id}).`] };
  }
  if (status === 'rejected' || status === 'expired' || status === 'cancelled') {
    const why = note ? `: ${note}` : '.';
    throw new AppError('FORBIDDEN', status === 'rejected' ? `${decided_by} said no${why}` : `The approval ${approval_id} is ${status}.`, {
      hint: 'It did not run. Make another call if you still need it.',
      details: { approval_id, reason: status },
    });
  }
  if (status === 'failed') {
    throw new AppError('CONFLICT', 'It was approved but could not run: the stored request can no longer be read.', {
      hint: 'Make the call again: it asks anew.',
      details: { approval_id, reason: status },
    });
  }
  // A person resolved it as completed, or the stored answer can no longer be read.
  if (status === 'completed') {
    throw new AppError('CONFLICT', 'It was approved and took effect; its answer is not known.', {
      hint: 'Check its effect. To run it again, call with a new idempotency key.',
      details: { approval_id, reason: status },
    });
  }
  if (status === 'ambiguous') {
    throw new AppError('CONFLICT', 'It was approved and started, but it is not known whether it took effect.', {
      hint: 'A person must find out and record it with approval.request.resolve.',
      details: { approval_id, reason: status },
    });
  }
  return {
    status: 'pending_approval',
    data: {
      approval_id,
      approval_status: status,
      reason: found.reason,
      expires_at: found.expires_at,
      ...(found.four_eyes ? { four_eyes: true } : {}),
    },
    metadata: { source: 'approval', query_time_ms: 0 },
    refs,
    warnings: [
      `It waits for a person: ${found.reason} approval.request.get (or system.job.get) with ${approval_id} shows what becomes of it.`,
    ],
    tool_call_id: toolCallId,
  };
}
