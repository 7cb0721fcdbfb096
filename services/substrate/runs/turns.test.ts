import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import { Turns } from './turns.ts';

describe('turns', () => {
  it('come one after the other under a key, in order, whatever became of the one before', async () => {
    const turns = new Turns();
    const seen: string[] = [];
    const gate = Promise.withResolvers<void>();
    const first = turns.take('a', async () => {
      await gate.promise;
      seen.push('first');
      throw new Error('lost');
    });
    const second = turns.take('a', async () => void seen.push('second'));
    await turns.take('b', async () => void seen.push('beside'));
    expect(seen).toEqual(['beside']);
    gate.resolve();
    await expect(first).rejects.toThrow('lost');
    await second;
    expect(seen).toEqual(['beside', 'first', 'second']);
  });

  it('run as whoever asked, not as whoever was before', async () => {
    const turns = new Turns();
    const tenant = new AsyncLocalStorage<string>();
    const asked = ['acme', 'globex', 'initech'].map((name) => tenant.run(name, () => turns.take('a', async () => tenant.getStore())));
    expect(await Promise.all(asked)).toEqual(['acme', 'globex', 'initech']);
  });
});
