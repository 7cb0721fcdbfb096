/** Records histories of calls to other systems for replay.test.ts: RECORD_HISTORIES=1 npm test -- test/replay/record-connector */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { slackDouble } from '../setup/providers.ts';
import { histories, save } from '../setup/replay.ts';
import { eventually, testStack } from '../setup/stack.ts';

const folder = fileURLToPath(new URL('./histories', import.meta.url));

it.runIf(process.env['RECORD_HISTORIES'])(
  'records connectorCall',
  async () => {
    const token = 'xoxb-recorded';
    const slack = await slackDouble(token);
    const stack = await testStack({ model: false, env: { SLACK_API_URL: slack.url } });
    const pm = await stack.caller({ name: 'pm', kind: 'human' });
    await stack.ok(pm, 'connector.mount.set', { provider: 'slack', token, dry_run: false });
    stack.services.connectors.waitMs = 300;
    const post = (text: string) => stack.call(pm, 'connector.slack.post_message', { channel: 'C1', text });

    // At once; then refused for a while, lost before and after, refused; one called back, one over a stop of the workers.
    await Promise.all([post('a'), post('b'), post('c')]);
    slack.mishaps.push({ status: 429, headers: { 'retry-after': '1' } }, 'lost_before', 'lost_after', { platform: 'channel_not_found' });
    await Promise.all([post('d'), post('e'), post('f'), post('g')]);
    slack.mishaps.push({ status: 429, headers: { 'retry-after': '100' } });
    const { job_id } = (await post('h')).data as { job_id: string };
    await stack.ok(pm, 'system.job.cancel', { job_id });
    slack.mishaps.push({ status: 429, headers: { 'retry-after': '3' } });
    await post('i');
    await stack.stopWorkers();
    await stack.startWorkers();
    slack.readable = false;
    slack.mishaps.push('lost_after');
    await post('j');
    const query = "WorkflowType = 'connectorCall'";
    await eventually(
      'all have ended',
      async () => (await stack.temporal.client.workflow.count(`${query} and ExecutionStatus = 'Completed'`)).count === 10,
    );
    let count = 0;
    for await (const { history } of histories(stack.temporal.client, query)) {
      count += 1;
      save(join(folder, `connectorCall-${String(count).padStart(2, '0')}.history.gz`), history);
    }
    expect(count).toBe(10);
    await stack.stop();
    await slack.close();
  },
  120_000,
);
