/** `query`: a person or agent waits for it. `batch`: ingestion, which may take its time. */
export type EmbedPriority = 'query' | 'batch';

/** One `embed` call on its way: its texts are handed out singly, in order. */
export interface EmbedRequest {
  readonly texts: readonly string[];
  readonly priority: EmbedPriority;
  readonly vectors: Float32Array[];
  /** Index of the next text to hand out. */
  next: number;
  resolve(vectors: Float32Array[]): void;
  reject(reason: Error): void;
}

/** After this many query texts in a row one batch text passes, so that a flood of searches cannot starve ingestion. */
const queryBurst = 8;

/**
 * Hands out one text at a time: queries before batches, and within a lane each request in turn, so that neither
 * a query waits behind a batch of fifty nor a small document behind a large one.
 */
export class EmbeddingQueue {
  private readonly lanes: Record<EmbedPriority, EmbedRequest[]> = { query: [], batch: [] };
  private burst = 0;

  add(request: EmbedRequest): void {
    this.lanes[request.priority].push(request);
  }

  /** Takes a request out, wherever it stands (aborted or failed). Unknown requests are ignored. */
  remove(request: EmbedRequest): void {
    const lane = this.lanes[request.priority];
    const at = lane.indexOf(request);
    if (at >= 0) lane.splice(at, 1);
  }

  /** The next text to embed and the request it belongs to, or undefined when nothing waits. */
  take(): { request: EmbedRequest; index: number; text: string } | undefined {
    const batchFirst = this.burst >= queryBurst && this.lanes.batch.length > 0;
    const lane = this.lanes.query.length > 0 && !batchFirst ? this.lanes.query : this.lanes.batch;
    const request = lane.shift();
    if (request === undefined) return undefined;
    this.burst = lane === this.lanes.query ? this.burst + 1 : 0;
    const index = request.next++;
    if (request.next < request.texts.length) lane.push(request);
    return { request, index, text: request.texts[index] ?? '' };
  }

  /** Empties the queue and returns what was in it. */
  drain(): EmbedRequest[] {
    const all = [...this.lanes.query, ...this.lanes.batch];
    this.lanes.query = [];
    this.lanes.batch = [];
    return all;
  }

  get empty(): boolean {
    return this.lanes.query.length === 0 && this.lanes.batch.length === 0;
  }
}
