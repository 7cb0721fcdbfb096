import { AppError } from '../../contracts/errors.ts';
import type { CallAnswer } from '../../tools/catalogue/pipeline.ts';
import { isRecord } from '../mcp/jsonrpc.ts';

/** devflow's request: a tool by any name, its arguments, and an id that the answer repeats. */
export interface ExecuteRequest {
  tool: string;
  args: Record<string, unknown>;
  request_id: unknown;
}

/** devflow's answer. `error_detail` is our addition: the error of the envelope. */
export interface ExecuteResponse {
  request_id: unknown;
  result: unknown;
  error: string | null;
  error_detail?: unknown;
}

/** @throws AppError VALIDATION_ERROR when it is not a devflow request. */
export function readExecute(body: unknown): ExecuteRequest {
  if (isRecord(body) && typeof body.tool === 'string' && (body.args === undefined || body.args === null || isRecord(body.args))) {
    return { tool: body.tool, args: body.args ?? {}, request_id: body.request_id ?? null };
  }
  throw new AppError('VALIDATION_ERROR', 'The body must be {"tool": "name", "args": {…}, "request_id": "…"}.', {
    hint: 'JSON-RPC goes to POST /mcp instead.',
  });
}

export const executeResponse = (request: ExecuteRequest, answer: CallAnswer): ExecuteResponse =>
  answer.error
    ? { request_id: request.request_id, result: null, error: answer.error.message, error_detail: answer.envelope.error }
    : { request_id: request.request_id, result: answer.data, error: null };
