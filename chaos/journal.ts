/** What the product has acknowledged, kept outside of it, to be held against it at the end. */

export interface Created {
  id: string;
  description: string;
  blockers: string[];
}

export interface Claimed {
  task: string;
  agent: string;
  token: number;
  /** As the task's own process saw it, in ms: when the lease began, and until when it has been promised. */
  startedAt: number;
  leaseUntil: number;
  /** When the holder first asked to give it up (complete or release), by this process's clock, in ms. */
  endAskedAt?: number;
}

export interface Ingested {
  source: string;
  document: string;
  title: string;
  /** A word that stands in this version alone. */
  marker: string;
}

export interface Statement {
  /** A word that stands in it alone. */
  marker: string;
  text: string;
}

/** A call with a customer, as it was taken in last. */
export interface Call {
  customer: string;
  document: string;
  statements: Statement[];
  /** Acknowledged, and no newer version is under way. */
  settled: boolean;
}

/** What was said of an opportunity last, and how many times something new. */
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
  /** Names of what was killed, joined by "+". */
  what: string;
  /** Milliseconds until all of it served again. */
  backAfter?: number;
}

export class Journal {
  readonly created = new Map<string, Created>();
  readonly claims: Claimed[] = [];
  readonly completed = new Set<string>();
  /** Tasks that a complete said it had let go, once for each time. */
  readonly unblocked: string[] = [];
  /** The version that must be found, by title, and those that must not. */
  readonly ingested = new Map<string, Ingested>();
  readonly replaced: Ingested[] = [];
  /** Folders that were taken in: the word that stands in each file. */
  readonly folders = new Map<string, Map<string, string>>();
  /** Memories by their ids, with the word that stands in each; and those that were forgotten. */
  readonly memories = new Map<string, string>();
  readonly forgotten = new Map<string, string>();
  /** Sources of which nothing may be left. */
  readonly deleted = new Set<string>();
  /** Pairs of customers by the first one's name: what was decided last. */
  readonly customers = new Map<string, { with: string; state: 'apart' | 'merged' }>();
  /** Episodes in the order in which they were acknowledged. */
  readonly episodes: string[] = [];
  /** Tasks handed to the agent, with the word that stands in each; cancelled: acknowledged so. */
  readonly delegations = new Map<string, { nonce: string; cancelled: boolean }>();
  readonly a2aTasks = new Set<string>();
  /** Tickets that another server was to pay back. */
  readonly payments = new Map<string, 'paid' | 'unknown'>();
  /** Calls that were decided about, with what they were to make. */
  readonly decided = new Map<string, { name: string; decision: 'approve' | 'reject' }>();
  /** By title. */
  readonly calls = new Map<string, Call>();
  /** Signals by their ids: what a correction said they are. */
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
  /** Calls without an answer, or with one that leaves the outcome open, by code. */
  readonly unknown: Record<string, number> = {};
  /** The longest time from first asking to the outcome, by tool, in ms: repeats under the same key included. */
  readonly longestWait: Record<string, number> = {};
  /** Times of acknowledged calls, in ms, by whether they wrote. */
  readonly answeredAt: { write: number[]; read: number[] } = { write: [], read: [] };
  /** When the load began to wind down: pauses after that are its own. */
  windingFrom = Infinity;
  /** Errors that the api did not expect, with their number. */
  readonly unexpected: Record<string, number> = {};
  /** What was seen to be wrong on the way. */
  readonly violations: string[] = [];

  answered(tool: string, effect: 'write' | 'read', toolCallId: string): void {
    count(this.acknowledged, tool);
    this.answeredAt[effect].push(Date.now());
    if (effect === 'write') this.writes.push({ toolCallId, tool });
  }

  waited(tool: string, ms: number): void {
    this.longestWait[tool] = Math.max(ms, this.longestWait[tool] ?? 0);
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
