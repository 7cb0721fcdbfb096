import { isPerson, lineOf, workerOf, type Caller } from '../../contracts/caller.ts';
import type { Actor } from '../../workflows/work/task/lease.ts';

/** The platform itself: neither an agent nor a person, and allowed what a person is. No key has an empty id. */
export const platform: Actor = { id: 'signalbox', person: true, owner: { line: '', principal: 'signalbox' } };

/** A caller as a task's process judges it. */
export const actorOf = (caller: Caller): Required<Actor> => ({
  id: workerOf(caller),
  person: isPerson(caller),
  owner: { line: lineOf(caller), principal: caller.principal },
  named: caller.principal !== caller.keyName,
  session: caller.mcpSession ?? null,
});

/** Who has one task in hand at most: a worker of a key. The name alone could be another key's worker. */
export const holderOf = (line: string | undefined, worker: string): string => (line === undefined ? worker : `${line} ${worker}`);
