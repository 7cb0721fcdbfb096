/**
 * The workflows of a next release, for test/kernel/versions.test.ts: tasks changed behind `patched()`, as our rules
 * have it, and a pinned process changed without.
 */
import { patched, setWorkflowOptions, upsertMemo } from '@temporalio/workflow';
import * as former from '../../workflows/index.ts';
import { versionedMark } from '../../contracts/temporal.ts';
import type { TaskInput } from '../../workflows/work/task/workflow.ts';
import { held as formerHeld } from './held-workflow.ts';

export * from '../../workflows/index.ts';

export async function held(input: { job: string }): Promise<string> {
  // Another first command than in the histories of the former release: to replay one of them here fails.
  upsertMemo({ release: 'next' });
  return (await formerHeld(input)).replace('former', 'next');
}

export async function task(input: TaskInput): Promise<void> {
  if (patched('upgrade-of-a-test')) upsertMemo({ release: 'next' });
  await former.task(input);
}
if ((versionedMark as string) === 'true') setWorkflowOptions({ versioningBehavior: 'AUTO_UPGRADE' }, task);
