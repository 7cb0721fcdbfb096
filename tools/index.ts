import type { AnyTool } from './define.ts';
import documentContentClassify from './document/content-classify.ts';
import documentContentParse from './document/content-parse.ts';
import documentTableExtract from './document/table-extract.ts';
import entityMergeConfirm from './entity/merge-confirm.ts';
import entityMergeReject from './entity/merge-reject.ts';
import entityProposalSubmit from './entity/proposal-submit.ts';
import entityRecordSplit from './entity/record-split.ts';
import entityResolutionGetStats from './entity/resolution-get-stats.ts';
import entityReviewList from './entity/review-list.ts';
import entityAliasAdd from './entity/alias-add.ts';
import entityIssueFlag from './entity/issue-flag.ts';
import entityLinkCreate from './entity/link-create.ts';
import entityRecordGet from './entity/record-get.ts';
import entityRecordList from './entity/record-list.ts';
import entityStatusSet from './entity/status-set.ts';
import entityTableLink from './entity/table-link.ts';
import graphEpisodeAdd from './graph/episode-add.ts';
import graphEpisodeDelete from './graph/episode-delete.ts';
import graphEpisodeGet from './graph/episode-get.ts';
import graphEpisodeList from './graph/episode-list.ts';
import graphFactSearch from './graph/fact-search.ts';
import graphNodeSearch from './graph/node-search.ts';
import graphProjectionRebuild from './graph/projection-rebuild.ts';
import graphStoreClear from './graph/store-clear.ts';
import graphEntityBrowse from './graph/entity-browse.ts';
import graphEntityFindRelated from './graph/entity-find-related.ts';
import graphSummaryGet from './graph/summary-get.ts';
import indexAnswerExplain from './index/answer-explain.ts';
import indexChunkSearch from './index/chunk-search.ts';
import indexProjectionRebuild from './index/projection-rebuild.ts';
import indexCodeExampleSearch from './index/code-example-search.ts';
import ingestContentSubmit from './ingest/content-submit.ts';
import ingestDlqAbandon from './ingest/dlq-abandon.ts';
import ingestDlqList from './ingest/dlq-list.ts';
import ingestDlqRetry from './ingest/dlq-retry.ts';
import ingestDocumentSubmit from './ingest/document-submit.ts';
import ingestPipelineRun from './ingest/pipeline-run.ts';
import ingestTranscriptSubmit from './ingest/transcript-submit.ts';
import ingestUrlSubmit from './ingest/url-submit.ts';
import ingestYoutubeSubmit from './ingest/youtube-submit.ts';
import knowledgeBaseCreate from './knowledge/base-create.ts';
import knowledgeBaseDelete from './knowledge/base-delete.ts';
import knowledgeBaseList from './knowledge/base-list.ts';
import knowledgeBaseQuery from './knowledge/base-query.ts';
import knowledgeSourceDelete from './knowledge/source-delete.ts';
import knowledgeSourceGet from './knowledge/source-get.ts';
import knowledgeSourceList from './knowledge/source-list.ts';
import knowledgeSourceUpdate from './knowledge/source-update.ts';
import memoryRecordDelete from './memory/record-delete.ts';
import memoryRecordList from './memory/record-list.ts';
import memoryRecordSave from './memory/record-save.ts';
import memoryRecordSearch from './memory/record-search.ts';
import provenanceChainTrace from './provenance/chain-trace.ts';
import substrateArtifactGet from './substrate/artifact-get.ts';
import substrateArtifactUpload from './substrate/artifact-upload.ts';
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
  indexProjectionRebuild,
  indexCodeExampleSearch,
  indexAnswerExplain,
  ingestDocumentSubmit,
  ingestTranscriptSubmit,
  ingestContentSubmit,
  ingestUrlSubmit,
  ingestYoutubeSubmit,
  ingestPipelineRun,
  ingestDlqList,
  ingestDlqRetry,
  ingestDlqAbandon,
  documentContentParse,
  documentTableExtract,
  documentContentClassify,
  knowledgeSourceList,
  knowledgeSourceGet,
  knowledgeSourceUpdate,
  knowledgeSourceDelete,
  knowledgeBaseCreate,
  knowledgeBaseList,
  knowledgeBaseQuery,
  knowledgeBaseDelete,
  entityReviewList,
  entityMergeConfirm,
  entityMergeReject,
  entityRecordSplit,
  entityProposalSubmit,
  entityResolutionGetStats,
  memoryRecordSave,
  memoryRecordSearch,
  memoryRecordList,
  memoryRecordDelete,
  entityRecordList,
  entityRecordGet,
  entityAliasAdd,
  entityIssueFlag,
  entityLinkCreate,
  entityStatusSet,
  entityTableLink,
  graphEntityFindRelated,
  graphEntityBrowse,
  graphSummaryGet,
  graphEpisodeAdd,
  graphEpisodeList,
  graphEpisodeGet,
  graphEpisodeDelete,
  graphNodeSearch,
  graphFactSearch,
  graphProjectionRebuild,
  graphStoreClear,
  provenanceChainTrace,
  substrateArtifactUpload,
  substrateArtifactGet,
];
