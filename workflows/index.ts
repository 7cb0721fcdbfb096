/** Every workflow type this platform runs. The bundle is built from here. */
import { setWorkflowOptions } from '@temporalio/workflow';
import { versionedMark } from '../contracts/temporal.ts';
import { agent } from './agents/agent/workflow.ts';
import { a2aTask } from './agents/a2a-task/workflow.ts';
import { delegation } from './agents/delegation/workflow.ts';
import { received } from './agents/received/workflow.ts';
import { toolCall } from './governance/tool-call/workflow.ts';
import { episodes } from './graph/episodes/workflow.ts';
import { graphProjection, projection } from './kernel/projection/workflow.ts';
import { review } from './kernel/review/workflow.ts';
import { ingest } from './knowledge/ingest/workflow.ts';
import { ingestRun } from './knowledge/ingest-run/workflow.ts';
import { notify, notifyDigest } from './outbound/notify/workflow.ts';
import { eventDelivery } from './outbound/webhook/workflow.ts';
import { opportunities } from './signals/opportunities/workflow.ts';
import { rereading } from './signals/rereading/workflow.ts';
import { task } from './work/task/workflow.ts';

export { clearGraph } from './graph/clear-graph/workflow.ts';
export { connectorCall } from './outbound/connector-call/workflow.ts';
export { brief, briefClock, dailyBrief } from './feeds/daily-brief/workflow.ts';
export { draft } from './authoring/draft/workflow.ts';
export { exportData } from './governance/export/workflow.ts';
export { verifyLedger } from './governance/ledger/workflow.ts';
export { pipeline } from './knowledge/pipeline/workflow.ts';
export { removal } from './knowledge/removal/workflow.ts';
export { merge, split } from './graph/entity-change/workflow.ts';
export { reportSchedule } from './authoring/report-schedule/workflow.ts';
export { tableLink } from './graph/table-link/workflow.ts';
export { recurrence } from './work/recurrence/workflow.ts';
export { trackerSync } from './work/tracker/workflow.ts';
export { sweep } from './kernel/sweep/workflow.ts';

export { agent, a2aTask, delegation, received, toolCall, episodes, graphProjection, projection, review };
export { ingest, ingestRun, notify, notifyDigest, eventDelivery, opportunities, rereading, task };

/**
 * Those that wait for people, agents or time move to the current version of the workers, where workers have versions:
 * a former version would have to run as long as they wait. Changes of them need `patched()`. All others end by
 * themselves, and stay with the version that started them. See docs/decisions/0047.
 */
const moving: ((...args: never[]) => Promise<unknown>)[] = [
  agent,
  a2aTask,
  delegation,
  received,
  task,
  review,
  toolCall,
  ingest,
  ingestRun,
  episodes,
  opportunities,
  rereading,
  graphProjection,
  projection,
  eventDelivery,
  notify,
  notifyDigest,
];
if ((versionedMark as string) === 'true')
  for (const workflow of moving) setWorkflowOptions({ versioningBehavior: 'AUTO_UPGRADE' }, workflow);
