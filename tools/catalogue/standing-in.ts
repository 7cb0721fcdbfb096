import type { Catalogue } from './catalogue.ts';
import { lenient } from './validate.ts';

interface Call {
  name: string;
  arguments?: unknown;
}

/** Prefixes that clients add to our tools' names, and that models repeat. */
const prefix = /^(?:mcp__?)?signalbox(?:__?|-)/;

/**
 * Replaces a call of `system.tool.call` by the call that it contains; returns any other call unchanged. This happens
 * before all checks, so that rights, approval, idempotency and ledger see only the inner call. If it does not name
 * another tool, it stays a call of `system.tool.call`, which refuses it.
 */
export function calledFor<T extends Call>(catalogue: Catalogue, call: T): T {
  const outer = catalogue.find(call.name)?.tool;
  if (!outer?.standsIn) return call;
  const inner = lenient(outer.input, call.arguments) as Call | null;
  if (!inner) return call;
  const name = inner.name.replace(prefix, '');
  return catalogue.find(name)?.tool.standsIn ? call : { ...call, name, arguments: inner.arguments ?? {} };
}
