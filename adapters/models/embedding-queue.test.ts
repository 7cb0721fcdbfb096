import { describe, expect, it } from 'vitest';
import { EmbeddingQueue, type EmbedPriority, type EmbedRequest } from './embedding-queue.ts';

const request = (name: string, count: number, priority: EmbedPriority, tenant = 'acme'): EmbedRequest => ({
  texts: Array.from({ length: count }, (_, i) => `${name}${i}`),
  priority,
  tenant,
  vectors: [],
  next: 0,
  resolve: () => {},
  reject: () => {},
});

function takeAll(queue: EmbeddingQueue): string[] {
  const order: string[] = [];
  for (let next = queue.take(); next !== undefined; next = queue.take()) order.push(next.text);
  return order;
}

describe('EmbeddingQueue', () => {
  it('lets a query pass a batch that is already under way', () => {
    const queue = new EmbeddingQueue();
    queue.add(request('b', 3, 'batch'));
    expect(queue.take()?.text).toBe('b0');
    queue.add(request('q', 1, 'query'));
    expect(takeAll(queue)).toEqual(['q0', 'b1', 'b2']);
    expect(queue.empty).toBe(true);
  });

  it('takes turns between batches, each in its own order', () => {
    const queue = new EmbeddingQueue();
    queue.add(request('a', 3, 'batch'));
    queue.add(request('b', 2, 'batch'));
    expect(takeAll(queue)).toEqual(['a0', 'b0', 'a1', 'b1', 'a2']);
  });

  it.each(['batch', 'query'] as const)('takes turns between tenants, however many requests one has waiting (%s)', (lane) => {
    const queue = new EmbeddingQueue();
    for (let i = 0; i < 20; i += 1) queue.add(request(`a${i}.`, 2, lane, 'large'));
    expect(queue.take()?.text).toBe('a0.0');
    queue.add(request('b', 3, lane, 'small'));
    expect(takeAll(queue).slice(0, 6)).toEqual(['a1.0', 'b0', 'a2.0', 'b1', 'a3.0', 'b2']);
    expect(queue.empty).toBe(true);
  });

  it('lets one batch text pass after every eight queries', () => {
    const queue = new EmbeddingQueue();
    queue.add(request('b', 2, 'batch'));
    queue.add(request('q', 20, 'query'));
    const order = takeAll(queue);
    expect(order.indexOf('b0')).toBe(8);
    expect(order.indexOf('b1')).toBe(17);
  });

  it('forgets a removed request, also half-way', () => {
    const queue = new EmbeddingQueue();
    const gone = request('a', 3, 'batch');
    queue.add(gone);
    queue.add(request('b', 1, 'batch'));
    queue.take();
    queue.remove(gone);
    expect(takeAll(queue)).toEqual(['b0']);
  });
});
