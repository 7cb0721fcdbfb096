import { isPerson, lineOf, workerOf, type Caller } from '../../contracts/caller.ts';
import type { Actor } from '../../workflows/work/task/lease.ts';

/** The platform itself: neither an agent nor a person, but with a person's rights. No key has an empty id. */
export const platform: Actor = { id: 'signalbox', person: true, owner: { line: '', principal: 'signalbox' } };

/** The caller as an actor for a task's workflow. */
export const actorOf = (caller: Caller): Required<Actor> => ({
  id: workerOf(caller),
  person: isPerson(caller),
  owner: { line: lineOf(caller), principal: caller.principal },
  named: caller.principal !== caller.keyName,
  session: caller.mcpSession ?? null,
});

/** The holder of at most one task: a worker of a key. The name alone could belong to another key's worker. */
export const holderOf = (line: string | undefined, worker: string): string => (line === undefined ? worker : `${line} ${worker}`);
