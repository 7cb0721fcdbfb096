import type { Catalogue } from './catalogue.ts';
import { lenient } from './validate.ts';

interface Call {
  name: string;
  arguments?: unknown;
}

/** What clients put before the names of our tools, and models repeat. */
const prefix = /^(?:mcp__?)?signalbox(?:__?|-)/;

/**
 * The call that a call of `system.tool.call` stands for; any other is returned as it is. Done before anything is decided, so that
 * rights, approval, idempotency and ledger know the inner call alone. What names no other tool stays a call of `system.tool.call`,
 * which refuses it.
 */
export function calledFor<T extends Call>(catalogue: Catalogue, call: T): T {
  const outer = catalogue.find(call.name)?.tool;
  if (!outer?.standsIn) return call;
  const inner = lenient(outer.input, call.arguments) as Call | null;
  if (!inner) return call;
  const name = inner.name.replace(prefix, '');
  return catalogue.find(name)?.tool.standsIn ? call : { ...call, name, arguments: inner.arguments ?? {} };
}
