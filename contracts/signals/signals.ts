/** Imports nothing, so that all layers may use it. */

/** Classes of customer statements. */
export const signalClasses = ['request', 'bug', 'complaint', 'praise', 'question', 'churn_risk', 'information'] as const;
export type SignalClass = (typeof signalClasses)[number];

/** As in `search_signals` of pm-intelligence. */
export const signalSources = ['slack', 'meeting_transcript', 'document', 'web_scrape', 'jira', 'wiki'] as const;
export type SignalSource = (typeof signalSources)[number];

/** `signals.severity` 0 to 4. */
export const severities = ['none', 'low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof severities)[number];
