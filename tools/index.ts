import type { AnyTool } from './define.ts';
import accessStakeholderConfigure from './access/stakeholder-configure.ts';
import accessStakeholderList from './access/stakeholder-list.ts';
import authoringArtifactGenerate from './authoring/artifact-generate.ts';
import authoringBriefConfigure from './authoring/brief-configure.ts';
import authoringBriefGenerate from './authoring/brief-generate.ts';
import authoringBriefGet from './authoring/brief-get.ts';
import authoringBriefList from './authoring/brief-list.ts';
import authoringBriefRun from './authoring/brief-run.ts';
import authoringDraftGet from './authoring/draft-get.ts';
import authoringDraftList from './authoring/draft-list.ts';
import authoringReportGenerate from './authoring/report-generate.ts';
import authoringReportGetLatest from './authoring/report-get-latest.ts';
import systemDeprecationList from './system/deprecation-list.ts';
import agentPeerRegister from './agent/peer-register.ts';
import agentPeerUnregister from './agent/peer-unregister.ts';
import agentPeerHeartbeat from './agent/peer-heartbeat.ts';
import agentPeerList from './agent/peer-list.ts';
import agentCapabilityList from './agent/capability-list.ts';
import agentRegistryList from './agent/registry-list.ts';
import agentRegistryRegister from './agent/registry-register.ts';
import agentRegistryDeactivate from './agent/registry-deactivate.ts';
import agentRegistryActivate from './agent/registry-activate.ts';
import agentVersionRollback from './agent/version-rollback.ts';
import agentOutputSubmit from './agent/output-submit.ts';
import agentOutputReview from './agent/output-review.ts';
import agentMessageSend from './agent/message-send.ts';
import agentMessageList from './agent/message-list.ts';
import agentMessageAcknowledge from './agent/message-acknowledge.ts';
import agentActivityList from './agent/activity-list.ts';
import agentTaskDelegate from './agent/task-delegate.ts';
import agentTaskReceive from './agent/task-receive.ts';
import agentTaskReport from './agent/task-report.ts';
import agentTaskGetResult from './agent/task-get-result.ts';
import agentTaskGet from './agent/task-get.ts';
import agentTaskList from './agent/task-list.ts';
import agentTaskCancel from './agent/task-cancel.ts';
import agentSessionOpen from './agent/session-open.ts';
import agentSessionGet from './agent/session-get.ts';
import agentSessionSend from './agent/session-send.ts';
import agentSessionClose from './agent/session-close.ts';
import connectorHubspotUpdateDeal from './connector/hubspot-update_deal.ts';
import connectorMountList from './connector/mount-list.ts';
import connectorMountRemove from './connector/mount-remove.ts';
import connectorMountSet from './connector/mount-set.ts';
import connectorSlackPostMessage from './connector/slack-post_message.ts';
import documentContentClassify from './document/content-classify.ts';
import documentContentParse from './document/content-parse.ts';
import documentTableExtract from './document/table-extract.ts';
import entityCustomerGetProfile from './entity/customer-get_profile.ts';
import entityFeatureGetHealth from './entity/feature-get_health.ts';
import entityIssueGetImpact from './entity/issue-get_impact.ts';
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
import externalServerAdd from './external/server-add.ts';
import eventStreamSubscribe from './event/stream-subscribe.ts';
import eventSubscriptionSave from './event/subscription-save.ts';
import eventSubscriptionList from './event/subscription-list.ts';
import eventSubscriptionGet from './event/subscription-get.ts';
import eventSubscriptionGetSecret from './event/subscription-get_secret.ts';
import eventSubscriptionTest from './event/subscription-test.ts';
import eventSubscriptionResume from './event/subscription-resume.ts';
import eventSubscriptionRemove from './event/subscription-remove.ts';
import eventDeliveryList from './event/delivery-list.ts';
import eventDeliveryRetry from './event/delivery-retry.ts';
import externalServerList from './external/server-list.ts';
import externalServerGet from './external/server-get.ts';
import externalServerTest from './external/server-test.ts';
import externalServerUpdate from './external/server-update.ts';
import externalServerRemove from './external/server-remove.ts';
import externalToolList from './external/tool-list.ts';
import externalToolApprove from './external/tool-approve.ts';
import externalResourceList from './external/resource-list.ts';
import externalResourceRead from './external/resource-read.ts';
import externalPromptList from './external/prompt-list.ts';
import externalPromptGet from './external/prompt-get.ts';
import graphEpisodeAdd from './graph/episode-add.ts';
import graphEpisodeDelete from './graph/episode-delete.ts';
import graphEpisodeGet from './graph/episode-get.ts';
import graphEpisodeList from './graph/episode-list.ts';
import graphFactSearch from './graph/fact-search.ts';
import graphNodeSearch from './graph/node-search.ts';
import graphProjectionRebuild from './graph/projection-rebuild.ts';
import graphStoreClear from './graph/store-clear.ts';
import feedApiFetch from './feed/api-fetch.ts';
import feedArticleIndex from './feed/article-index.ts';
import feedArticleList from './feed/article-list.ts';
import feedArticleStore from './feed/article-store.ts';
import feedRssFetch from './feed/rss-fetch.ts';
import feedSourceGet from './feed/source-get.ts';
import feedSourceList from './feed/source-list.ts';
import feedSourceRemove from './feed/source-remove.ts';
import feedSourceSave from './feed/source-save.ts';
import feedWebpageFetch from './feed/webpage-fetch.ts';
import ingestRunGet from './ingest/run-get.ts';
import ingestRunList from './ingest/run-list.ts';
import ingestRunLog from './ingest/run-log.ts';
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
import insightCountRebuild from './insight/count-rebuild.ts';
import insightHeatmapGet from './insight/heatmap-get.ts';
import insightScenarioAnalyze from './insight/scenario-analyze.ts';
import insightStrategyGenerate from './insight/strategy-generate.ts';
import insightTrendList from './insight/trend-list.ts';
import knowledgeBaseCreate from './knowledge/base-create.ts';
import knowledgeBaseDelete from './knowledge/base-delete.ts';
import knowledgeBaseList from './knowledge/base-list.ts';
import knowledgeBaseQuery from './knowledge/base-query.ts';
import knowledgeSourceDelete from './knowledge/source-delete.ts';
import knowledgeSourceGet from './knowledge/source-get.ts';
import knowledgeSourceList from './knowledge/source-list.ts';
import knowledgeSourceUpdate from './knowledge/source-update.ts';
import authoringScheduleList from './authoring/schedule-list.ts';
import authoringScheduleRemove from './authoring/schedule-remove.ts';
import authoringScheduleRun from './authoring/schedule-run.ts';
import authoringScheduleSave from './authoring/schedule-save.ts';
import notificationMessageGet from './notification/message-get.ts';
import notificationMessageList from './notification/message-list.ts';
import notificationMessageRetry from './notification/message-retry.ts';
import notificationMessageSend from './notification/message-send.ts';
import notificationWebhookList from './notification/webhook-list.ts';
import notificationWebhookRemoveSecret from './notification/webhook-remove_secret.ts';
import notificationWebhookSetSecret from './notification/webhook-set_secret.ts';
import memoryRecordDelete from './memory/record-delete.ts';
import memoryRecordList from './memory/record-list.ts';
import memoryRecordSave from './memory/record-save.ts';
import memoryRecordSearch from './memory/record-search.ts';
import opportunityFactorSet from './opportunity/factor-set.ts';
import opportunityGoalSet from './opportunity/goal-set.ts';
import opportunityPriorityList from './opportunity/priority-list.ts';
import opportunityRecordGet from './opportunity/record-get.ts';
import opportunityRecordList from './opportunity/record-list.ts';
import opportunityStatusSet from './opportunity/status-set.ts';
import opportunityTitleSet from './opportunity/title-set.ts';
import provenanceChainTrace from './provenance/chain-trace.ts';
import signalRecordCorrect from './signal/record-correct.ts';
import signalRecordGet from './signal/record-get.ts';
import signalRecordSearch from './signal/record-search.ts';
import substrateArtifactGet from './substrate/artifact-get.ts';
import substrateArtifactUpload from './substrate/artifact-upload.ts';
import claimEvidenceLink from './claim/evidence-link.ts';
import claimRecordCreate from './claim/record-create.ts';
import claimRecordDecide from './claim/record-decide.ts';
import claimRecordGet from './claim/record-get.ts';
import claimRecordList from './claim/record-list.ts';
import runCheckpointGet from './run/checkpoint-get.ts';
import runCheckpointSave from './run/checkpoint-save.ts';
import runRecordComplete from './run/record-complete.ts';
import runRecordCreate from './run/record-create.ts';
import runRecordGet from './run/record-get.ts';
import runRecordList from './run/record-list.ts';
import runRecordStart from './run/record-start.ts';
import runStepLog from './run/step-log.ts';
import schemaDefinitionGet from './schema/definition-get.ts';
import schemaDefinitionList from './schema/definition-list.ts';
import schemaDefinitionRegister from './schema/definition-register.ts';
import schemaInstanceValidate from './schema/instance-validate.ts';
import substrateArtifactList from './substrate/artifact-list.ts';
import substrateManifestCheckout from './substrate/manifest-checkout.ts';
import substrateManifestCreate from './substrate/manifest-create.ts';
import substrateManifestGet from './substrate/manifest-get.ts';
import substratePointerAdvance from './substrate/pointer-advance.ts';
import substratePointerCreate from './substrate/pointer-create.ts';
import substratePointerHistory from './substrate/pointer-history.ts';
import substratePointerList from './substrate/pointer-list.ts';
import substratePointerResolve from './substrate/pointer-resolve.ts';
import systemJobCancel from './system/job-cancel.ts';
import systemJobGet from './system/job-get.ts';
import systemLedgerSearch from './system/ledger-search.ts';
import systemToolDescribe from './system/tool-describe.ts';
import systemToolList from './system/tool-list.ts';
import systemToolCall from './system/tool-call.ts';
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
import approvalRequestApprove from './approval/request-approve.ts';
import approvalRequestCancel from './approval/request-cancel.ts';
import approvalRequestGet from './approval/request-get.ts';
import approvalRequestList from './approval/request-list.ts';
import approvalRequestReject from './approval/request-reject.ts';
import approvalRequestResolve from './approval/request-resolve.ts';
import systemCapabilityList from './system/capability-list.ts';
import systemCapabilitySave from './system/capability-save.ts';
import systemModelGet from './system/model-get.ts';
import systemBudgetSave from './system/budget-save.ts';
import systemPolicyExplain from './system/policy-explain.ts';
import systemPolicyList from './system/policy-list.ts';
import systemPolicySave from './system/policy-save.ts';
import systemDataExport from './system/data-export.ts';
import systemExportGet from './system/export-get.ts';
import systemHealthGet from './system/health-get.ts';
import systemLedgerExport from './system/ledger-export.ts';
import systemLedgerVerify from './system/ledger-verify.ts';
import systemSessionOpen from './system/session-open.ts';
import systemSessionGet from './system/session-get.ts';
import systemSessionUpdate from './system/session-update.ts';
import systemSessionClose from './system/session-close.ts';

/** Every tool there is. Listed by hand, so that what exists is read in one place. */
export const tools: AnyTool[] = [
  authoringArtifactGenerate,
  authoringReportGenerate,
  authoringReportGetLatest,
  authoringDraftGet,
  authoringDraftList,
  authoringBriefGenerate,
  authoringBriefRun,
  authoringBriefGet,
  authoringBriefList,
  authoringBriefConfigure,
  systemDeprecationList,
  agentTaskDelegate,
  agentTaskReceive,
  agentTaskReport,
  agentTaskGetResult,
  agentTaskGet,
  agentTaskList,
  agentTaskCancel,
  agentSessionOpen,
  agentSessionGet,
  agentSessionSend,
  agentSessionClose,
  systemToolCall,
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
  insightCountRebuild,
  insightHeatmapGet,
  insightTrendList,
  insightStrategyGenerate,
  insightScenarioAnalyze,
  knowledgeBaseCreate,
  knowledgeBaseList,
  knowledgeBaseQuery,
  knowledgeBaseDelete,
  entityReviewList,
  entityCustomerGetProfile,
  entityFeatureGetHealth,
  entityIssueGetImpact,
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
  opportunityFactorSet,
  opportunityGoalSet,
  opportunityPriorityList,
  opportunityRecordGet,
  opportunityRecordList,
  opportunityStatusSet,
  opportunityTitleSet,
  provenanceChainTrace,
  signalRecordSearch,
  signalRecordGet,
  signalRecordCorrect,
  substrateArtifactUpload,
  substrateArtifactGet,
  substrateArtifactList,
  substrateManifestCreate,
  substrateManifestGet,
  substrateManifestCheckout,
  substratePointerCreate,
  substratePointerList,
  substratePointerResolve,
  substratePointerAdvance,
  substratePointerHistory,
  runRecordCreate,
  runRecordStart,
  runRecordComplete,
  runRecordGet,
  runRecordList,
  runStepLog,
  runCheckpointSave,
  runCheckpointGet,
  claimRecordCreate,
  claimRecordGet,
  claimRecordList,
  claimEvidenceLink,
  claimRecordDecide,
  schemaDefinitionRegister,
  schemaDefinitionGet,
  schemaDefinitionList,
  schemaInstanceValidate,
  agentPeerRegister,
  agentPeerUnregister,
  agentPeerHeartbeat,
  agentPeerList,
  agentCapabilityList,
  agentRegistryList,
  agentRegistryRegister,
  agentRegistryDeactivate,
  agentRegistryActivate,
  agentVersionRollback,
  accessStakeholderConfigure,
  accessStakeholderList,
  agentOutputSubmit,
  agentOutputReview,
  agentMessageSend,
  agentMessageList,
  agentMessageAcknowledge,
  agentActivityList,
  connectorSlackPostMessage,
  connectorHubspotUpdateDeal,
  connectorMountSet,
  connectorMountList,
  connectorMountRemove,
  authoringScheduleSave,
  authoringScheduleList,
  authoringScheduleRemove,
  authoringScheduleRun,
  notificationMessageSend,
  notificationMessageList,
  notificationMessageGet,
  notificationMessageRetry,
  notificationWebhookSetSecret,
  notificationWebhookList,
  notificationWebhookRemoveSecret,
  externalServerAdd,
  externalServerList,
  externalServerGet,
  externalServerTest,
  externalServerUpdate,
  externalServerRemove,
  externalToolList,
  externalToolApprove,
  externalResourceList,
  externalResourceRead,
  externalPromptList,
  externalPromptGet,
  approvalRequestApprove,
  approvalRequestCancel,
  approvalRequestGet,
  approvalRequestList,
  approvalRequestReject,
  approvalRequestResolve,
  systemCapabilityList,
  systemCapabilitySave,
  systemModelGet,
  systemBudgetSave,
  systemPolicyExplain,
  systemPolicyList,
  systemPolicySave,
  systemLedgerVerify,
  systemLedgerExport,
  systemDataExport,
  systemExportGet,
  systemHealthGet,
  systemSessionOpen,
  systemSessionGet,
  systemSessionUpdate,
  systemSessionClose,
  feedSourceSave,
  feedSourceList,
  feedSourceGet,
  feedSourceRemove,
  feedRssFetch,
  feedApiFetch,
  feedWebpageFetch,
  feedArticleStore,
  feedArticleList,
  feedArticleIndex,
  ingestRunLog,
  ingestRunGet,
  ingestRunList,
  eventStreamSubscribe,
  eventSubscriptionSave,
  eventSubscriptionList,
  eventSubscriptionGet,
  eventSubscriptionGetSecret,
  eventSubscriptionTest,
  eventSubscriptionResume,
  eventSubscriptionRemove,
  eventDeliveryList,
  eventDeliveryRetry,
];
