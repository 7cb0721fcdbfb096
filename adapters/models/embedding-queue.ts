/** `query`: a person or agent waits for it. `batch`: ingestion, which may take its time. */
export type EmbedPriority = 'query' | 'batch';

/** One `embed` call; its texts are scheduled one by one, in order. */
export interface EmbedCall {
  readonly priority: EmbedPriority;
  /** The tenant whose share it uses. */
  readonly tenant: string;
  readonly came: number;
  /** When it was last served, or when it arrived. */
  turn: number;
}

export interface EmbedText {
  readonly text: string;
  /** Of a statement for the encoder; absent: a text to embed. */
  readonly context?: string;
  readonly call: EmbedCall;
}

/** After this many query texts in a row one batch text is next, so that many searches cannot starve ingestion. */
const queryBurst = 8;

/**
 * Chooses the text to embed next: queries before batches, then tenants in turn, then each tenant's calls in turn. So a
 * query does not wait for a batch of fifty, a small document not for a large one, and a tenant not for another tenant's
 * many calls.
 */
export class EmbeddingTurns {
  private clock = 0;
  private burst = 0;
  /** When each tenant was last served. */
  private readonly served = { query: new Map<string, number>(), batch: new Map<string, number>() };

  call(priority: EmbedPriority, tenant: string): EmbedCall {
    const came = ++this.clock;
    return { priority, tenant, came, turn: came };
  }

  /** @param waiting texts in order of arrival */
  take(waiting: readonly EmbedText[]): EmbedText | undefined {
    const has = (wanted: EmbedPriority): boolean => waiting.some(({ call }) => call.priority === wanted);
    const lane = has('query') && (this.burst < queryBurst || !has('batch')) ? 'query' : 'batch';
    const served = this.served[lane];
    /** For each tenant: when it was last served, or when the first of its waiting calls arrived. */
    const turns = new Map<string, number>();
    let best: EmbedText | undefined;
    let last: EmbedCall | undefined;
    for (const each of waiting) {
      // Only a call's first text can be next, and the texts of a call are adjacent.
      if (each.call === last || each.call.priority !== lane) continue;
      last = each.call;
      const { tenant, came, turn } = last;
      if (!turns.has(tenant)) turns.set(tenant, Math.max(served.get(tenant) ?? 0, came));
      const ahead = best ? turns.get(tenant)! - turns.get(best.call.tenant)! || turn - best.call.turn : -1;
      if (ahead < 0) best = each;
    }
    if (!best) return undefined;
    best.call.turn = ++this.clock;
    served.set(best.call.tenant, this.clock);
    this.burst = lane === 'query' ? this.burst + 1 : 0;
    return best;
  }
}

/** Waiting queries per process, before another process is started. */
const queriesEach = 2;
/** Waiting batch texts that justify another process. */
const batchEach = 4;

/** How many processes these texts justify. Each process needs memory, so for a few texts it is one. */
export function processesFor(texts: readonly EmbedText[]): number {
  const left = new Map<EmbedCall, number>();
  for (const { call } of texts) left.set(call, (left.get(call) ?? 0) + 1);
  let queries = 0;
  let shares = 0;
  for (const [{ priority }, count] of left) {
    if (priority === 'query') queries++;
    else shares += Math.ceil(count / batchEach);
  }
  return Math.max(1, Math.ceil(queries / queriesEach), shares);
}
