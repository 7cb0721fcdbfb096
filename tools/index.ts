import type { AnyTool } from './define.ts';
import indexChunkSearch from './index/chunk-search.ts';
import ingestDocumentSubmit from './ingest/document-submit.ts';
import ingestTranscriptSubmit from './ingest/transcript-submit.ts';
import knowledgeSourceGet from './knowledge/source-get.ts';
import knowledgeSourceList from './knowledge/source-list.ts';
import systemJobCancel from './system/job-cancel.ts';
import systemJobGet from './system/job-get.ts';
import systemLedgerSearch from './system/ledger-search.ts';
import systemToolDescribe from './system/tool-describe.ts';
import systemToolList from './system/tool-list.ts';
import systemToolSearch from './system/tool-search.ts';
import workBoardGet from './work/board-get.ts';
import workPhaseGet from './work/phase-get.ts';
import workPhaseList from './work/phase-list.ts';
import workPhaseSet from './work/phase-set.ts';
import workTaskBlock from './work/task-block.ts';
import workTaskClaim from './work/task-claim.ts';
import workTaskComment from './work/task-comment.ts';
import workTaskComplete from './work/task-complete.ts';
import workTaskCreate from './work/task-create.ts';
import workTaskFail from './work/task-fail.ts';
import workTaskGetCurrent from './work/task-get-current.ts';
import workTaskGet from './work/task-get.ts';
import workTaskHeartbeat from './work/task-heartbeat.ts';
import workTaskList from './work/task-list.ts';
import workTaskRelease from './work/task-release.ts';
import workTaskUpdateStatus from './work/task-update-status.ts';

/** Every tool there is. Listed by hand, so that what exists is read in one place. */
export const tools: AnyTool[] = [
  systemToolSearch,
  systemToolDescribe,
  systemToolList,
  systemJobGet,
  systemJobCancel,
  systemLedgerSearch,
  workTaskCreate,
  workTaskClaim,
  workTaskHeartbeat,
  workTaskComplete,
  workTaskFail,
  workTaskRelease,
  workTaskGet,
  workTaskGetCurrent,
  workTaskList,
  workTaskUpdateStatus,
  workTaskBlock,
  workTaskComment,
  workBoardGet,
  workPhaseGet,
  workPhaseList,
  workPhaseSet,
  indexChunkSearch,
  ingestDocumentSubmit,
  ingestTranscriptSubmit,
  knowledgeSourceList,
  knowledgeSourceGet,
];
