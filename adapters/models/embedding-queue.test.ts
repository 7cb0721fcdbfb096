import { describe, expect, it } from 'vitest';
import { EmbeddingTurns, type EmbedPriority, type EmbedText, processesFor } from './embedding-queue.ts';

/** The waiting texts, in order of arrival. */
function queue() {
  const turns = new EmbeddingTurns();
  let waiting: EmbedText[] = [];
  const take = (): string | undefined => {
    const next = turns.take(waiting);
    waiting = waiting.filter((each) => each !== next);
    return next?.text;
  };
  return {
    add(name: string, count: number, priority: EmbedPriority, tenant = 'acme'): void {
      const call = turns.call(priority, tenant);
      for (let i = 0; i < count; i += 1) waiting.push({ text: `${name}${i}`, call });
    },
    remove: (name: string) => void (waiting = waiting.filter(({ text }) => !text.startsWith(name))),
    take,
    takeAll(): string[] {
      const order: string[] = [];
      for (let next = take(); next !== undefined; next = take()) order.push(next);
      return order;
    },
  };
}

describe('EmbeddingTurns', () => {
  it('lets a query pass a batch that is already under way', () => {
    const { add, take, takeAll } = queue();
    add('b', 3, 'batch');
    expect(take()).toBe('b0');
    add('q', 1, 'query');
    expect(takeAll()).toEqual(['q0', 'b1', 'b2']);
    expect(take()).toBeUndefined();
  });

  it('takes turns between batches, each in its own order', () => {
    const { add, takeAll } = queue();
    add('a', 3, 'batch');
    add('b', 2, 'batch');
    expect(takeAll()).toEqual(['a0', 'b0', 'a1', 'b1', 'a2']);
  });

  it.each(['batch', 'query'] as const)('takes turns between tenants, however many calls one has waiting (%s)', (lane) => {
    const { add, take, takeAll } = queue();
    for (let i = 0; i < 20; i += 1) add(`a${i}.`, 2, lane, 'large');
    expect(take()).toBe('a0.0');
    add('b', 3, lane, 'small');
    expect(takeAll().slice(0, 6)).toEqual(['a1.0', 'b0', 'a2.0', 'b1', 'a3.0', 'b2']);
  });

  it('lets one batch text pass after every eight queries', () => {
    const { add, takeAll } = queue();
    add('b', 2, 'batch');
    add('q', 20, 'query');
    const order = takeAll();
    expect(order.indexOf('b0')).toBe(8);
    expect(order.indexOf('b1')).toBe(17);
  });

  it('goes on when a call is dropped half-way', () => {
    const { add, take, remove, takeAll } = queue();
    add('a', 3, 'batch');
    add('b', 1, 'batch');
    take();
    remove('a');
    expect(takeAll()).toEqual(['b0']);
  });
});

describe('processesFor', () => {
  const texts = (count: number, priority: EmbedPriority): EmbedText[] => {
    const call = new EmbeddingTurns().call(priority, 'acme');
    return Array.from({ length: count }, (_, i) => ({ text: String(i), call }));
  };

  it('keeps to one process while there is little to do', () => {
    expect(processesFor([])).toBe(1);
    expect(processesFor(texts(4, 'batch'))).toBe(1);
    // The number of texts does not matter: one caller waits for all of them.
    expect(processesFor(texts(50, 'query'))).toBe(1);
    expect(processesFor([...texts(1, 'query'), ...texts(1, 'query')])).toBe(1);
  });

  it('wakes more for a batch, for several calls, and for queries when there are many', () => {
    expect(processesFor(texts(9, 'batch'))).toBe(3);
    expect(processesFor([...texts(3, 'batch'), ...texts(2, 'batch')])).toBe(2);
    expect(processesFor(Array.from({ length: 5 }, () => texts(1, 'query')).flat())).toBe(3);
  });
});
