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

/** A statement's feeling. */
export const tones = ['positive', 'negative', 'neutral', 'mixed'] as const;
export type Tone = (typeof tones)[number];

/** How things stand when the statement is made. A real ultimatum is open, a mere thought hypothetical. */
export const statementStates = ['open', 'resolved', 'withdrawn', 'hypothetical'] as const;
export type StatementState = (typeof statementStates)[number];

/** What a statement does to an earlier one of the same customer. */
export const referrals = ['repeats', 'resolves', 'withdraws'] as const;
export type Referral = (typeof referrals)[number];

/** Orders of a list of signals. `severity`: the gravest first. */
export const signalSorts = ['newest', 'severity'] as const;
export type SignalSort = (typeof signalSorts)[number];
