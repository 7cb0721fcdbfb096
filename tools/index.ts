import type { AnyTool } from './catalogue/define.ts';
import accessKeyCollect from './governance/access.key.collect.ts';
import accessKeyCreate from './governance/access.key.create.ts';
import accessKeyList from './governance/access.key.list.ts';
import accessKeyRevoke from './governance/access.key.revoke.ts';
import accessKeyRotate from './governance/access.key.rotate.ts';
import accessSessionEnd from './governance/access.session.end.ts';
import accessSessionList from './governance/access.session.list.ts';
import agentA2aCancel from './agents/agent.a2a.cancel.ts';
import agentA2aGet from './agents/agent.a2a.get.ts';
import agentA2aList from './agents/agent.a2a.list.ts';
import agentA2aSend from './agents/agent.a2a.send.ts';
import systemConnectionDescribe from './system/system.connection.describe.ts';
import systemLimitGet from './system/system.limit.get.ts';
import accessStakeholderConfigure from './governance/access.stakeholder.configure.ts';
import accessStakeholderList from './governance/access.stakeholder.list.ts';
import accessStakeholderPreview from './governance/access.stakeholder.preview.ts';
import authoringArtifactGenerate from './authoring/authoring.artifact.generate.ts';
import authoringBriefConfigure from './authoring/authoring.brief.configure.ts';
import authoringBriefGenerate from './authoring/authoring.brief.generate.ts';
import authoringBriefGet from './authoring/authoring.brief.get.ts';
import authoringBriefGetSettings from './authoring/authoring.brief.get_settings.ts';
import authoringBriefList from './authoring/authoring.brief.list.ts';
import authoringBriefRun from './authoring/authoring.brief.run.ts';
import authoringDraftGet from './authoring/authoring.draft.get.ts';
import authoringDraftList from './authoring/authoring.draft.list.ts';
import authoringFigureCount from './authoring/authoring.figure.count.ts';
import authoringReportGenerate from './authoring/authoring.report.generate.ts';
import authoringReportGetLatest from './authoring/authoring.report.get_latest.ts';
import systemDeprecationList from './system/system.deprecation.list.ts';
import agentPeerRegister from './agents/agent.peer.register.ts';
import agentPeerUnregister from './agents/agent.peer.unregister.ts';
import agentPeerHeartbeat from './agents/agent.peer.heartbeat.ts';
import agentPeerList from './agents/agent.peer.list.ts';
import agentCapabilityList from './agents/agent.capability.list.ts';
import agentRegistryList from './agents/agent.registry.list.ts';
import agentRegistryRegister from './agents/agent.registry.register.ts';
import agentRegistryDeactivate from './agents/agent.registry.deactivate.ts';
import agentRegistryActivate from './agents/agent.registry.activate.ts';
import agentVersionRollback from './agents/agent.version.rollback.ts';
import agentVersionList from './agents/agent.version.list.ts';
import agentHistoryList from './agents/agent.history.list.ts';
import agentPresenceGet from './agents/agent.presence.get.ts';
import agentOutputSubmit from './agents/agent.output.submit.ts';
import agentOutputReview from './agents/agent.output.review.ts';
import agentMessageSend from './agents/agent.message.send.ts';
import agentMessageList from './agents/agent.message.list.ts';
import agentMessageAcknowledge from './agents/agent.message.acknowledge.ts';
import agentActivityList from './agents/agent.activity.list.ts';
import agentTaskDelegate from './agents/agent.task.delegate.ts';
import agentTaskReceive from './agents/agent.task.receive.ts';
import agentTaskReport from './agents/agent.task.report.ts';
import agentTaskGetResult from './agents/agent.task.get_result.ts';
import agentTaskGet from './agents/agent.task.get.ts';
import agentTaskList from './agents/agent.task.list.ts';
import agentTaskCancel from './agents/agent.task.cancel.ts';
import agentSessionOpen from './agents/agent.session.open.ts';
import agentSessionGet from './agents/agent.session.get.ts';
import agentSessionList from './agents/agent.session.list.ts';
import agentSessionSend from './agents/agent.session.send.ts';
import agentSessionClose from './agents/agent.session.close.ts';
import connectorHubspotUpdateDeal from './outbound/connector.hubspot.update_deal.ts';
import authoringStatementList from './authoring/authoring.statement.list.ts';
import connectorMountList from './outbound/connector.mount.list.ts';
import connectorMountRemove from './outbound/connector.mount.remove.ts';
import connectorMountSet from './outbound/connector.mount.set.ts';
import connectorSlackPostMessage from './outbound/connector.slack.post_message.ts';
import documentContentClassify from './knowledge/document.content.classify.ts';
import documentContentParse from './knowledge/document.content.parse.ts';
import documentTableExtract from './knowledge/document.table.extract.ts';
import entityCustomerGetProfile from './graph/entity.customer.get_profile.ts';
import entityFeatureGetHealth from './graph/entity.feature.get_health.ts';
import entityIssueGetImpact from './graph/entity.issue.get_impact.ts';
import entityMergeConfirm from './graph/entity.merge.confirm.ts';
import entityMergeReject from './graph/entity.merge.reject.ts';
import entityProposalSubmit from './graph/entity.proposal.submit.ts';
import entityRecordSplit from './graph/entity.record.split.ts';
import entityResolutionGetStats from './graph/entity.resolution.get_stats.ts';
import entityReviewList from './graph/entity.review.list.ts';
import entityReviewGet from './graph/entity.review.get.ts';
import entityChangeUndo from './graph/entity.change.undo.ts';
import entityAliasAdd from './graph/entity.alias.add.ts';
import entityIssueFlag from './graph/entity.issue.flag.ts';
import entityLinkCreate from './graph/entity.link.create.ts';
import entityMentionList from './graph/entity.mention.list.ts';
import entityRecordGet from './graph/entity.record.get.ts';
import entityRecordList from './graph/entity.record.list.ts';
import entityStatusSet from './graph/entity.status.set.ts';
import entityTableLink from './graph/entity.table.link.ts';
import entityTypeSet from './graph/entity.type.set.ts';
import externalServerAdd from './governance/external.server.add.ts';
import eventStreamSubscribe from './outbound/event.stream.subscribe.ts';
import eventSubscriptionSave from './outbound/event.subscription.save.ts';
import eventSubscriptionList from './outbound/event.subscription.list.ts';
import eventSubscriptionGet from './outbound/event.subscription.get.ts';
import eventSubscriptionGetSecret from './outbound/event.subscription.get_secret.ts';
import eventSubscriptionTest from './outbound/event.subscription.test-tool.ts';
import eventSubscriptionResume from './outbound/event.subscription.resume.ts';
import eventSubscriptionRemove from './outbound/event.subscription.remove.ts';
import eventDeliveryList from './outbound/event.delivery.list.ts';
import eventDeliveryRetry from './outbound/event.delivery.retry.ts';
import externalServerList from './governance/external.server.list.ts';
import externalServerGet from './governance/external.server.get.ts';
import externalServerTest from './governance/external.server.test-tool.ts';
import externalServerUpdate from './governance/external.server.update.ts';
import externalServerRemove from './governance/external.server.remove.ts';
import externalToolGet from './governance/external.tool.get.ts';
import externalToolList from './governance/external.tool.list.ts';
import externalToolApprove from './governance/external.tool.approve.ts';
import externalResourceList from './governance/external.resource.list.ts';
import externalResourceRead from './governance/external.resource.read.ts';
import externalPromptList from './governance/external.prompt.list.ts';
import externalPromptGet from './governance/external.prompt.get.ts';
import graphEpisodeAdd from './graph/graph.episode.add.ts';
import graphEpisodeDelete from './graph/graph.episode.delete.ts';
import graphEpisodeGet from './graph/graph.episode.get.ts';
import graphEpisodeList from './graph/graph.episode.list.ts';
import graphFactSearch from './graph/graph.fact.search.ts';
import graphFactList from './graph/graph.fact.list.ts';
import graphNeighbourhoodGet from './graph/graph.neighbourhood.get.ts';
import graphNodeSearch from './graph/graph.node.search.ts';
import graphProjectionRebuild from './graph/graph.projection.rebuild.ts';
import graphStoreClear from './graph/graph.store.clear.ts';
import feedApiFetch from './feeds/feed.api.fetch.ts';
import feedArticleIndex from './feeds/feed.article.index.ts';
import feedArticleList from './feeds/feed.article.list.ts';
import feedArticleStore from './feeds/feed.article.store.ts';
import feedRssFetch from './feeds/feed.rss.fetch.ts';
import feedSourceGet from './feeds/feed.source.get.ts';
import feedSourceList from './feeds/feed.source.list.ts';
import feedSourceRemove from './feeds/feed.source.remove.ts';
import feedSourceSave from './feeds/feed.source.save.ts';
import feedWebpageFetch from './feeds/feed.webpage.fetch.ts';
import ingestRunGet from './knowledge/ingest.run.get.ts';
import ingestRunList from './knowledge/ingest.run.list.ts';
import ingestRunLog from './knowledge/ingest.run.log.ts';
import graphEntityBrowse from './graph/graph.entity.browse.ts';
import graphEntityFindRelated from './graph/graph.entity.find_related.ts';
import graphSummaryGet from './graph/graph.summary.get.ts';
import indexAnswerExplain from './knowledge/index.answer.explain.ts';
import indexChunkSearch from './knowledge/index.chunk.search.ts';
import indexProjectionRebuild from './knowledge/index.projection.rebuild.ts';
import indexCodeExampleSearch from './knowledge/index.code_example.search.ts';
import ingestContentSubmit from './knowledge/ingest.content.submit.ts';
import ingestDlqAbandon from './knowledge/ingest.dlq.abandon.ts';
import ingestDlqList from './knowledge/ingest.dlq.list.ts';
import ingestDlqRetry from './knowledge/ingest.dlq.retry.ts';
import ingestDocumentSubmit from './knowledge/ingest.document.submit.ts';
import ingestPipelineRun from './knowledge/ingest.pipeline.run.ts';
import ingestTranscriptSubmit from './knowledge/ingest.transcript.submit.ts';
import ingestUrlSubmit from './knowledge/ingest.url.submit.ts';
import ingestYoutubeSubmit from './knowledge/ingest.youtube.submit.ts';
import insightCountRebuild from './signals/insight.count.rebuild.ts';
import insightHeatmapGet from './signals/insight.heatmap.get.ts';
import insightMatrixGet from './signals/insight.matrix.get.ts';
import insightScenarioAnalyze from './signals/insight.scenario.analyze.ts';
import insightStrategyGenerate from './signals/insight.strategy.generate.ts';
import insightTrendList from './signals/insight.trend.list.ts';
import knowledgeBaseCreate from './knowledge/knowledge.base.create.ts';
import knowledgeBaseDelete from './knowledge/knowledge.base.delete.ts';
import knowledgeBaseList from './knowledge/knowledge.base.list.ts';
import knowledgeBaseQuery from './knowledge/knowledge.base.query.ts';
import knowledgeDocumentGet from './knowledge/knowledge.document.get.ts';
import knowledgePassageGet from './knowledge/knowledge.passage.get.ts';
import knowledgeSourceDelete from './knowledge/knowledge.source.delete.ts';
import knowledgeSourceGet from './knowledge/knowledge.source.get.ts';
import knowledgeSourceList from './knowledge/knowledge.source.list.ts';
import knowledgeSourceUpdate from './knowledge/knowledge.source.update.ts';
import authoringScheduleList from './authoring/authoring.schedule.list.ts';
import authoringScheduleRemove from './authoring/authoring.schedule.remove.ts';
import authoringScheduleRun from './authoring/authoring.schedule.run.ts';
import authoringScheduleSave from './authoring/authoring.schedule.save.ts';
import notificationMessageGet from './outbound/notification.message.get.ts';
import notificationMessageList from './outbound/notification.message.list.ts';
import notificationMessageRetry from './outbound/notification.message.retry.ts';
import notificationMessageSend from './outbound/notification.message.send.ts';
import notificationWebhookList from './outbound/notification.webhook.list.ts';
import notificationWebhookRemoveSecret from './outbound/notification.webhook.remove_secret.ts';
import notificationWebhookSetSecret from './outbound/notification.webhook.set_secret.ts';
import memoryRecordConsolidate from './knowledge/memory.record.consolidate.ts';
import memoryRecordDelete from './knowledge/memory.record.delete.ts';
import memoryRecordExtract from './knowledge/memory.record.extract.ts';
import memoryRecordGet from './knowledge/memory.record.get.ts';
import memoryRecordList from './knowledge/memory.record.list.ts';
import memoryRecordRestore from './knowledge/memory.record.restore.ts';
import memoryRecordSave from './knowledge/memory.record.save.ts';
import memoryRecordSearch from './knowledge/memory.record.search.ts';
import memoryRecordUpdate from './knowledge/memory.record.update.ts';
import opportunityFactorSet from './signals/opportunity.factor.set.ts';
import opportunityGoalSet from './signals/opportunity.goal.set.ts';
import opportunityPriorityList from './signals/opportunity.priority.list.ts';
import opportunityRecordGet from './signals/opportunity.record.get.ts';
import opportunityRecordList from './signals/opportunity.record.list.ts';
import opportunityStatusSet from './signals/opportunity.status.set.ts';
import opportunityTitleSet from './signals/opportunity.title.set.ts';
import provenanceChainTrace from './graph/provenance.chain.trace.ts';
import signalFacetList from './signals/signal.facet.list.ts';
import signalReadingCorrect from './signals/signal.reading.correct.ts';
import signalReadingGet from './signals/signal.reading.get.ts';
import signalRecordCorrect from './signals/signal.record.correct.ts';
import signalRecordGet from './signals/signal.record.get.ts';
import signalRecordSearch from './signals/signal.record.search.ts';
import substrateArtifactGet from './substrate/substrate.artifact.get.ts';
import substrateArtifactUpload from './substrate/substrate.artifact.upload.ts';
import claimEvidenceLink from './substrate/claim.evidence.link.ts';
import claimRecordCreate from './substrate/claim.record.create.ts';
import claimRecordDecide from './substrate/claim.record.decide.ts';
import claimRecordGet from './substrate/claim.record.get.ts';
import claimRecordList from './substrate/claim.record.list.ts';
import runCheckpointGet from './substrate/run.checkpoint.get.ts';
import runCheckpointSave from './substrate/run.checkpoint.save.ts';
import runRecordComplete from './substrate/run.record.complete.ts';
import runRecordCreate from './substrate/run.record.create.ts';
import runRecordGet from './substrate/run.record.get.ts';
import runRecordList from './substrate/run.record.list.ts';
import runRecordStart from './substrate/run.record.start.ts';
import runStepLog from './substrate/run.step.log.ts';
import schemaDefinitionGet from './substrate/schema.definition.get.ts';
import schemaDefinitionList from './substrate/schema.definition.list.ts';
import schemaDefinitionRegister from './substrate/schema.definition.register.ts';
import schemaInstanceValidate from './substrate/schema.instance.validate.ts';
import substrateArtifactList from './substrate/substrate.artifact.list.ts';
import substrateManifestCheckout from './substrate/substrate.manifest.checkout.ts';
import substrateManifestCreate from './substrate/substrate.manifest.create.ts';
import substrateManifestGet from './substrate/substrate.manifest.get.ts';
import substratePointerAdvance from './substrate/substrate.pointer.advance.ts';
import substratePointerCreate from './substrate/substrate.pointer.create.ts';
import substratePointerHistory from './substrate/substrate.pointer.history.ts';
import substratePointerList from './substrate/substrate.pointer.list.ts';
import substratePointerResolve from './substrate/substrate.pointer.resolve.ts';
import systemJobCancel from './system/system.job.cancel.ts';
import systemJobGet from './system/system.job.get.ts';
import systemJobList from './system/system.job.list.ts';
import systemLedgerSearch from './system/system.ledger.search.ts';
import systemToolDescribe from './system/system.tool.describe.ts';
import systemToolList from './system/system.tool.list.ts';
import systemToolCall from './system/system.tool.call.ts';
import systemToolSearch from './system/system.tool.search.ts';
import workBoardGet from './work/work.board.get.ts';
import workBudgetGet from './work/work.budget.get.ts';
import workBudgetSet from './work/work.budget.set.ts';
import workHolderList from './work/work.holder.list.ts';
import workLaneList from './work/work.lane.list.ts';
import workPhaseGet from './work/work.phase.get.ts';
import workPhaseList from './work/work.phase.list.ts';
import workPhaseSet from './work/work.phase.set.ts';
import workRunAppend from './work/work.run.append.ts';
import workRunClose from './work/work.run.close.ts';
import workRunGet from './work/work.run.get.ts';
import workRunList from './work/work.run.list.ts';
import workRunMerged from './work/work.run.merged.ts';
import workRunOpen from './work/work.run.open.ts';
import workRunPushed from './work/work.run.pushed.ts';
import workRunReview from './work/work.run.review.ts';
import workRunTail from './work/work.run.tail.ts';
import workTaskArchive from './work/work.task.archive.ts';
import workTaskAssign from './work/work.task.assign.ts';
import workTaskCancel from './work/work.task.cancel.ts';
import workTaskDelete from './work/work.task.delete.ts';
import workTaskEdit from './work/work.task.edit.ts';
import workTaskMove from './work/work.task.move.ts';
import workTemplateSave from './work/work.template.save.ts';
import workTemplateList from './work/work.template.list.ts';
import workTemplateRemove from './work/work.template.remove.ts';
import workTaskCreateFromTemplate from './work/work.task.create_from_template.ts';
import workRecurrenceSave from './work/work.recurrence.save.ts';
import workRecurrenceList from './work/work.recurrence.list.ts';
import workRecurrenceRemove from './work/work.recurrence.remove.ts';
import workTrackerSave from './work/work.tracker.save.ts';
import workTrackerList from './work/work.tracker.list.ts';
import workTrackerRemove from './work/work.tracker.remove.ts';
import workTrackerSync from './work/work.tracker.sync.ts';
import workPlanPropose from './work/work.plan.propose.ts';
import workPlanAccept from './work/work.plan.accept.ts';
import workTaskAttach from './work/work.task.attach.ts';
import workTaskDetach from './work/work.task.detach.ts';
import workTaskGraph from './work/work.task.graph.ts';
import workBoardSave from './work/work.board.save.ts';
import workBoardList from './work/work.board.list.ts';
import workBoardRemove from './work/work.board.remove.ts';
import workTaskBlock from './work/work.task.block.ts';
import workTaskClaim from './work/work.task.claim.ts';
import workTaskComment from './work/work.task.comment.ts';
import workTaskComplete from './work/work.task.complete.ts';
import workTaskCreate from './work/work.task.create.ts';
import workTaskFail from './work/work.task.fail.ts';
import workTaskGetCurrent from './work/work.task.get_current.ts';
import workTaskGet from './work/work.task.get.ts';
import workTaskHistory from './work/work.task.history.ts';
import workTaskHeartbeat from './work/work.task.heartbeat.ts';
import workTaskList from './work/work.task.list.ts';
import workTaskRelease from './work/work.task.release.ts';
import workTaskUpdateStatus from './work/work.task.update_status.ts';
import workUsageGet from './work/work.usage.get.ts';
import approvalRequestApprove from './governance/approval.request.approve.ts';
import approvalRequestCancel from './governance/approval.request.cancel.ts';
import approvalRequestGet from './governance/approval.request.get.ts';
import approvalRequestList from './governance/approval.request.list.ts';
import approvalRequestReject from './governance/approval.request.reject.ts';
import approvalRequestResolve from './governance/approval.request.resolve.ts';
import systemCapabilityList from './system/system.capability.list.ts';
import systemCapabilitySave from './system/system.capability.save.ts';
import systemModelGet from './system/system.model.get.ts';
import systemOverviewGet from './system/system.overview.get.ts';
import systemCallGet from './system/system.call.get.ts';
import systemInboxGet from './system/system.inbox.get.ts';
import systemInboxList from './system/system.inbox.list.ts';
import systemBudgetSave from './system/system.budget.save.ts';
import systemPolicyExplain from './system/system.policy.explain.ts';
import systemPolicyHistory from './system/system.policy.history.ts';
import systemPolicyList from './system/system.policy.list.ts';
import systemPolicySave from './system/system.policy.save.ts';
import systemPolicySimulate from './system/system.policy.simulate.ts';
import systemDataExport from './system/system.data.export.ts';
import systemExportGet from './system/system.export.get.ts';
import systemExportList from './system/system.export.list.ts';
import systemHealthGet from './system/system.health.get.ts';
import systemHealthHistory from './system/system.health.history.ts';
import systemLedgerExport from './system/system.ledger.export.ts';
import systemLedgerVerify from './system/system.ledger.verify.ts';
import systemSessionOpen from './system/system.session.open.ts';
import systemSessionGet from './system/system.session.get.ts';
import systemSessionUpdate from './system/system.session.update.ts';
import systemSessionClose from './system/system.session.close.ts';

/** Every tool there is. Listed by hand, so that what exists is read in one place. */
const all = [
  authoringArtifactGenerate,
  authoringFigureCount,
  authoringReportGenerate,
  authoringReportGetLatest,
  authoringDraftGet,
  authoringDraftList,
  authoringBriefGenerate,
  authoringBriefRun,
  authoringBriefGet,
  authoringBriefGetSettings,
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
  agentSessionList,
  agentSessionSend,
  agentSessionClose,
  systemToolCall,
  systemToolSearch,
  systemToolDescribe,
  systemToolList,
  systemJobGet,
  systemJobList,
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
  workTaskHistory,
  workTaskList,
  workTaskUpdateStatus,
  workTaskBlock,
  workTemplateSave,
  workTemplateList,
  workTemplateRemove,
  workTaskCreateFromTemplate,
  workRecurrenceSave,
  workRecurrenceList,
  workRecurrenceRemove,
  workTrackerSave,
  workTrackerList,
  workTrackerRemove,
  workTrackerSync,
  workPlanPropose,
  workPlanAccept,
  workTaskAttach,
  workTaskDetach,
  workTaskGraph,
  workBoardSave,
  workBoardList,
  workBoardRemove,
  workTaskArchive,
  workTaskAssign,
  workTaskCancel,
  workTaskDelete,
  workTaskEdit,
  workTaskMove,
  workTaskComment,
  workBoardGet,
  workHolderList,
  workLaneList,
  workPhaseGet,
  workPhaseList,
  workPhaseSet,
  workRunOpen,
  workRunAppend,
  workRunClose,
  workRunGet,
  workRunTail,
  workRunList,
  workRunPushed,
  workRunReview,
  workRunMerged,
  workUsageGet,
  workBudgetGet,
  workBudgetSet,
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
  insightMatrixGet,
  insightScenarioAnalyze,
  knowledgeBaseCreate,
  knowledgeBaseList,
  knowledgeBaseQuery,
  knowledgeDocumentGet,
  knowledgePassageGet,
  knowledgeBaseDelete,
  entityReviewList,
  entityReviewGet,
  entityChangeUndo,
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
  memoryRecordGet,
  memoryRecordUpdate,
  memoryRecordConsolidate,
  memoryRecordRestore,
  memoryRecordExtract,
  memoryRecordDelete,
  entityRecordList,
  entityRecordGet,
  entityAliasAdd,
  entityIssueFlag,
  entityLinkCreate,
  entityMentionList,
  entityStatusSet,
  entityTableLink,
  entityTypeSet,
  graphEntityFindRelated,
  graphEntityBrowse,
  graphSummaryGet,
  graphEpisodeAdd,
  graphEpisodeList,
  graphEpisodeGet,
  graphEpisodeDelete,
  graphNodeSearch,
  graphFactSearch,
  graphFactList,
  graphNeighbourhoodGet,
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
  signalFacetList,
  signalReadingCorrect,
  signalReadingGet,
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
  agentVersionList,
  agentHistoryList,
  agentPresenceGet,
  accessKeyCollect,
  accessKeyCreate,
  accessKeyList,
  accessKeyRevoke,
  accessKeyRotate,
  accessSessionEnd,
  accessSessionList,
  agentA2aCancel,
  agentA2aGet,
  agentA2aList,
  agentA2aSend,
  systemConnectionDescribe,
  systemLimitGet,
  accessStakeholderConfigure,
  accessStakeholderList,
  accessStakeholderPreview,
  agentOutputSubmit,
  agentOutputReview,
  agentMessageSend,
  agentMessageList,
  agentMessageAcknowledge,
  agentActivityList,
  connectorSlackPostMessage,
  connectorHubspotUpdateDeal,
  connectorMountSet,
  authoringStatementList,
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
  externalToolGet,
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
  systemOverviewGet,
  systemCallGet,
  systemInboxGet,
  systemInboxList,
  systemBudgetSave,
  systemPolicyExplain,
  systemPolicyHistory,
  systemPolicyList,
  systemPolicySave,
  systemPolicySimulate,
  systemLedgerVerify,
  systemLedgerExport,
  systemDataExport,
  systemExportGet,
  systemExportList,
  systemHealthGet,
  systemHealthHistory,
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
] as const;

export const tools: readonly AnyTool[] = all;

/** What each tool takes and answers, for callers of this repository. */
export type ToolsByName = { [T in (typeof all)[number] as T['name']]: T };
