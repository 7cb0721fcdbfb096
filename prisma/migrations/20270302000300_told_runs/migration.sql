-- The rows of the outbox that are told to readers, with those about runs of coding agents.

create or replace function is_event(type text) returns boolean
  language sql immutable parallel safe
  return type = any (array[
    'signal.ingested', 'signal.corrected', 'issue.flagged', 'issue.trend_changed', 'entity.review_requested',
    'entity.merged', 'entity.split', 'opportunity.created', 'opportunity.status_changed', 'opportunity.changed',
    'report.generated', 'draft.generated', 'brief.generated', 'agent.output_pending_review', 'agent.status_changed',
    'agent.message_sent', 'approval.requested', 'approval.decided', 'approval.finished', 'review.decided',
    'ingestion.completed', 'ingestion.failed', 'dlq.item_added', 'dlq.item_closed', 'subscription.paused',
    'notification.failed', 'external.tool_changed', 'external.server_health', 'policy.saved', 'job.changed',
    'agent.task_changed', 'agent.a2a_changed', 'key.changed', 'key.used_first', 'key.called', 'work.task_changed', 'work.phase_changed',
    'work.run_opened', 'work.run_changed', 'work.run_ended', 'work.run_approved', 'work.budget_spent']);
