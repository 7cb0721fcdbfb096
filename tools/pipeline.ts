import { trace, SpanStatusCode } from '@opentelemetry/api';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { translate } from '../adapters/postgres/errors.ts';
import { asTenant } from '../adapters/postgres/tenancy.ts';
import type { Caller, Front } from '../contracts/caller.ts';
import type { Envelope } from '../contracts/envelope.ts';
import { AppError } from '../contracts/errors.ts';
import { derivedId, hashOf, newId } from '../contracts/ids.ts';
import type { LimitState } from '../services/governance/limits.ts';
import type { Services } from '../services/index.ts';
import { closestKey, envelopeOf, failureOf, textOf } from './answers.ts';
import type { Catalogue, Resolved } from './catalogue.ts';
import type { ToolContext, ToolResult } from './define.ts';
import type { ToolDirectory } from './directory.ts';
import type { Metrics } from './metrics.ts';

export interface CallRequest {
  /** Any spelling. */
  name: string;
  arguments?: unknown;
  caller: Caller;
  front: Front;
  idempotencyKey?: string | undefined;
  /** The client's own id of this request, for logs and traces. */
  requestId?: string | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: ((done: number, total?: number, message?: string) => void) | undefined;
}

/** What a front end renders. `call` never throws: a failure is an answer too. */
export interface CallAnswer {
  envelope: Envelope;
  /** `envelope.data` when all went well; for aliases in their own system's shape. */
  data: unknown;
  /** What stands in MCP's text content. */
  text: string;
  error?: AppError;
  resolved?: Resolved;
  limit?: LimitState;
}

export interface PipelineParts {
  tools: ToolDirectory;
  services: Services;
  metrics: Metrics;
  log: Logger;
  logRequests: boolean;
}

const tracer = trace.getTracer('signalbox');
const never = new AbortController().signal;

/**
 * Every call of every tool on every front end: limit → resolve → validate → policy → idempotency →
 * execute → ledger → answer.
 */
export class Pipeline {
  readonly catalogue: Catalogue;
  readonly services: Services;
  readonly metrics: Metrics;
  private readonly parts: PipelineParts;

  constructor(parts: PipelineParts) {
    this.parts = parts;
    this.catalogue = parts.tools.catalogue;
    this.services = parts.services;
    this.metrics = parts.metrics;
  }

  call(request: CallRequest): Promise<CallAnswer> {
    return tracer.startActiveSpan(request.name.slice(0, 128), async (span) => {
      const answer = await asTenant(request.caller.tenant, () => this.run(request, span.spanContext().traceId));
      span.setAttributes({
        'mcp.tool.name': answer.resolved?.name ?? request.name.slice(0, 128),
        'mcp.tool.canonical_name': answer.resolved?.tool.name ?? '',
        'tenant.id': request.caller.tenant,
        'principal.kind': request.caller.principalKind,
        'tool_call.id': answer.envelope.tool_call_id,
      });
      if (answer.error) span.setStatus({ code: SpanStatusCode.ERROR, message: answer.error.code });
      span.end();
      return answer;
    });
  }

  private async run(request: CallRequest, traceId: string): Promise<CallAnswer> {
    const started = performance.now();
    const toolCallId = newId('call');
    const inputHash = hashOf(request.arguments ?? {});
    let resolved: Resolved | undefined;
    let limit: LimitState | undefined;
    let startRecorded = false;
    const event = (type: 'tool.call.started' | 'tool.call.completed' | 'tool.call.failed') => ({
      type,
      toolCallId,
      tool: resolved?.tool.name ?? request.name.slice(0, 128),
      calledAs: request.name.slice(0, 128),
      toolVersion: this.parts.tools.version(resolved?.tool.name ?? ''),
      effect: resolved?.tool.effect ?? 'read',
      front: request.front,
      caller: request.caller,
      inputHash,
      traceId,
      at: new Date(),
    });
    const ledger = this.services.governance.ledger;
    try {
      limit = await this.services.governance.limits.take(request.caller);
      resolved = this.catalogue.resolve(request.name, request.caller);
      const { input, aliasArgs, warnings } = validate(resolved, request.arguments);
      const { tool } = resolved;
      if (tool.effect === 'read') ledger.note(event('tool.call.started'));
      else await ledger.record(event('tool.call.started'));
      startRecorded = true;

      const execute = async (callKey: string): Promise<ToolResult<unknown>> => {
        const context: ToolContext = {
          caller: request.caller,
          services: this.services,
          tools: this.parts.tools,
          toolCallId,
          callKey,
          signal: request.signal ?? never,
          progress: request.onProgress ?? (() => {}),
        };
        return await tool.handler(input, context);
      };
      let result: ToolResult<unknown>;
      const key = request.idempotencyKey;
      if (key !== undefined && tool.effect !== 'read') {
        const callKey = derivedId('key', request.caller.tenant, request.caller.keyId, tool.name, key);
        const once = await this.services.governance.idempotency.once(request.caller, tool.name, key, hashOf(input), () => execute(callKey));
        result = once.repeated
          ? { ...once.answer, warnings: [...(once.answer.warnings ?? []), 'Repeated call: this is the stored answer.'] }
          : once.answer;
      } else result = await execute(toolCallId);

      const durationMs = performance.now() - started;
      const envelope = envelopeOf(result, { tool, alias: resolved.alias, aliasArgs, toolCallId, durationMs, warnings });
      ledger.note({ ...event('tool.call.completed'), status: envelope.status, refs: envelope.refs, durationMs });
      this.observe(request, resolved, durationMs, undefined, toolCallId);
      return {
        envelope,
        data: envelope.data,
        text: textOf(envelope, result.data, resolved.alias, aliasArgs),
        resolved,
        ...(limit ? { limit } : {}),
      };
    } catch (caught) {
      const durationMs = performance.now() - started;
      const error = this.understand(caught, request, toolCallId);
      if (!startRecorded) ledger.note(event('tool.call.started'));
      ledger.note({ ...event('tool.call.failed'), status: 'error', errorCode: error.code, durationMs });
      this.observe(request, resolved, durationMs, error, toolCallId);
      const envelope = failureOf(error, toolCallId, durationMs, resolved?.tool);
      return {
        envelope,
        data: null,
        text: textOf(envelope, null, resolved?.alias, {}),
        error,
        ...(resolved ? { resolved } : {}),
        ...(limit ? { limit } : {}),
      };
    }
  }

  /** A defect is logged here, once, and answered without its innards. */
  private understand(caught: unknown, request: CallRequest, toolCallId: string): AppError {
    const known = translate(caught);
    if (known instanceof AppError) return known;
    this.parts.log.error({ err: caught, mcp_tool: request.name.slice(0, 128), tool_call_id: toolCallId }, 'tool failed unexpectedly');
    return new AppError('INTERNAL', 'Something went wrong inside Signalbox.', {
      hint: `The log has the cause under tool_call_id ${toolCallId}.`,
    });
  }

  private observe(
    request: CallRequest,
    resolved: Resolved | undefined,
    durationMs: number,
    error: AppError | undefined,
    toolCallId: string,
  ): void {
    this.metrics.called(resolved?.name ?? 'unknown', request.front, durationMs, error?.code);
    if (!this.parts.logRequests) return;
    const deprecated = resolved?.alias?.deprecated;
    this.parts.log[deprecated || (error && error.httpStatus >= 500) ? 'warn' : 'info'](
      {
        mcp_tool: resolved?.name ?? request.name.slice(0, 128),
        tenant: request.caller.tenant,
        principal: request.caller.principal,
        front: request.front,
        tool_call_id: toolCallId,
        request_id: request.requestId,
        latency_ms: Math.round(durationMs * 10) / 10,
        ...(error ? { code: error.code } : {}),
      },
      deprecated ? `deprecated tool called: use ${deprecated.replacement}` : error ? 'tool call refused' : 'tool call',
    );
  }
}

/** Arguments as the tool wants them. Unknown fields: refused on canonical names, ignored with a warning on a seed's own. */
function validate(
  { tool, alias, name }: Resolved,
  given: unknown,
): { input: unknown; aliasArgs: Record<string, unknown>; warnings: string[] } {
  const args = given ?? {};
  if (typeof args !== 'object' || Array.isArray(args)) {
    throw new AppError('VALIDATION_ERROR', `The arguments of ${name} must be an object.`);
  }
  const schema: z.ZodObject = alias?.input ?? tool.input;
  const unknown = Object.keys(args).filter((key) => !(key in schema.shape));
  if (unknown.length > 0 && !alias) {
    throw new AppError('VALIDATION_ERROR', `${name} has no field ${unknown.map((key) => `"${key.slice(0, 64)}"`).join(', ')}.`, {
      hint:
        unknown
          .map((key) => closestKey(key, Object.keys(schema.shape)))
          .filter((near) => near !== undefined)
          .map((near) => `Did you mean "${near}"?`)
          .join(' ') || `Its fields: ${Object.keys(schema.shape).join(', ') || 'none'}.`,
      details: { unknown_fields: unknown.map((key) => key.slice(0, 64)) },
    });
  }
  const warnings = unknown.map((key) => `Unknown field "${key.slice(0, 64)}" was ignored.`);
  const aliasArgs = check(schema, clamped(schema, args as Record<string, unknown>, warnings), name) as Record<string, unknown>;
  return {
    input: alias ? check(tool.input as z.ZodObject, alias.toInput(aliasArgs), name) : aliasArgs,
    aliasArgs,
    warnings,
  };
}

/** How many results are wanted is a wish: beyond the cap it is cut, with a warning, not refused (SPEC G10). */
function clamped(schema: z.ZodObject, args: Record<string, unknown>, warnings: string[]): Record<string, unknown> {
  const result = { ...args };
  for (const issue of schema.safeParse(args).error?.issues ?? []) {
    const [field] = issue.path;
    if (issue.code !== 'too_big' || issue.path.length !== 1 || !(field === 'limit' || field === 'top_k')) continue;
    result[field] = Number(issue.maximum);
    warnings.push(`"${field}" was cut to ${issue.maximum}.`);
  }
  return result;
}

function check(schema: z.ZodObject, value: unknown, name: string): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.slice(0, 10).map((issue) => ({
    field: issue.path.join('.') || '(arguments)',
    problem: issue.message,
  }));
  throw new AppError('VALIDATION_ERROR', `Bad arguments for ${name}: ${problems.map((p) => `${p.field}: ${p.problem}`).join('; ')}`, {
    hint: `system.tool.describe with {"name": "${name}"} shows the whole schema.`,
    details: { fields: problems },
  });
}
