import { distance } from 'fastest-levenshtein';
import type { Envelope } from '../../contracts/envelope.ts';
import type { AppError } from '../../contracts/errors.ts';
import type { LimitState } from '../../services/governance/index.ts';
import type { Resolved } from './catalogue.ts';
import type { Alias, AnyTool, System, ToolResult } from './define.ts';
import type { CallAnswer } from './pipeline.ts';

/** The form in which a system's aliases answer over MCP: the whole envelope, only its data, or readable text. */
const rendering: Record<System, 'envelope' | 'data' | 'text'> = {
  'pm-intelligence': 'envelope',
  'intelli-platform': 'envelope',
  devflow: 'data',
  perception: 'data',
  'agentic-rag': 'text',
};

interface Wrapping {
  tool: AnyTool;
  alias: Alias | undefined;
  aliasArgs: Record<string, unknown>;
  toolCallId: string;
  durationMs: number;
  warnings: string[];
}

export function envelopeOf(result: ToolResult<unknown>, wrap: Wrapping): Envelope {
  const data = wrap.alias?.toAnswer ? wrap.alias.toAnswer(result.data, wrap.aliasArgs) : result.data;
  return {
    status: result.status ?? 'success',
    data,
    metadata: {
      source: wrap.tool.name.split('.')[0] ?? 'signalbox',
      query_time_ms: Math.round(wrap.durationMs * 10) / 10,
      ...result.metadata,
    },
    refs: (result.refs ?? []).map((ref) => (ref.type === 'artifact' ? { ...ref, sha256: ref.id } : ref)),
    warnings: [...wrap.warnings, ...(result.warnings ?? []), ...deprecation(wrap.alias)],
    tool_call_id: wrap.toolCallId,
  };
}

/** The answer as it is stored: without what its tool tells once. */
export function withoutOnce(tool: AnyTool, result: ToolResult<unknown>): ToolResult<unknown> {
  const field: string | undefined = tool.toldOnce;
  const data = result.data as Record<string, unknown>;
  if (field === undefined || data[field] === null) return result;
  const again = tool.idempotent ? `${tool.name} under another idempotency key` : 'access.key.collect';
  const warning = `"${field}" is told once, in the first answer, and kept nowhere: ${again} makes another.`;
  return { ...result, data: { ...data, [field]: null }, warnings: [...(result.warnings ?? []), warning] };
}

const deprecation = (alias: Alias | undefined): string[] =>
  alias?.deprecated ? [`"${alias.name}" is deprecated: use "${alias.deprecated.replacement}".`] : [];

/** The answer for a front end. Its text is created on first use. */
export function answerOf(
  envelope: Envelope,
  text: () => string,
  { resolved, limit, error }: { resolved: Resolved | undefined; limit: LimitState | undefined; error?: AppError },
): CallAnswer {
  return {
    envelope,
    data: envelope.data,
    get text() {
      return text();
    },
    ...(error ? { error } : {}),
    ...(resolved ? { resolved } : {}),
    ...(limit ? { limit } : {}),
  };
}

export function failureOf(error: AppError, toolCallId: string, durationMs: number, tool: AnyTool | undefined): Envelope {
  const { alternatives, candidates, details, hint, retryAfterSeconds } = error;
  return {
    status: 'error',
    data: null,
    metadata: { source: tool?.name.split('.')[0] ?? 'signalbox', query_time_ms: Math.round(durationMs * 10) / 10 },
    refs: [],
    warnings: [],
    tool_call_id: toolCallId,
    error: {
      code: error.code,
      message: error.message,
      retryable: error.retryable,
      ...(hint === undefined ? {} : { suggestion: hint }),
      ...(alternatives?.length ? { alternatives } : {}),
      ...(candidates?.length ? { candidates } : {}),
      ...(details === undefined ? {} : { details }),
      ...(retryAfterSeconds === undefined ? {} : { retry_after_seconds: retryAfterSeconds }),
    },
  };
}

/** MCP's text content. */
export function textOf(envelope: Envelope, raw: unknown, alias: Alias | undefined, args: Record<string, unknown>): string {
  const mode = alias ? rendering[alias.system] : 'envelope';
  if (!alias) return leanText(envelope);
  if (mode === 'envelope') return JSON.stringify(envelope);
  if (envelope.error) return `${envelope.error.message}${envelope.error.suggestion ? ` ${envelope.error.suggestion}` : ''}`;
  if (mode === 'text' && alias?.toText) return [alias.toText(raw, args), ...envelope.warnings.map((w) => `Warning: ${w}`)].join('\n');
  return JSON.stringify(envelope.data);
}

/** Metadata that models do not use: only in `structuredContent`. */
const forPrograms: ReadonlySet<string> = new Set(['source', 'query_time_ms', 'result_count', 'cached']);

/**
 * An answer for a model. Many clients give the model only this text, and each word costs tokens. So it leaves out empty
 * values, repetitions and metadata for programs; `structuredContent` has everything.
 */
function leanText({ status, data, metadata, refs, warnings, error }: Envelope): string {
  const kept = Object.entries(metadata).filter(([key, value]) => value !== undefined && !forPrograms.has(key));
  const lean = {
    status,
    ...(error ? { error: leanError(error) } : { data: withoutEmpty(data) }),
    ...(kept.length > 0 ? { metadata: Object.fromEntries(kept) } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
  const text = JSON.stringify(lean);
  // Leaves out workflows, which are for people, and ids that the text already contains.
  const others = refs.filter(({ type, id }) => type !== 'workflow' && !text.includes(id)).map(({ type, id }) => ({ type, id }));
  return others.length === 0 ? text : JSON.stringify({ ...lean, refs: others });
}

function leanError({ details, retryable, ...error }: NonNullable<Envelope['error']>): object {
  // The message already describes the wrong fields.
  const { fields: _fields, unknown_fields: _unknown, ...others } = details ?? {};
  return { ...error, ...(Object.keys(others).length > 0 ? { details: others } : {}), ...(retryable ? { retryable } : {}) };
}

/** Removes nulls and empty values, except at the top level, where an empty list may be the answer. */
const withoutEmpty = (data: unknown): unknown =>
  isPlain(data) ? Object.fromEntries(Object.entries(data).map(([key, value]) => [key, pruned(value)])) : pruned(data);

function pruned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pruned);
  if (!isPlain(value)) return value;
  const kept: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    if (!isEmpty(inner)) kept[key] = pruned(inner);
  }
  return kept;
}

const isEmpty = (value: unknown): boolean =>
  value === null || (Array.isArray(value) && value.length === 0) || (isPlain(value) && Object.keys(value).length === 0);

/** Excludes dates and other objects with `toJSON`. */
const isPlain = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !('toJSON' in value);

/** The key of `known` that `wrong` probably meant. */
export function closestKey(wrong: string, known: string[]): string | undefined {
  const best = known
    .map((key) => ({ key, cost: distance(wrong.slice(0, 64).toLowerCase(), key) / Math.max(wrong.length, key.length) }))
    .sort((a, b) => a.cost - b.cost)[0];
  return best && best.cost <= 0.5 ? best.key : undefined;
}
