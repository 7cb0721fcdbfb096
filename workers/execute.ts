import type { Execute } from '../services/kernel/execution.ts';
import { AppError } from '../contracts/errors.ts';
import { newCallId } from '../contracts/ids.ts';
import { failureOf } from '../tools/catalogue/answers.ts';
import type { Pipeline } from '../tools/catalogue/pipeline.ts';

/** Tool calls of processes, through the same pipeline as all others. */
export function executor(pipeline: Pick<Pipeline, 'call' | 'services'>): Execute {
  return async ({ tenant, keyId, principal, front, tool, arguments: args, callKey, signal, onProgress, approval, waitMs }) => {
    const caller = await pipeline.services.governance.keys.callerOf(tenant, keyId, principal);
    if (!caller) {
      const error = new AppError('UNAUTHORIZED', 'The key of the caller has been revoked.', {
        hint: 'Ask again with a valid key.',
      });
      return failureOf(error, newCallId(), 0, undefined);
    }
    const answer = await pipeline.call({
      caller,
      front,
      name: tool,
      arguments: args,
      idempotencyKey: callKey,
      signal,
      counted: true,
      approval,
      waitMs: waitMs ?? 0,
      ...(onProgress ? { onProgress } : {}),
    });
    return answer.envelope;
  };
}
