import { distance } from 'fastest-levenshtein';
import type { Envelope } from '../contracts/envelope.ts';
import type { AppError } from '../contracts/errors.ts';
import type { Alias, AnyTool, System, ToolResult } from './define.ts';

/** How a system's names answer over MCP (SPEC 6.6): the whole envelope, its data alone, or readable text. */
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

const deprecation = (alias: Alias | undefined): string[] =>
  alias?.deprecated ? [`"${alias.name}" is deprecated: use "${alias.deprecated.replacement}".`] : [];

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

/** What stands in MCP's text content. */
export function textOf(envelope: Envelope, raw: unknown, alias: Alias | undefined, args: Record<string, unknown>): string {
  const mode = alias ? rendering[alias.system] : 'envelope';
  if (mode === 'envelope') return JSON.stringify(envelope);
  if (envelope.error) return `${envelope.error.message}${envelope.error.suggestion ? ` ${envelope.error.suggestion}` : ''}`;
  if (mode === 'text' && alias?.toText) return [alias.toText(raw, args), ...envelope.warnings.map((w) => `Warning: ${w}`)].join('\n');
  return JSON.stringify(envelope.data);
}

/** The key of `known` that `wrong` probably meant. */
export function closestKey(wrong: string, known: string[]): string | undefined {
  const best = known
    .map((key) => ({ key, cost: distance(wrong.slice(0, 64).toLowerCase(), key) / Math.max(wrong.length, key.length) }))
    .sort((a, b) => a.cost - b.cost)[0];
  return best && best.cost <= 0.5 ? best.key : undefined;
}
