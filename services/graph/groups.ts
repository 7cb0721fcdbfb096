import type { Logger } from 'pino';
import type { Caller } from '../../contracts/caller.ts';

/** Graphiti's groups: accepted for compatibility. The tenant of the key always applies. */
export function groupWarnings(log: Logger, { tenant, principal }: Caller, given: string | readonly string[] | null | undefined): string[] {
  const others = [given ?? []].flat().filter((group) => group !== tenant);
  if (others.length === 0) return [];
  log.info({ tenant, principal, groups: others.length }, 'a caller named another group than its tenant; the tenant was used');
  return ["The group was ignored: you read and write your own tenant's graph."];
}
