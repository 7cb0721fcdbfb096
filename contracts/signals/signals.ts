/** Imports nothing, so that everybody may use it. */

/** What a customer statement is. */
export const signalClasses = ['request', 'bug', 'complaint', 'praise', 'question', 'churn_risk', 'information'] as const;
export type SignalClass = (typeof signalClasses)[number];

/** As `search_signals` of pm-intelligence tells them. */
export const signalSources = ['slack', 'meeting_transcript', 'document', 'web_scrape', 'jira', 'wiki'] as const;
export type SignalSource = (typeof signalSources)[number];

/** `signals.severity` 0 to 4. */
export const severities = ['none', 'low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof severities)[number];
