import type { Front } from '../../contracts/caller.ts';
import type { Envelope } from '../../contracts/envelope.ts';
import type { Asked } from '../../contracts/governance/policy.ts';

/** A tool call that a process makes on behalf of a caller. */
export interface Execution {
  tenant: string;
  /** The caller's key; if it is revoked, the call is refused. */
  keyId: string;
  principal: string;
  front: Front;
  /** In any spelling. */
  tool: string;
  arguments: Record<string, unknown>;
  /** A write repeated under the same key acts once. */
  callKey: string;
  /** A person's approval of these arguments under this policy. */
  approval?: Asked;
  /** How long it may wait for approval, in ms; default: the process polls for the answer. */
  waitMs?: number;
  signal?: AbortSignal;
  onProgress?: (done: number, total?: number, message?: string) => void;
}

/**
 * Runs the call through the pipeline: rights, idempotency and ledger as for every other call. Never throws when the
 * tool refuses: `envelope.error` has the refusal. Wired in workers/, because activities do not know tools.
 */
export type Execute = (execution: Execution) => Promise<Envelope>;
