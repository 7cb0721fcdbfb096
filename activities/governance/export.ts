import { Context } from '@temporalio/activity';
import type { ExportActivities } from '../../contracts/activities/governance/export.ts';
import { discardExport, writeExport } from '../../services/governance/exports/records.ts';
import type { Services } from '../../services/index.ts';
import { longStage, stage } from '../kernel/stage.ts';

/** First interval between two progress signals, in ms. Each is an event of the history, so the interval grows. */
const firstWord = 1_000;
const rarest = 60_000;

export const exportActivities = ({ kernel }: Services): ExportActivities => ({
  writeExport: (job) => {
    const { cancellationSignal: signal, info } = Context.current();
    const { workflowId, runId } = info.workflowExecution!;
    let pause = firstWord;
    let last = Date.now();
    const tell = (done: number, total: number): void => {
      if (Date.now() - last < pause) return;
      last = Date.now();
      pause = Math.min(rarest, pause * 1.5);
      // Best effort: a failed signal does not fail the export.
      void kernel.temporal.client.workflow
        .getHandle(workflowId, runId)
        .signal('exported', { done, total })
        .catch(() => {});
    };
    return longStage(job.tenant, () => writeExport(kernel, job, { signal, tell }));
  },
  discardExport: (job) => stage(job.tenant, () => discardExport(kernel, job)),
});
