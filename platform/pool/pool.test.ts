/** The pool over real processes and real threads. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Task } from './fixtures/helper.ts';
import { BoundedPool, type PoolOptions, type Trouble } from './pool.ts';

class Refused extends Error {
  readonly trouble: Trouble;
  constructor(trouble: Trouble) {
    super(trouble.why);
    this.trouble = trouble;
  }
}

const open: BoundedPool<Task, unknown>[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((pool) => pool.close()));
});

const say = (value: unknown): Task => ({ do: 'say', value });
const who: Task = { do: 'who' };
const trouble = (wanted: Partial<Trouble>) => expect.objectContaining({ trouble: expect.objectContaining(wanted) as unknown });
const alive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe.each(['process', 'thread'] as const)('a pool of one %s', (kind) => {
  const pool = (options: Partial<PoolOptions<Task>> = {}): BoundedPool<Task, unknown> => {
    const file = new URL('./fixtures/helper.ts', import.meta.url);
    const made = new BoundedPool<Task, unknown>({
      kind,
      file,
      size: 1,
      jobMs: 30_000,
      settings: () => ({}),
      refuse: (why) => new Refused(why),
      ...options,
    });
    open.push(made);
    return made;
  };

  it('starts its helper with the first job and keeps it for the next ones', async () => {
    const settings = vi.fn<() => object>(() => ({}));
    const own = pool({ settings });
    expect(settings).not.toHaveBeenCalled();
    const first = await own.run(who);
    expect(first).not.toEqual([process.pid, 0]);
    expect(await own.runAll([who, who])).toEqual([first, first]);
    expect(settings).toHaveBeenCalledTimes(1);
  });

  it('ends a job at its deadline, that of its stage, and runs the next one', async () => {
    const own = pool({ jobMs: (stage) => (stage === 'later' ? 60 : 3_000) });
    const [hanging, next] = [own.run({ do: 'hang' }), own.run(say(1))];
    await expect(hanging).rejects.toEqual(trouble({ why: 'late', ready: true, stage: '', said: '3 s' }));
    expect(await next).toBe(1);
    await expect(own.run({ do: 'hang later' })).rejects.toEqual(trouble({ why: 'late', stage: 'later', said: '0.06 s' }));
  });

  it('ends a job that takes too much memory, and runs the next one', async () => {
    const own = pool({ memoryMb: 48 });
    const [hoarding, next] = [own.run({ do: 'hoard' }), own.run(say(1))];
    await expect(hoarding).rejects.toEqual(trouble({ why: 'memory', ready: true }));
    expect(await next).toBe(1);
  });

  it('refuses the job in whose midst a helper dies, and runs the next one', async () => {
    const own = pool();
    const [dying, next] = [own.run({ do: 'exit' }), own.run(say(1))];
    await expect(dying).rejects.toEqual(trouble({ ready: true, said: 'exit code 3' }));
    expect(await next).toBe(1);
  });

  it('passes errors on: an AppError as it is, a defect with where it came from', async () => {
    const own = pool();
    await expect(own.run({ do: 'refuse' })).rejects.toMatchObject({
      name: 'AppError',
      code: 'VALIDATION_ERROR',
      message: 'not like this',
      hint: 'Like that.',
      alternatives: ['that'],
      details: { reason: 'test' },
    });
    const defect = await own.run({ do: 'throw' }).catch((error: Refused) => error.trouble);
    expect(defect).toMatchObject({ why: 'failed', said: 'a defect', cause: { message: 'a defect' } });
    expect((defect as Trouble).cause?.stack).toContain('fixtures/helper.ts');
  });

  it('runs jobs in order of arrival, or as `next` chooses, and sends only what `pack` returns', async () => {
    const done: unknown[] = [];
    const ask = async (own: BoundedPool<Task, unknown>): Promise<unknown[]> => {
      await Promise.all([2, 3, 1].map(async (value) => done.push(await own.run(say(value)))));
      return done.splice(0);
    };
    expect(await ask(pool())).toEqual([2, 3, 1]);
    const least = (tasks: readonly Task[]): Task | undefined => tasks.toSorted((a, b) => Number(a.value) - Number(b.value))[0];
    // The first job starts before the others arrive.
    expect(await ask(pool({ next: least, pack: ({ value }) => say(`${value}!`) }))).toEqual(['2!', '1!', '3!']);
  });

  it('starts as many helpers as there are jobs for, up to its size', async () => {
    const ids = async (own: BoundedPool<Task, unknown>): Promise<number> =>
      new Set((await own.runAll(Array(8).fill(who))).map(String)).size;
    expect(await ids(pool({ size: 2 }))).toBe(2);
    const size = vi.fn<(waiting: readonly Task[], busy: readonly Task[]) => number>((waiting, busy) =>
      Math.ceil((waiting.length + busy.length) / 8),
    );
    expect(await ids(pool({ size }))).toBe(1);
    expect(size.mock.calls.map(([waiting, busy]) => [waiting.length, busy.length])).toEqual(
      expect.arrayContaining([
        [8, 0],
        [7, 1],
      ]),
    );
  });

  it('replaces a helper after enough jobs, and ends it when it is idle', async () => {
    const worn = pool({ jobsEach: 2 });
    const [first, second, third] = await worn.runAll([who, who, who]);
    expect(second).toEqual(first);
    expect(third).not.toEqual(first);
    const idle = pool({ idleMs: 0 });
    const before = await idle.run(who);
    await vi.waitFor(async () => expect(await idle.run(who)).not.toEqual(before), 20_000);
  });

  it('drops what is aborted, and the rest of several jobs when one fails', async () => {
    const given: unknown[] = [];
    const next = ([task]: readonly Task[]): Task | undefined => {
      given.push(task?.value);
      return task;
    };
    const own = pool({ next });
    const stop = new AbortController();
    const running = own.run(say('a'));
    const aborted = own.run(say('b'), stop.signal);
    stop.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    await expect(own.run(say('c'), stop.signal)).rejects.toThrow('enough');
    expect(await running).toBe('a');
    await expect(own.runAll([say('d'), { do: 'throw', value: 'e' }, say('f'), say('g')])).rejects.toThrow('failed');
    expect(await own.runAll([say('h'), say('i')])).toEqual(['h', 'i']);
    expect(given).toEqual(['a', 'd', 'e', 'h', 'i']);
  });

  it('refuses a job whose helper does not get ready, or with it all that waits', async () => {
    const settings = vi.fn<() => object>(() => ({ unusable: 'no model' }));
    const ask = async (own: BoundedPool<Task, unknown>): Promise<unknown[]> =>
      await Promise.all([say(1), say(2)].map((task) => own.run(task).catch((error: Refused) => error)));
    const both = [trouble({ why: 'unusable', ready: false, said: 'no model' }), trouble({ ready: false, said: 'no model' })];
    expect(await ask(pool({ settings }))).toEqual(both);
    expect(settings).toHaveBeenCalledTimes(2);
    expect(await ask(pool({ settings, failTogether: true }))).toEqual(both);
    expect(settings).toHaveBeenCalledTimes(3);
    const [mute] = await ask(pool({ startMs: 300, failTogether: true, settings: () => ({ mute: true }) }));
    expect(mute).toEqual(trouble({ why: 'late', ready: false }));
    const missing = new Error('no folder');
    const absent = pool({
      settings: () => {
        throw missing;
      },
    });
    expect(await ask(absent)).toEqual([missing, missing]);
  });

  it('refuses after closing what runs, what waits and what comes; its helpers are gone then', async () => {
    const own = pool();
    const [pid] = (await own.run(who)) as [number];
    const asked = [own.run({ do: 'hang' }), own.run(say(1))].map((each) => each.catch((error: Refused) => error));
    expect(own.waiting).toBe(1);
    await own.close();
    expect(await Promise.all(asked)).toEqual([trouble({ why: 'closed' }), trouble({ why: 'closed' })]);
    await expect(own.run(say(2))).rejects.toEqual(trouble({ why: 'closed' }));
    expect(alive(pid)).toBe(kind === 'thread');
    await own.close();
  });
});

it('an idle process is gone', async () => {
  const file = new URL('./fixtures/helper.ts', import.meta.url);
  const own = new BoundedPool<Task, unknown>({
    kind: 'process',
    file,
    size: 1,
    jobMs: 30_000,
    idleMs: 0,
    settings: () => ({}),
    refuse: (why) => new Refused(why),
  });
  const [pid] = (await own.run(who)) as [number];
  await vi.waitFor(() => expect(alive(pid)).toBe(false), 20_000);
});
