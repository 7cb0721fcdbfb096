/** `query`: a person or agent waits for it. `batch`: ingestion, which may take its time. */
export type EmbedPriority = 'query' | 'batch';

/** One `embed` call; its texts are handed out singly, in order. */
export interface EmbedCall {
  readonly priority: EmbedPriority;
  /** Whose share it takes from. */
  readonly tenant: string;
  readonly came: number;
  /** When it was served last, or came. */
  turn: number;
}

export interface EmbedText {
  readonly text: string;
  readonly call: EmbedCall;
}

/** After this many query texts in a row one batch text passes, so that a flood of searches cannot starve ingestion. */
const queryBurst = 8;

/**
 * Which text is embedded next: queries before batches, within a lane each tenant in turn, and of a tenant each call in
 * turn, so that neither a query waits behind a batch of fifty, nor a small document behind a large one, nor a tenant
 * behind the many calls of another.
 */
export class EmbeddingTurns {
  private clock = 0;
  private burst = 0;
  /** When each tenant was served last. */
  private readonly served = { query: new Map<string, number>(), batch: new Map<string, number>() };

  call(priority: EmbedPriority, tenant: string): EmbedCall {
    const came = ++this.clock;
    return { priority, tenant, came, turn: came };
  }

  /** @param waiting in the order in which they came */
  take(waiting: readonly EmbedText[]): EmbedText | undefined {
    const has = (wanted: EmbedPriority): boolean => waiting.some(({ call }) => call.priority === wanted);
    const lane = has('query') && (this.burst < queryBurst || !has('batch')) ? 'query' : 'batch';
    const served = this.served[lane];
    /** For each tenant, when it was served last, or when the first of its calls that wait came. */
    const turns = new Map<string, number>();
    let best: EmbedText | undefined;
    let last: EmbedCall | undefined;
    for (const each of waiting) {
      // Of a call only the first text can be next, and its texts came together.
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

/** Queries that one process takes before the next one is woken for them. */
const queriesEach = 2;
/** Texts of a batch from which it is worth waking a further process. */
const batchEach = 4;

/** How many processes these texts are worth, as each takes memory. While there is little to do, it is one. */
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
