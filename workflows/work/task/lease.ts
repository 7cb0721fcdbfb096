import type { Owner, Standing, TaskSnapshot } from '../../../contracts/activities/work/work.ts';

/** The caller. */
export interface Actor {
  /** The worker's name, under which it holds leases. */
  id: string;
  /** A human principal, who may act on any task of the tenant. */
  person: boolean;
  owner?: Owner;
  /** The call names its worker, so the caller is an agent even under a person's key. */
  named?: boolean;
  /** The MCP session of the call, as a hash. */
  session?: string | null;
}

/** A refusal the caller can act on: an error code and a sentence. */
export interface Refusal {
  code: 'CONFLICT' | 'FORBIDDEN';
  message: string;
  hint: string;
  reason: string;
}

export const conflict = (reason: string, message: string, hint: string): Refusal => ({ code: 'CONFLICT', reason, message, hint });
export const forbidden = (reason: string, message: string, hint: string): Refusal => ({ code: 'FORBIDDEN', reason, message, hint });

const stop = 'Stop working on this task and hand nothing in.';

/** Key and worker match the lease. Unnamed sessions of one key count as one here; the token distinguishes them. */
export const owns = ({ owner, agent }: TaskSnapshot, actor: Actor): boolean =>
  // Leases without owner, and callers of an older release, are compared by name only.
  owner && actor.owner
    ? owner.line === actor.owner.line && owner.principal === actor.owner.principal
    : agent === (actor.owner?.principal ?? actor.id);

/** The worker and session that claimed. */
export const holds = (task: TaskSnapshot, actor: Actor): boolean => task.agent === actor.id && owns(task, actor);

export const created = ({ createdBy, createdLine }: TaskSnapshot, { id, owner, named }: Actor): boolean => {
  if (!owner) return createdBy === id;
  // Older tasks have only the creator's name, which anybody can send.
  return createdBy === owner.principal && (createdLine ? createdLine === owner.line : !named);
};

/** A named worker under the key of the lease counts as a worker, not as the person. */
const actsAsPerson = ({ owner }: TaskSnapshot, actor: Actor): boolean =>
  actor.person && !(actor.named && (!owner || owner.line === actor.owner?.line));

/** The role in which the actor may act on a task without holding its lease. */
export const standingBeside = (task: TaskSnapshot, actor: Actor): Standing | null => {
  if (actor.owner?.line === '') return 'platform';
  return actsAsPerson(task, actor) ? 'person' : created(task, actor) ? 'creator' : null;
};

/**
 * The worker that claimed acts as the holder and must send the token. Only a person without a session may override a
 * session of their own key.
 */
const actsAsHolder = (task: TaskSnapshot, actor: Actor, token: number | undefined): boolean =>
  owns(task, actor) && (token !== undefined || actor.id === task.agent || !actor.person || (actor.session ?? null) !== null);

export const standing = (task: TaskSnapshot, actor: Actor, token: number | undefined): Standing | null =>
  actsAsHolder(task, actor, token) ? 'holder' : standingBeside(task, actor);

/** A reserved task is given to its worker alone, whoever else may act on it. */
export function checkReserved({ reservedFor, status }: TaskSnapshot, actor: Actor): Refusal | null {
  if (!reservedFor || status === 'done' || reservedFor === (actor.owner?.principal ?? actor.id) || reservedFor === actor.id) return null;
  return conflict(
    'reserved',
    `The task is reserved for "${reservedFor}".`,
    'Claim another one; work.task.assign without worker lifts the reservation.',
  );
}

export const cancelledRefusal = ({ endedBy }: TaskSnapshot): Refusal =>
  conflict('cancelled', `The task was cancelled by "${endedBy}".`, `${stop} Claim another one with work.task.claim.`);

/** For whoever holds nothing. */
const whatFirst = ({ status }: TaskSnapshot): string =>
  status === 'failed' || status === 'review'
    ? 'Claim it first; or work.task.update_status with status ready gives it to the next claim.'
    : 'Claim it first.';

/**
 * Whether the actor may change the running work: its holder with the current token, its creator, or a person. No
 * refusal contains the token.
 */
export function checkHeld(task: TaskSnapshot, actor: Actor, token: number | undefined, lapsed: boolean): Refusal | null {
  if (task.cancelled) return cancelledRefusal(task);
  if (task.status !== 'in_progress') {
    return token === undefined
      ? conflict(task.status, `The task is not in progress but ${task.status}.`, whatFirst(task))
      : conflict(
          task.status,
          `Your lease has ended: the task is ${task.status}.`,
          `${stop} Go on only if work.task.claim gives it to you again.`,
        );
  }
  const takenOver = conflict(
    'stale_fencing_token',
    `This fencing token belongs to a lease that has ended; "${task.agent}" holds the task.`,
    `${stop} Claim another one with work.task.claim.`,
  );
  if (actsAsHolder(task, actor, token)) {
    if (token === undefined) return tokenRequired(task, actor);
    if (token !== task.token) return takenOver;
    return lapsed
      ? conflict('lease_expired', 'Your lease has ended.', `${stop} Go on only if work.task.claim with this task_id gives it to you again.`)
      : null;
  }
  if (standingBeside(task, actor)) return token === undefined || token === task.token ? null : takenOver;
  if (token !== undefined && token < task.token) return takenOver;
  return forbidden(
    'not_yours',
    `The task is held by "${task.agent}".`,
    `${stop} Only its holder, its creator or a person may change it; work.task.claim gives you another one.`,
  );
}

const tokenRequired = (task: TaskSnapshot, actor: Actor): Refusal =>
  actor.id === task.agent
    ? forbidden(
        'fencing_token_required',
        'The fencing token of your claim is missing.',
        'Pass fencing_token as your claim gave it. If you did not claim it, stop working on this task; if you lost the token, work.task.claim returns it again.',
      )
    : forbidden(
        'fencing_token_required',
        `The task is held by "${task.agent}", another worker under your key.`,
        `${stop} If it is your own claim of an earlier session, pass the fencing_token that you were given.`,
      );
