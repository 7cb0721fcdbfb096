/** Issues that leave those of their tracker: their tasks say so and go on. Against servers that speak the trackers' APIs. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { HistoryEntry } from '../../contracts/work/history.ts';
import { trackerKinds, type TrackerKind } from '../../contracts/work/tracker-kinds.ts';
import type { TaskIssue, Tracker } from '../../contracts/work/trackers.ts';
import type { Task } from '../../contracts/work/work.ts';
import { openForge, type Forge } from '../setup/forges.ts';
import { replayCourses } from '../setup/replay.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

type Read = Task & { issue: TaskIssue | null };

let stack: TestStack;
let pm: Caller;
let forge: Forge;
let tracker: string;
let phase = 700;
beforeAll(async () => {
  stack = await testStack({ model: false, env: { ALLOW_PRIVATE_NETWORK: 'true' } });
  pm = await stack.caller({ name: 'pm', kind: 'human' });
});
afterAll(() => stack?.stop());
beforeEach(async () => {
  phase += 1;
  await stack.ok(pm, 'work.phase.set', { phase_id: phase });
});
afterEach(async () => {
  await stack.ok(pm, 'work.tracker.remove', { tracker_id: tracker });
  await forge.close();
});

const saved = (kind: TrackerKind, filter: object, more: object = {}) =>
  stack.ok<{ tracker: Tracker }>(pm, 'work.tracker.save', {
    name: `tracker ${phase}`,
    kind,
    base_url: forge.url,
    repository: forge.repository,
    token: forge.token,
    phase_id: phase,
    every_minutes: 1_440,
    filter,
    ...more,
  });
async function open(kind: TrackerKind, filter: object = { labels: ['agents'] }): Promise<void> {
  forge = await openForge(kind);
  tracker = (await saved(kind, filter)).tracker.tracker_id;
}
/** As if the last round of looking were long ago. */
const sync = async (): Promise<NonNullable<Tracker['last']>> => {
  await rows('update work_trackers set looked_at = null where tenant_id = $1');
  return await syncSoon();
};
const syncSoon = async (): Promise<NonNullable<Tracker['last']>> => {
  const { tracker: now, finished } = await stack.ok<{ tracker: Tracker; finished: boolean }>(pm, 'work.tracker.sync', {
    tracker_id: tracker,
  });
  expect(finished).toBe(true);
  return now.last!;
};
const ref = () => ({ tenant: 'acme', id: tracker });
const look = () => asTenant('acme', () => stack.services.work.issueLeaving.look(ref()));
const rows = <T extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  asTenant('acme', () => stack.db.query<T>(text, ['acme', ...values]));
const taskOf = async (number: number): Promise<Read> => {
  const [row] = await rows<{ task_id: string }>(
    'select task_id from work_task_issues where tenant_id = $1 and tracker_id = $2 and number = $3',
    [tracker, number],
  );
  return (await stack.ok<{ task: Read }>(pm, 'work.task.get', { task_id: row!.task_id })).task;
};
const leftOf = async (number: number): Promise<string | null> => (await taskOf(number)).issue!.left;
/** What the history of a task says of its issue, oldest first. */
const told = async (number: number): Promise<(string | null)[]> => {
  const { id } = await taskOf(number);
  const { entries } = await stack.ok<{ entries: HistoryEntry[] }>(pm, 'work.task.history', { task_id: id, oldest_first: true });
  return entries.flatMap(({ edited }) => edited ?? []).flatMap(({ field, to }) => (field === 'issue' ? [to] : []));
};
const [left, moved, gone, followed] = ["not in the tracker's filter", 'moved elsewhere', 'deleted or hidden', 'followed'];

describe.each(trackerKinds)('an issue of %s', (kind) => {
  it('that leaves the filter, is moved or deleted is told to its task once, and the task goes on', async () => {
    await open(kind);
    const [relabelled, transferred, deleted, stays] = Array.from({ length: 4 }, () => forge.file({ labels: ['agents'] }));
    expect(await sync()).toMatchObject({ imported: 4, left: 0, error: null });
    forge.change(relabelled!.number, { labels: ['other'] });
    // A moved issue of GitLab is closed, and still listed with its labels.
    forge.change(transferred!.number, { away: 'moved', ...(kind === 'gitlab' ? { state: 'closed' as const } : {}) });
    forge.change(deleted!.number, { away: 'deleted' });
    const after = await sync();
    expect(after).toMatchObject({ changed: 0, error: null });
    // GitLab's list says itself that an issue was moved.
    expect(after.left).toBe(kind === 'gitlab' ? 2 : 3);
    expect(await sync()).toMatchObject({ left: 0, changed: 0, error: null });
    const all = [relabelled, transferred, deleted, stays].map((issue) => issue!.number);
    expect(await Promise.all(all.map(leftOf))).toEqual(['filter', 'moved', 'gone', null]);
    expect(await Promise.all(all.map(told))).toEqual([[left], [moved], [gone], []]);
    expect(new Set((await Promise.all(all.map(taskOf))).map(({ status, cancelled }) => `${status} ${cancelled}`))).toEqual(
      new Set(['ready false']),
    );

    // Its words are not taken while it is away, and are when it is back.
    forge.change(relabelled!.number, { title: 'While away' });
    expect(await sync()).toMatchObject({ left: 0, changed: 0 });
    forge.change(relabelled!.number, { labels: ['agents'] });
    expect(await sync()).toMatchObject({ changed: 1, error: null });
    expect(await taskOf(relabelled!.number)).toMatchObject({ title: 'While away', issue: { left: null, state: 'open' } });
    expect(await told(relabelled!.number)).toEqual([left, followed]);
  });

  it('whose assignee changes leaves, and one that is closed has not left', async () => {
    await open(kind, { labels: [], assignee: 'Ann' });
    const [passed, closed] = [forge.file({ assignee: 'Ann' }), forge.file({ assignee: 'Ann' })];
    await sync();
    forge.change(passed.number, { assignee: 'Bob' });
    forge.change(closed.number, { state: 'closed' });
    // Closed after the import of this sync: the next import learns it.
    expect(await look()).toBe(1);
    expect(await Promise.all([leftOf(passed.number), leftOf(closed.number)])).toEqual(['filter', null]);
    expect(await sync()).toMatchObject({ changed: 1, left: 0, error: null });
    expect(await taskOf(closed.number)).toMatchObject({ status: 'failed', cancelled: true, issue: { state: 'closed', left: null } });
  });
});

describe('looking', () => {
  it('notes it once when two look at once, and when one was stopped before it noted', async () => {
    await open('github');
    const numbers = Array.from({ length: 12 }, () => forge.file({ labels: ['agents'] }).number);
    await sync();
    for (const number of numbers.slice(0, 6)) forge.change(number, { labels: [] });
    // The one that began first may write nothing any more.
    const both = await Promise.all([look(), look()]);
    const rest = await look();
    expect(both[0] + both[1] + rest).toBe(6);
    for (const number of numbers.slice(0, 6)) expect(await told(number)).toEqual([left]);

    for (const number of numbers.slice(6)) forge.change(number, { labels: [] });
    // As killed on the way: three looks are answered, then none.
    forge.readMishaps.push({ status: 200, body: [] }, { status: 503 });
    await expect(look()).rejects.toThrow();
    expect(await look()).toBe(1);
    for (const number of numbers) expect(await told(number)).toEqual([left]);
    expect(await look()).toBe(0);
  });

  it('that ends late writes nothing over what a later one has seen', async () => {
    await open('github');
    const { number } = forge.file({ labels: ['agents'] });
    await sync();
    forge.change(number, { labels: [] });
    // It has seen that the issue is away, and writes after the next one.
    let late: (() => Promise<number>) | undefined;
    const { issueLeaving } = stack.services.work;
    const own = issueLeaving as unknown as { write(...given: unknown[]): Promise<number> };
    const { write } = own;
    own.write = (...given) => {
      late = () => asTenant('acme', () => write.apply(issueLeaving, given));
      return Promise.resolve(0);
    };
    try {
      await look();
    } finally {
      own.write = write;
    }
    forge.change(number, { labels: ['agents'] });
    expect(await look()).toBe(0);
    expect(await late!()).toBe(0);
    expect([await leftOf(number), await told(number)]).toEqual([null, []]);
  });

  it('follows a new filter, and asks nothing when no task waits', async () => {
    await open('gitlab');
    const [one, other] = [forge.file({ labels: ['agents', 'urgent'] }), forge.file({ labels: ['agents'] })];
    await sync();
    await saved('gitlab', { labels: ['urgent'] }, { tracker_id: tracker });
    expect(await syncSoon()).toMatchObject({ left: 1, error: null });
    expect(await Promise.all([leftOf(one.number), leftOf(other.number)])).toEqual([null, 'filter']);
    for (const { number } of [one, other]) await stack.ok(pm, 'work.task.cancel', { task_id: (await taskOf(number)).id, reason: 'x' });
    const before = forge.requests.length;
    expect(await look()).toBe(0);
    expect(forge.requests.length).toBe(before);
  });

  it('leaves an issue alone that is gone: nothing is told to it, and no sync fails for it', async () => {
    await open('github', {});
    const { number } = forge.file();
    await sync();
    forge.change(number, { away: 'deleted' });
    expect(await sync()).toMatchObject({ left: 1, error: null });
    const task = await taskOf(number);
    await stack.ok(pm, 'work.task.comment', { task_id: task.id, body: 'Where is it?' });
    await stack.ok(pm, 'work.task.cancel', { task_id: task.id, reason: 'Not wanted' });
    expect(await sync()).toMatchObject({ written: 0, left: 0, error: null });
    expect(forge.written(number)).toEqual([]);
  });
});

it('replays', async () => {
  await open('github');
  await sync();
  expect(await replayCourses(stack.temporal.client, 'trackerSync', 'trackerSync-left')).toBeGreaterThan(0);
});
