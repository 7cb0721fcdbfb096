import { Worker } from '@temporalio/worker';
import { temporal } from '@temporalio/proto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { inject } from 'vitest';
import type { Temporal } from '../../adapters/temporal/client.ts';
import { workflowBundle } from '../../workers/bundle.ts';
import { lightThreads } from '../../workers/threads.ts';
import './runtime.ts';

const History = temporal.api.history.v1.History;
type History = temporal.api.history.v1.IHistory;

/** Histories of every workflow of the stack's namespace, as Temporal has them now. */
export async function* histories(client: Temporal['client'], query: string): AsyncGenerator<{ id: string; history: History }> {
  for await (const execution of client.workflow.list({ query })) {
    yield {
      id: execution.workflowId,
      history: await client.workflow.getHandle(execution.workflowId, execution.runId).fetchHistory(),
    };
  }
}

/** Replays histories with the code as it stands. @returns how many; @throws naming the first that fails */
export async function replay(
  recorded: AsyncIterable<{ id: string; history: History }> | Iterable<{ id: string; history: History }>,
): Promise<number> {
  const bundle = await workflowBundle(join(inject('servers').folder, 'cache'));
  // One worker for all: to make one takes longer than to replay a history.
  async function* given(): AsyncGenerator<{ workflowId: string; history: History }> {
    for await (const { id, history } of recorded) yield { workflowId: id, history };
  }
  lightThreads();
  let count = 0;
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle: bundle }, given())) {
    if (error) throw new Error(`${workflowId} does not replay: ${error.message}`, { cause: error });
    count += 1;
  }
  return count;
}

/** Binary and compressed: JSON replay breaks when npm nests several copies of protobufjs. */
export const save = (file: string, history: History): void => writeFileSync(file, gzipSync(History.encode(history).finish(), { level: 9 }));

export function* load(folder: string): Generator<{ id: string; history: History }> {
  for (const name of readdirSync(folder)
    .filter((file) => file.endsWith('.history.gz'))
    .sort()) {
    yield { id: name, history: History.decode(gunzipSync(readFileSync(join(folder, name)))) };
  }
}

const recordings = fileURLToPath(new URL('../replay/histories', import.meta.url));

/**
 * Replays what ended workflows of a type did in this test: one of each course, told apart by the activities and updates
 * it went through. With RECORD_HISTORIES set they are kept for replay.test.ts, too. @returns how many
 */
export async function replayCourses(client: Temporal['client'], type: string, name = type): Promise<number> {
  const courses = new Map<string, History>();
  for await (const { history } of histories(client, `WorkflowType = '${type}' and ExecutionStatus != 'Running'`)) {
    const steps = (history.events ?? []).flatMap((event) => {
      const update = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input?.name;
      return event.activityTaskScheduledEventAttributes?.activityType?.name ?? update ?? [];
    });
    const course = [...new Set(steps)].join();
    if (courses.size < 4 && !courses.has(course)) courses.set(course, history);
  }
  const chosen = [...courses.values()];
  const replayed = await replay(chosen.map((history, i) => ({ id: `${name}-${i + 1}`, history })));
  if (process.env['RECORD_HISTORIES']) {
    for (const [i, history] of chosen.entries()) save(join(recordings, `${name}-${i + 1}.history.gz`), history);
  }
  return replayed;
}
