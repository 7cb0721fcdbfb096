import { trace, SpanStatusCode } from '@opentelemetry/api';
import type { Logger } from 'pino';
import { translate } from '../../adapters/postgres/errors.ts';
import { asScoped, asTenant, rowsOf } from '../../adapters/postgres/tenancy.ts';
import { lineOf, type Caller, type Front } from '../../contracts/caller.ts';
import type { Envelope } from '../../contracts/envelope.ts';
import { AppError } from '../../contracts/errors.ts';
import { derivedId, hashOf, newCallId } from '../../contracts/ids.ts';
import { printable } from '../../contracts/json.ts';
import type { Asked } from '../../contracts/governance/policy.ts';
import { withoutSecrets } from '../../contracts/secrets.ts';
import type { LedgerEvent } from '../../services/governance/index.ts';
import type { LimitState } from '../../services/governance/index.ts';
import type { Services } from '../../services/index.ts';
import type { Execution } from '../../services/kernel/execution.ts';
import { answerOf, envelopeOf, failureOf, textOf, withoutOnce } from './answers.ts';
import { askPerson, askedBy, askedText, assertStillApproved } from './approval.ts';
import { toldTo, type Audience } from './audience.ts';
import type { Catalogue, Listed, Listing, Resolved } from './catalogue.ts';
import type { ToolContext, ToolResult } from './define.ts';
import type { ToolDirectory } from './directory.ts';
import { externalNamed, externalTools, isExternalName } from './external.ts';
import { givenTo } from './given.ts';
import type { Metrics } from './metrics.ts';
import { logCall, unknownTool, type Ended, type Observed } from './observed.ts';
import { judge, refusal } from './policy.ts';
import { calledFor } from './standing-in.ts';
import { validate } from './validate.ts';

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
  /** The answer is stored by the process that asks, so it must not hold what is told once. */
  stored?: boolean;
  /** Do not count the call against the key's limit: the front end already has, or a process continues an earlier call. */
  counted?: boolean;
  /** The caller's work session, if the front end has not looked it up. */
  sessionId?: string | undefined;
  /** A front end's own refusal of the request. It is thrown here, so that it is counted and recorded like any refusal. */
  refused?: AppError | undefined;
  /** A person's approval of exactly this call. Only our own processes set it. */
  approval?: Asked | undefined;
  /** The client that reads the answer, if a model uses it. */
  audience?: Audience | undefined;
  /** How long the caller can wait for a person, in ms. A caller that receives progress waits in any case. */
  waitMs?: number | undefined;
  onProgress?: ((done: number, total?: number, message?: string) => void) | undefined;
}

/** The answer for a front end. `call` never throws: a failure is an answer, too. */
export interface CallAnswer {
  envelope: Envelope;
  /** `envelope.data` of a successful call; for aliases in their system's shape. */
  data: unknown;
  /** MCP's text content; created on first use. */
  readonly text: string;
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
/** How long a caller that receives progress waits for a person before it gets `pending_approval`, in ms. */
const patienceMs = 20_000;

/**
 * Every call of every tool on every front end: limit → resolve → validate → policy → approval →
 * idempotency → execute → ledger → answer.
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

  call(given: CallRequest): Promise<CallAnswer> {
    const inner = calledFor(this.catalogue, given);
    // A name that had to be shortened or repaired is unknown. The ledger keeps it; spans and logs contain only names of tools.
    const request = { ...inner, name: printable(inner.name) };
    const spanName = this.catalogue.find(request.name)?.name ?? (isExternalName(request.name) ? 'external' : unknownTool);
    return tracer.startActiveSpan(spanName, async (span) => {
      const answer = await asTenant(request.caller.tenant, () => this.run(request, span.spanContext().traceId));
      span.setAttributes({
        'mcp.tool.name': answer.resolved?.name ?? unknownTool,
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

  /** A call by a process on behalf of the key that asked, which was counted at that time. Refused when that key has been revoked. */
  async execute({ tenant, keyId, principal, tool: name, callKey: idempotencyKey, waitMs = 0, ...call }: Execution): Promise<Envelope> {
    const caller = await this.services.governance.keys.callerOf(tenant, keyId, principal);
    if (caller) return (await this.call({ ...call, caller, name, idempotencyKey, waitMs, counted: true, stored: true })).envelope;
    const error = new AppError('UNAUTHORIZED', 'The key that asked for this has been revoked.', {
      hint: 'Ask again with a valid key.',
    });
    return failureOf(error, newCallId(), 0, undefined);
  }

  /** The tools that a client sees under a profile; `all` and `unified` include other servers' approved tools. */
  async list(caller: Caller, profile: string, listing: Listing = {}): Promise<Listed[]> {
    const own = this.catalogue.list(caller, profile, listing);
    if (profile !== 'all' && profile !== 'unified') return own;
    const others = await asTenant(caller.tenant, () => externalTools(this.services, caller)).catch((error: unknown) => {
      // Without Postgres, list only our own tools.
      if (error instanceof AppError && error.retryable) return [];
      throw error;
    });
    return [
      ...own,
      ...others
        .filter((tool) => this.catalogue.allows(caller, tool))
        .map((tool) => this.catalogue.describe({ tool, name: tool.name }, listing)),
    ];
  }

  private async run(request: CallRequest, traceId: string): Promise<CallAnswer> {
    const started = performance.now();
    const toolCallId = newCallId();
    const inputHash = hashOf(withoutSecrets(request.arguments ?? {}));
    let { caller } = request;
    let resolved: Resolved | undefined;
    let limit: LimitState | undefined;
    let startRecorded = false;
    let tokens: number | undefined;
    let observed: Observed = {};
    const event = (type: LedgerEvent['type']) => ({
      type,
      toolCallId,
      tool: resolved?.tool.name ?? request.name,
      calledAs: request.name,
      toolVersion: this.parts.tools.version(resolved?.tool.name ?? ''),
      effect: resolved?.tool.effect ?? 'read',
      front: request.front,
      caller,
      inputHash,
      traceId,
      approvalId: request.approval?.id,
      at: new Date(),
    });
    const ledger = this.services.governance.ledger;
    try {
      if (!request.counted) limit = await this.services.governance.limits.take(caller);
      caller = await this.withAccess(request);
      resolved =
        (isExternalName(request.name) &&
          !this.catalogue.find(request.name) &&
          (await externalNamed(this.services, caller, request.name, request.front))) ||
        this.catalogue.resolve(request.name, caller, request.front);
      if (request.refused) throw request.refused;
      const { input, aliasArgs, warnings } = validate(resolved, request.arguments);
      const { tool } = resolved;
      observed = tool.observes?.(input) ?? {};
      const verdict = judge(tool, caller, request.front);
      if (verdict.effect === 'deny') throw refusal(verdict, tool.name);
      if (request.approval) assertStillApproved(request.approval, inputHash, caller.access?.policy.version ?? '0');
      else if (verdict.effect === 'ask' && tool.asks?.(input) !== false) {
        const question = {
          toolCallId,
          tool: tool.name,
          toolVersion: this.parts.tools.version(tool.name),
          calledAs: request.name,
          front: request.front,
          arguments: request.arguments ?? {},
          inputHash,
          verdict,
          callKey: request.idempotencyKey ?? toolCallId,
          waitMs: request.waitMs ?? (request.onProgress ? patienceMs : 0),
          signal: request.signal,
        };
        await ledger.record(event('tool.call.started'));
        startRecorded = true;
        ledger.note(event('tool.call.approval_requested'));
        request.onProgress?.(0, undefined, `Waits for a person: ${verdict.reason}`);
        const envelope = this.told(await askPerson(this.services, caller, question), request, caller, resolved);
        const durationMs = performance.now() - started;
        ledger.note({ ...event('tool.call.completed'), status: envelope.status, refs: envelope.refs, durationMs });
        this.observe({ request, resolved, durationMs, toolCallId, observed });
        const { alias } = resolved;
        return answerOf(envelope, () => askedText(envelope, alias, aliasArgs), { resolved, limit });
      }
      // For frequent calls, such as heartbeats and what a screen of the console reads, the entry of the end is enough.
      const brief = tool.ledger === 'batched' || (tool.effect === 'read' && request.front === 'console');
      if (tool.effect !== 'read' && !brief) await ledger.record(event('tool.call.started'));
      else if (!brief) ledger.note(event('tool.call.started'));
      startRecorded = !brief;

      const execute = async (callKey: string): Promise<ToolResult<unknown>> => {
        const context: ToolContext = {
          caller,
          front: request.front,
          ...(resolved?.alias ? { system: resolved.alias.system } : {}),
          services: givenTo(this.services, tool.name),
          tools: this.parts.tools,
          audience: request.audience,
          toolCallId,
          callKey,
          signal: request.signal ?? never,
          progress: request.onProgress ?? (() => {}),
        };
        const handled = () => asScoped(caller.tenant, rowsOf(caller.access?.scope), () => tool.handler(input, context));
        return await this.services.language.metered(handled, (used) => (tokens = used));
      };
      let result: ToolResult<unknown>;
      const key = request.idempotencyKey;
      if (key !== undefined && tool.effect !== 'read') {
        const once = await this.services.governance.idempotency.once(
          caller,
          tool.name,
          key,
          hashOf(input),
          (since) => execute(derivedId('key', caller.tenant, lineOf(caller), tool.name, key, since)),
          { repeatable: tool.foreign === undefined || tool.idempotent, kept: (answer) => withoutOnce(tool, answer) },
        );
        if (once.unkept) {
          this.parts.log.error(
            { code: once.unkept.code, mcp_tool: tool.name, tool_call_id: toolCallId },
            'the answer of a keyed call was not kept',
          );
          warnings.push('This answer could not be kept for a repeat of the call under its key.');
        }
        result = once.repeated
          ? { ...once.answer, warnings: [...(once.answer.warnings ?? []), 'Repeated call: this is the stored answer.'] }
          : once.answer;
      } else result = await execute(toolCallId);
      if (request.stored) result = withoutOnce(tool, result);

      const durationMs = performance.now() - started;
      const { alias } = resolved;
      const whole = envelopeOf(result, { tool, alias, aliasArgs, toolCallId, durationMs, warnings });
      const envelope = this.told(whole, request, caller, resolved);
      ledger.note({ ...event('tool.call.completed'), status: envelope.status, refs: envelope.refs, durationMs, tokens });
      this.observe({ request, resolved, durationMs, toolCallId, observed: { ...observed, ...result.observed } });
      return answerOf(envelope, () => textOf(envelope, result.data, alias, aliasArgs), { resolved, limit });
    } catch (caught) {
      const durationMs = performance.now() - started;
      const error = this.understand(caught, resolved, toolCallId);
      if (!startRecorded) ledger.note(event('tool.call.started'));
      ledger.note({ ...event('tool.call.failed'), status: 'error', errorCode: error.code, durationMs, tokens });
      this.observe({ request, resolved, durationMs, toolCallId, observed, error });
      const envelope = this.told(failureOf(error, toolCallId, durationMs, resolved?.tool), request, caller, resolved);
      return answerOf(envelope, () => textOf(envelope, null, resolved?.alias, {}), { resolved, limit, error });
    }
  }

  /** The answer, adapted to the client. */
  private told(envelope: Envelope, { audience }: CallRequest, caller: Caller, resolved: Resolved | undefined): Envelope {
    return audience ? toldTo(envelope, { catalogue: this.catalogue, caller, audience }, resolved) : envelope;
  }

  /** The caller with its current policy, capabilities and session. */
  private async withAccess({ caller: given, sessionId, approval }: CallRequest): Promise<Caller> {
    const caller = approval ? { ...given, ...askedBy(approval) } : given;
    const session = sessionId ?? approval?.sessionId ?? undefined;
    if (caller.access && session === undefined) return caller;
    // An approved call may run after its session has ended, because its approval is compared in any case.
    const optional = sessionId === undefined;
    return { ...caller, access: await this.services.governance.policies.accessOf(caller, session, { optional }) };
  }

  /** Logs a defect once, and answers without internal details. */
  private understand(caught: unknown, resolved: Resolved | undefined, toolCallId: string): AppError {
    const known = translate(caught);
    if (known instanceof AppError) return known;
    this.parts.log.error({ err: caught, mcp_tool: resolved?.name ?? unknownTool, tool_call_id: toolCallId }, 'tool failed unexpectedly');
    return new AppError('INTERNAL', 'Something went wrong inside Signalbox.', {
      hint: `The log has the cause under tool_call_id ${toolCallId}.`,
    });
  }

  private observe(ended: Ended): void {
    const { request, resolved, durationMs, error, observed, toolCallId } = ended;
    const tool = resolved?.name ?? unknownTool;
    this.services.governance.keys.called(request.caller, { tool, toolCallId, front: request.front, code: error?.code ?? null });
    this.metrics.called({
      name: tool,
      front: request.front,
      durationMs,
      errorCode: error?.code,
      latency: resolved?.tool.latency,
      tenant: request.caller.tenant,
    });
    trace.getActiveSpan()?.setAttributes(observed);
    // Logs later, so that the caller does not wait.
    if (this.parts.logRequests) setImmediate(logCall, this.parts.log, ended);
  }
}
