import type { ToolCallActivities } from '../../contracts/activities/governance/tool-call.ts';
import type { Front } from '../../contracts/caller.ts';
import type { Envelope } from '../../contracts/envelope.ts';
import { AppError } from '../../contracts/errors.ts';
import type { ApprovalStatus } from '../../contracts/governance/policy.ts';
import { approvalRow, noteInLedger, noteStep, step } from '../../services/governance/approvals-records.ts';
import type { Execute } from '../../services/kernel/execution.ts';
import type { Services } from '../../services/index.ts';
import { longStage, stage } from '../kernel/stage.ts';

/** Activities of calls that waited for approval. */
export function toolCallActivities({ kernel: { db, secrets } }: Services, execute: Execute): ToolCallActivities {
  const state = async (tenant: string, id: string) => {
    const { status, expires_at, tool } = await approvalRow(db.query, tenant, id);
    return { status, expiresAt: expires_at.getTime(), tool };
  };
  const move = async (
    tenant: string,
    id: string,
    ...args: [ApprovalStatus, ApprovalStatus, Parameters<typeof step>[5]?]
  ): Promise<boolean> =>
    await db.transaction(async (query) => {
      const done = await step(query, tenant, id, ...args);
      if (done) {
        const row = await approvalRow(query, tenant, id);
        await noteInLedger(query, secrets, row, args[1], args[2]?.decision);
        await noteStep(query, row);
      }
      return done;
    });

  const opened = (sealed: string): Record<string, unknown> | null => {
    try {
      return JSON.parse(secrets.open(sealed)) as Record<string, unknown>;
    } catch {
      return null;
    }
  };

  return {
    approvalState: ({ tenant, id }) => stage(tenant, () => state(tenant, id)),

    noteDecision: ({ tenant, id }, decision) =>
      stage(tenant, async () => {
        await move(tenant, id, 'pending', decision.decision, { decision });
        return await state(tenant, id);
      }),

    expireApproval: ({ tenant, id }) => stage(tenant, async () => void (await move(tenant, id, 'pending', 'expired'))),

    executeApproved: ({ tenant, id }) =>
      longStage(tenant, async () => {
        const row = await approvalRow(db.query, tenant, id);
        const args = opened(row.arguments);
        if (args === null) {
          // Changed in the database, or sealed under another key: a retry cannot help.
          const why = 'The stored request can no longer be read.';
          await move(tenant, id, 'approved', 'failed', { resolution: { why } });
          return;
        }
        // The worker that sets this mark runs the call. From here to the answer the outcome is unknown, so nobody
        // retries.
        if (!(await move(tenant, id, 'approved', 'started'))) {
          throw new AppError('CONFLICT', 'It has been started already.');
        }
        const answer = await execute({
          tenant,
          keyId: row.key_id,
          principal: row.principal,
          front: row.front as Front,
          tool: row.called_as,
          arguments: args,
          callKey: row.call_key,
          waitMs: 0,
          approval: {
            id,
            inputHash: row.input_hash,
            policyVersion: row.policy_version,
            sessionId: row.session_id,
            worker: row.worker,
            mcpSession: row.mcp_session,
          },
        });
        await move(tenant, id, 'started', outcomeOf(answer.error), { answer: secrets.seal(JSON.stringify(answer)) });
      }),

    settleAmbiguous: ({ tenant, id }, why) =>
      stage(tenant, async () => void (await move(tenant, id, 'started', 'ambiguous', { resolution: { why } }))),
  };
}

/** Only a definite refusal is a failure; if there may have been an effect, the outcome is unknown. */
function outcomeOf(error: Envelope['error']): ApprovalStatus {
  if (error === undefined) return 'completed';
  if (notSent.has(String(error.details?.['reason']))) return 'failed';
  // An answer that was too large to pass on belongs to a call that was made.
  const answered = error.details?.['reason'] === 'too_large';
  return error.retryable || answered || error.code === 'INTERNAL' || error.code === 'TIMEOUT' ? 'ambiguous' : 'failed';
}

/** Reasons that mean "not sent" for outside systems. */
const notSent = new Set(['not_sent', 'busy']);
