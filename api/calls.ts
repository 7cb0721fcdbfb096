import type { CallRequest } from '../tools/catalogue/pipeline.ts';
import type { ServerParts } from './parts.ts';

/** The pipeline as the front ends call it; logs answers if configured. */
export function loggedPipeline({ pipeline, config, log }: ServerParts): ServerParts['pipeline'] {
  if (!config.MCP_LOG_RESPONSES) return pipeline;
  return {
    catalogue: pipeline.catalogue,
    metrics: pipeline.metrics,
    list: (...args) => pipeline.list(...args),
    async call(request) {
      const answer = await pipeline.call(request);
      log.debug({ tool_call_id: answer.envelope.tool_call_id, tenant: request.caller.tenant, answer: answer.envelope }, 'tool answer');
      return answer;
    },
  };
}

/** Minimum milliseconds between two progress notifications, so that clients are not flooded: SSE has no backpressure. */
const progressEvery = 100;

/** Forwards progress: only increasing, not too often, and always the last step. */
export function throttled(send: (done: number, total?: number, message?: string) => void): NonNullable<CallRequest['onProgress']> {
  let last = -Infinity;
  let sentAt = -Infinity;
  return (done, total, message) => {
    if (!(done > last)) return;
    const now = performance.now();
    if (now - sentAt < progressEvery && done !== total) return;
    last = done;
    sentAt = now;
    send(done, total, message);
  };
}
