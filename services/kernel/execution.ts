import type { Front } from '../../contracts/caller.ts';
import type { Envelope } from '../../contracts/envelope.ts';
import type { Asked } from '../../contracts/governance/policy.ts';

/** A tool call that a process makes on behalf of whoever asked for it. */
export interface Execution {
  tenant: string;
  /** Who asked, and with which key: a revoked one ends it. */
  keyId: string;
  principal: string;
  front: Front;
  /** Any spelling. */
  tool: string;
  arguments: Record<string, unknown>;
  /** Repeated under the same key, a write acts once. */
  callKey: string;
  /** A person has approved it, with these arguments and under this policy. */
  approval?: Asked;
  /** How long it can wait for a person's approval, in ms; default: it comes back for the answer. */
  waitMs?: number;
  signal?: AbortSignal;
  onProgress?: (done: number, total?: number, message?: string) => void;
}

/**
 * Runs it through the pipeline: rights, idempotency and ledger as for every other call. Never throws for what the tool
 * refuses: `envelope.error` says it. Wired in workers/, because activities know no tools.
 */
export type Execute = (execution: Execution) => Promise<Envelope>;
