import { z } from 'zod';
import { signalClasses } from './signals.ts';

export const opportunityStatuses = ['new', 'reviewing', 'accepted', 'rejected'] as const;
export type OpportunityStatus = (typeof opportunityStatuses)[number];

/** Factors of a score: 0 to 10, confidence 0 to 1. */
export const factorNames = ['impact', 'confidence', 'strategic_alignment', 'urgency', 'effort'] as const;
export type FactorName = (typeof factorNames)[number];

/** Classes of signals that count as evidence for an opportunity. */
export const evidenceClasses = ['request', 'bug', 'complaint', 'churn_risk'] as const;

export const opportunityId = z.uuid().describe('Opportunity id');

/** One factor of a score, with its evidence. */
export const factorView = z.object({
  /** The effective value. */
  value: z.number(),
  /** Computed from the evidence. */
  computed: z.number(),
  reason: z.string(),
  /** A person's value, which recomputation does not change. */
  override: z.object({ value: z.number(), reason: z.string().nullable(), set_by: z.string(), set_at: z.string() }).optional(),
});

export const factorViews = z.object({
  impact: factorView,
  confidence: factorView,
  strategic_alignment: factorView,
  urgency: factorView,
  effort: factorView,
});
export type FactorViews = z.infer<typeof factorViews>;

export const breakdown = z.object({
  impact: z.number(),
  confidence: z.number(),
  effort: z.number(),
  strategic_alignment: z.number(),
  urgency: z.number(),
});

export const opportunityTrends = ['emerging', 'growing', 'declining', 'stable'] as const;

export const opportunityItem = z.object({
  opportunity_id: z.string(),
  title: z.string(),
  status: z.enum(opportunityStatuses),
  score: z.number(),
  signal_count: z.number(),
  /** Near-duplicates count once. */
  statement_count: z.number(),
  customer_count: z.number(),
  trend: z.enum(opportunityTrends),
  /** How many signals of each class. */
  classes: z.partialRecord(z.enum(signalClasses), z.number()),
  created_at: z.string(),
  first_signal_at: z.string(),
  last_signal_at: z.string(),
});
export type OpportunityItem = z.infer<typeof opportunityItem>;

export const opportunityDetails = opportunityItem.extend({
  /** Signals per step of the last 12 weeks and of the 12 before, oldest first; the last step ends today. */
  series: z.array(z.number()),
  previous_series: z.array(z.number()),
  series_days: z.number(),
  /** Set for a closed opportunity. */
  closed: z.object({ at: z.string(), reason: z.enum(['merged', 'no_evidence']), merged_into: z.string().nullable() }).optional(),
  titled_by: z.string().nullable(),
  /** What a person may decide now. */
  next_statuses: z.array(z.enum(opportunityStatuses)),
  factors: factorViews,
  entities: z.array(z.object({ entity_id: z.string(), name: z.string(), type: z.string(), count: z.number() })),
  /** Ordered by the number of statements. */
  customers: z.array(z.object({ entity_id: z.string(), name: z.string(), signal_count: z.number() })),
  /** The most typical first; near-duplicates once. */
  evidence: z.array(
    z.object({
      signal_id: z.string(),
      statement: z.string(),
      class: z.enum(signalClasses),
      severity: z.string(),
      occurred_at: z.string(),
      source: z.string(),
      author: z.string().nullable(),
      /** Number of near-duplicate signals, including this one. */
      told: z.number(),
      customers: z.array(z.string()),
      /** Citation of its passage. */
      ref: z.string(),
    }),
  ),
  /** Changes, newest first. */
  history: z.array(z.object({ event: z.string(), at: z.string(), by: z.string(), data: z.record(z.string(), z.unknown()) })),
});
export type OpportunityDetails = z.infer<typeof opportunityDetails>;
