import type { Database } from '../../adapters/postgres/database.ts';
import { lineOf, type Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { hashOf } from '../../contracts/ids.ts';
import type { MemoryScope, PrivateScope } from '../../contracts/knowledge/memory.ts';

type Query = Database['query'];

/** Hashes that stand for whose memories these are; absent: the caller has none of this scope. */
export type Owners = Partial<Record<PrivateScope, string>>;

/**
 * Whose private memories the caller may see. An owner begins with the key: the name of an agent and the id of a session
 * are only what a caller says, so under another key they are others.
 */
export async function ownersOf(query: Query, caller: Caller): Promise<Owners> {
  const { tenant } = caller;
  const owner = (scope: PrivateScope, ...parts: string[]): string => hashOf([tenant, scope, ...parts]);
  const session = caller.access?.session?.id;
  if (caller.run !== undefined) {
    // The key of a run ends with it. The agent is that of the runner that made the key; its user's memories are not the run's.
    const [run] = await query<{ line: string; agent: string }>('select line, agent from work_runs where tenant_id = $1 and id = $2', [
      tenant,
      caller.run,
    ]);
    return { session: owner('session', 'run', caller.run), ...(run ? { agent: owner('agent', run.line, run.agent) } : {}) };
  }
  const line = lineOf(caller);
  return {
    user: owner('user', line),
    agent: owner('agent', line, caller.principal),
    ...(session !== undefined
      ? { session: owner('session', 'work', line, session) }
      : caller.mcpSession !== undefined
        ? { session: owner('session', 'mcp', line, caller.mcpSession) }
        : {}),
  };
}

/** The owner of what the caller saves in this scope; empty: the team. @throws AppError VALIDATION_ERROR */
export function ownerIn(owners: Owners, scope: MemoryScope): string {
  if (scope === 'team') return '';
  const owner = owners[scope];
  if (owner !== undefined) return owner;
  throw new AppError('VALIDATION_ERROR', `Your call has no ${scope}.`, {
    hint:
      scope === 'session'
        ? 'Open one with system.session.open and send its id as X-Session-Id, or call over MCP; or save for the scope agent.'
        : 'The key of a run remembers for its agent, its session or the team.',
  });
}
