/** Everything that the product has acknowledged, kept outside of it, to be compared at the end. */

export interface Created {
  id: string;
  description: string;
  blockers: string[];
}

export interface Claimed {
  task: string;
  agent: string;
  token: number;
  /** Start and end of the lease by the task's workflow, in ms. */
  startedAt: number;
  leaseUntil: number;
  /** When the holder first asked to give it up (complete or release), by this process's clock, in ms. */
  endAskedAt?: number;
}

export interface Ingested {
  source: string;
  document: string;
  title: string;
  /** A word that only this version contains. */
  marker: string;
}

export interface Statement {
  /** A word that only it contains. */
  marker: string;
  text: string;
}

/** The last ingested version of a call with a customer. */
export interface Call {
  customer: string;
  document: string;
  statements: Statement[];
  /** Acknowledged, and no newer version is being ingested. */
  settled: boolean;
}

/** The last decision about an opportunity, and the number of changes. */
export interface Decision {
  status: string;
  steps: number;
  factors: Map<string, number>;
  changes: number;
  /** A change was refused: it must have been closed by then. */
  refused: boolean;
}

export interface Exported {
  job: string;
  rows: number;
  wrong: string[];
}

export interface Kill {
  at: number;
  /** Names of the killed processes, joined by "+". */
  what: string;
  /** Milliseconds until all of them served again. */
  backAfter?: number;
}

/** A call until its outcome was known, repeats under its key included. */
export interface Wait {
  from: number;
  ms: number;
  /** What its attempts were answered with, by code. */
  attempts: Record<string, number>;
  /** The message of the last one that had to be repeated. */
  last?: string;
  args: object;
}

export class Journal {
  readonly created = new Map<string, Created>();
  readonly claims: Claimed[] = [];
  readonly completed = new Set<string>();
  /** Tasks that completes reported as unblocked, one entry per report. */
  readonly unblocked: string[] = [];
  /** The version that must be found, by title, and those that must not. */
  readonly ingested = new Map<string, Ingested>();
  readonly replaced: Ingested[] = [];
  /** Ingested folders: the word in each file. */
  readonly folders = new Map<string, Map<string, string>>();
  /** Memories by id, with the word in each; and the deleted ones. */
  readonly memories = new Map<string, string>();
  readonly forgotten = new Map<string, string>();
  /** Deleted sources: nothing of them may remain. */
  readonly deleted = new Set<string>();
  /** The last decision about each pair of customers, by the first one's name. */
  readonly customers = new Map<string, { with: string; state: 'apart' | 'merged' }>();
  /** Episodes in the order of their acknowledgement. */
  readonly episodes: string[] = [];
  /** Tasks delegated to the agent, with the word in each; cancelled: the cancel was acknowledged. */
  readonly delegations = new Map<string, { nonce: string; cancelled: boolean }>();
  readonly a2aTasks = new Set<string>();
  /** Tickets that the external server should refund. */
  readonly payments = new Map<string, 'paid' | 'unknown'>();
  /** Decided calls, with what they should create. */
  readonly decided = new Map<string, { name: string; decision: 'approve' | 'reject' }>();
  /** By title. */
  readonly calls = new Map<string, Call>();
  /** Corrections of signals, by id. */
  readonly corrected = new Map<string, { marker: string; class: string; severity: string }>();
  /** By opportunity. */
  readonly decisions = new Map<string, Decision>();
  /** Drafts that were acknowledged. */
  readonly drafts = new Set<string>();
  readonly exports: Exported[] = [];
  /** Titles of messages by their ids. */
  readonly messages = new Map<string, string>();
  /** Jobs of briefs. */
  readonly briefs = new Set<string>();
  readonly kills: Kill[] = [];
  /** `tool_call_id` of each acknowledged write. */
  readonly writes: { toolCallId: string; tool: string }[] = [];
  /** Acknowledged calls by tool. */
  readonly acknowledged: Record<string, number> = {};
  /** Definite refusals by tool and reason. */
  readonly refused: Record<string, number> = {};
  /** Calls without an answer, or with an unknown outcome, by code. */
  readonly unknown: Record<string, number> = {};
  /** The longest wait from the first attempt to the outcome, by tool. */
  readonly longestWait: Record<string, Wait> = {};
  /** Times of acknowledged calls, in ms, separately for writes and reads. */
  readonly answeredAt: { write: number[]; read: number[] } = { write: [], read: [] };
  /** When the load began to stop: later pauses are intended. */
  windingFrom = Infinity;
  /** Errors that the api did not expect, with their number. */
  readonly unexpected: Record<string, number> = {};
  /** Violations that actors saw during the run. */
  readonly violations: string[] = [];

  answered(tool: string, effect: 'write' | 'read', toolCallId: string): void {
    count(this.acknowledged, tool);
    this.answeredAt[effect].push(Date.now());
    if (effect === 'write') this.writes.push({ toolCallId, tool });
  }

  waited(tool: string, wait: Wait): void {
    if (wait.ms > (this.longestWait[tool]?.ms ?? 0)) this.longestWait[tool] = wait;
  }

  /** The longest pause of acknowledged calls after each kind of kill, until the next kill, in ms. */
  outages(effect: 'write' | 'read'): Record<string, number> {
    const times = this.answeredAt[effect].toSorted((a, b) => a - b);
    const worst: Record<string, number> = {};
    for (const [index, kill] of this.kills.entries()) {
      const until = this.kills[index + 1]?.at ?? Infinity;
      for (let i = 1; i < times.length; i += 1) {
        const [before, after] = [times[i - 1]!, Math.min(times[i]!, this.windingFrom)];
        if (after >= kill.at && before < until) worst[kill.what] = Math.max(worst[kill.what] ?? 0, after - Math.max(before, kill.at));
      }
    }
    return worst;
  }
}

export const count = (into: Record<string, number>, key: string): void => {
  into[key] = (into[key] ?? 0) + 1;
};
