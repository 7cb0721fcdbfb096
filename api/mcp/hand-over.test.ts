import { expect, it } from 'vitest';
import type { ServerParts } from '../parts.ts';
import { listen } from './hand-over.ts';

it('looks again soon when the database did not answer, without another notice', async () => {
  const over = new AbortController();
  let notices = 1;
  let looks = 0;
  const parts = {
    log: { debug: () => {} },
    notices: () => ({
      wait: async (_topic: string, _ms: number, signal: AbortSignal) => {
        if (notices-- > 0) return true;
        return await new Promise<boolean>((resolve) => signal.addEventListener('abort', () => resolve(false)));
      },
    }),
    sessions: {
      news: async () => {
        looks += 1;
        if (looks === 1) throw new Error('away');
        return { known: true, messages: [{ id: 'm', body: 'hello' }] };
      },
    },
  } as unknown as ServerParts;
  const taken = await new Promise<unknown[]>((resolve) => {
    void listen(parts, {
      tenant: 't',
      id: 's',
      signal: over.signal,
      inUse: () => false,
      take: async (messages) => resolve(messages),
    });
  });
  over.abort();
  expect([taken, looks]).toEqual([[{ id: 'm', body: 'hello' }], 2]);
});
