/** Asks a Temporal for its namespace until it answers. A step of its own, because Temporal's client takes 40 MB. */
import { Connection } from '@temporalio/client';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from './process.ts';
import { answerStep } from './step.ts';

export interface TemporalQuestion {
  address: string;
  namespace: string;
  timeoutMs: number;
}

/** @returns null: it answers; else why it does not */
async function ask({ address, namespace }: TemporalQuestion): Promise<string | null> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: 2000 });
    try {
      await connection.withDeadline(Date.now() + 2000, () => connection.workflowService.describeNamespace({ namespace }));
      return null;
    } finally {
      await connection.close();
    }
  } catch (error) {
    return messageOf(error);
  }
}

answerStep<TemporalQuestion>(async (question) => {
  const until = Date.now() + question.timeoutMs;
  for (;;) {
    const problem = await ask(question);
    if (problem === null || Date.now() > until) return problem;
    await sleep(30);
  }
});
