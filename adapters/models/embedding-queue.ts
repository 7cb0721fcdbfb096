/** `query`: a person or agent waits for it. `batch`: ingestion, which may take its time. */
export type EmbedPriority = 'query' | 'batch';

/** One `embed` call on its way: its texts are handed out singly, in order. */
export interface EmbedRequest {
  readonly texts: readonly string[];
  readonly priority: EmbedPriority;
  /** Whose share it takes from. */
  readonly tenant: string;
  readonly vectors: Float32Array[];
  /** Index of the next text to hand out. */
  next: number;
  resolve(vectors: Float32Array[]): void;
  reject(reason: Error): void;
}

/** After this many query texts in a row one batch text passes, so that a flood of searches cannot starve ingestion. */
const queryBurst = 8;

/**
 * Hands out one text at a time: queries before batches, within a lane each tenant in turn, and of a tenant each request
 * in turn, so that neither a query waits behind a batch of fifty, nor a small document behind a large one, nor a tenant
 * behind the many requests of another.
 */
export class EmbeddingQueue {
  private readonly lanes: Record<EmbedPriority, Lane> = { query: new Lane(), batch: new Lane() };
  private burst = 0;

  add(request: EmbedRequest): void {
    this.lanes[request.priority].add(request);
  }

  /** Takes a request out, wherever it stands (aborted or failed). Unknown requests are ignored. */
  remove(request: EmbedRequest): void {
    this.lanes[request.priority].remove(request);
  }

  /** The next text to embed and the request it belongs to, or undefined when nothing waits. */
  take(): { request: EmbedRequest; index: number; text: string } | undefined {
    const { query, batch } = this.lanes;
    const batchFirst = this.burst >= queryBurst && !batch.empty;
    const lane = !query.empty && !batchFirst ? query : batch;
    const request = lane.take();
    if (request === undefined) return undefined;
    this.burst = lane === query ? this.burst + 1 : 0;
    const index = request.next++;
    if (request.next < request.texts.length) lane.add(request);
    return { request, index, text: request.texts[index] ?? '' };
  }

  /** Empties the queue and returns what was in it. */
  drain(): EmbedRequest[] {
    return [...this.lanes.query.drain(), ...this.lanes.batch.drain()];
  }

  get empty(): boolean {
    return this.lanes.query.empty && this.lanes.batch.empty;
  }
}

/** Requests by tenant; whoever was served goes to the end, and so does the request. */
class Lane {
  private readonly tenants = new Map<string, EmbedRequest[]>();

  add(request: EmbedRequest): void {
    const waiting = this.tenants.get(request.tenant);
    if (waiting) waiting.push(request);
    else this.tenants.set(request.tenant, [request]);
  }

  remove(request: EmbedRequest): void {
    const waiting = this.tenants.get(request.tenant);
    const at = waiting?.indexOf(request) ?? -1;
    if (waiting === undefined || at < 0) return;
    waiting.splice(at, 1);
    if (waiting.length === 0) this.tenants.delete(request.tenant);
  }

  take(): EmbedRequest | undefined {
    for (const [tenant, waiting] of this.tenants) {
      const request = waiting.shift();
      this.tenants.delete(tenant);
      if (waiting.length > 0) this.tenants.set(tenant, waiting);
      return request;
    }
    return undefined;
  }

  drain(): EmbedRequest[] {
    const all = [...this.tenants.values()].flat();
    this.tenants.clear();
    return all;
  }

  get empty(): boolean {
    return this.tenants.size === 0;
  }
}
