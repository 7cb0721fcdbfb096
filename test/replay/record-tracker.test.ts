/** Records histories of syncs with issue trackers for replay.test.ts: RECORD_HISTORIES=1 npm test -- test/replay/record-tracker */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Task } from '../../contracts/work/work.ts';
import type { Tracker } from '../../contracts/work/trackers.ts';
import { openForge } from '../setup/forges.ts';
import { histories, save } from '../setup/replay.ts';
import { eventually, testStack } from '../setup/stack.ts';

const folder = fileURLToPath(new URL('./histories', import.meta.url));

it.runIf(process.env['RECORD_HISTORIES'])(
  'records trackerSync',
  async () => {
    const stack = await testStack({ model: false, env: { ALLOW_PRIVATE_NETWORK: 'true' } });
    const pm = await stack.caller({ name: 'pm', kind: 'human' });
    const worker = await stack.caller({ name: 'worker', role: 'agent' });
    const forge = await openForge('github');
    stack.services.work.issueMessages.settleSeconds = 0.2;
    await stack.ok(pm, 'work.phase.set', { phase_id: 1 });
    const saved = await stack.ok<{ tracker: Tracker }>(pm, 'work.tracker.save', {
      name: 'recorded',
      kind: 'github',
      base_url: forge.url,
      repository: forge.repository,
      token: forge.token,
      phase_id: 1,
      every_minutes: 1_440,
    });
    const { tracker_id } = saved.tracker;
    const sync = (wait_seconds?: number) => stack.ok(pm, 'work.tracker.sync', { tracker_id, wait_seconds });
    const end = async (): Promise<Task> => {
      const { task } = await stack.ok<{ task: Task }>(worker, 'work.task.claim', { phase_id: 1 });
      await sync();
      await stack.ok(worker, 'work.task.complete', { task_id: task.id, fencing_token: task.fencing_token, result: 'Done.' });
      return task;
    };

    // Nothing to do; several pages; then comments, each part failing once.
    await sync();
    for (let n = 0; n < 60; n += 1) forge.file({ updated: `2027-01-01T00:00:${String(n).padStart(2, '0')}Z` });
    await sync();
    await end();
    forge.readMishaps.push({ status: 503 }, 'lost_before');
    forge.mishaps.push('lost_after');
    await sync();
    // A token that is refused, so a part gives up; calls that are limited.
    const { token } = forge;
    forge.token = 'another-token-0123456789';
    await sync();
    forge.token = token;
    await end();
    forge.mishaps.push({ status: 429, headers: { 'retry-after': '1' } });
    await sync();
    // A stop of the workers in the middle.
    await eventually('the pause is over', async () => (await stack.call(pm, 'work.tracker.sync', { tracker_id })).error === undefined);
    let release = (): void => {};
    const holding = new Promise<void>((done) => (release = done));
    await end();
    forge.held = () => holding;
    const before = forge.comments.length;
    await sync(0);
    await eventually('a comment is written', async () => forge.comments.length > before);
    const stopped = stack.stopWorkers();
    release();
    forge.held = null;
    await stopped;
    await stack.startWorkers();
    await sync();
    // An issue that leaves, and comes back.
    forge.issues.at(-1)!.away = 'deleted';
    await sync();
    delete forge.issues.at(-1)!.away;
    await sync();
    let count = 0;
    for await (const { history } of histories(stack.temporal.client, "WorkflowType = 'trackerSync'")) {
      count += 1;
      save(join(folder, `trackerSync-${String(count).padStart(2, '0')}.history.gz`), history);
    }
    expect(count).toBeGreaterThan(8);
    await stack.stop();
    await forge.close();
  },
  120_000,
);
