import { afterEach, expect, it, vi } from 'vitest';
import { queueStats } from './backlog.ts';
import type { Temporal } from './client.ts';

afterEach(() => vi.useRealTimers());

/** A client that counts so much, or whose connection is closed. */
const counting = (backlog: number | null) =>
  ({
    withDeadline: (_: number, work: () => Promise<unknown>) => work(),
    connection: {
      workflowService: {
        describeTaskQueue: async () => {
          if (backlog === null) throw new Error('closed');
          return { stats: { approximateBacklogCount: backlog, approximateBacklogAge: { seconds: 2, nanos: 5e8 } }, pollers: [{}] };
        },
      },
    },
  }) as unknown as Temporal['client'];

it('asks the client of now: renewed credentials replace it', async () => {
  vi.useFakeTimers();
  let client = counting(3);
  const read = queueStats({ namespace: 'acme', get client() { return client; } }, ['light']); // prettier-ignore
  expect(await read()).toMatchObject([
    { queue: 'light', kind: 'workflow', backlog: 3, oldestSeconds: 2.5, pollers: 1 },
    { queue: 'light', kind: 'activity', backlog: 3 },
  ]);
  client = counting(4);
  expect((await read())[0]!.backlog).toBe(3);
  vi.advanceTimersByTime(6_000);
  expect((await read())[0]!.backlog).toBe(4);
});

it('does not keep a failure', async () => {
  let client = counting(null);
  const read = queueStats({ namespace: 'acme', get client() { return client; } }, ['light']); // prettier-ignore
  await expect(read()).rejects.toThrow('closed');
  client = counting(1);
  expect((await read())[0]!.backlog).toBe(1);
});
