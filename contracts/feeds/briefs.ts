import { z } from 'zod';
import { feedId } from './feeds.ts';
import { recipient } from '../outbound/notifications.ts';

export const briefDate = z.iso
  .date()
  // There is no news from before 1900, and Postgres has no year 0.
  .refine((date) => date >= '1900', 'must be 1900 or later')
  .describe('Day of the brief, e.g. 2026-11-14')
  .meta({ examples: ['2026-11-14'] });

/** An article that a brief is written from. */
export const topArticle = z.object({
  title: z.string().min(1).max(1_000),
  url: z.string().max(2_048).describe('Address of the article, http or https'),
  ai_summary: z.string().max(20_000).default('').describe('What it says, in some sentences; highlights are taken from here'),
  relevance_score: z.number().min(0).max(10).default(0),
  categories: z.array(z.string().max(200)).max(50).default([]).describe('The first one counts for the breakdown of topics'),
});
export type TopArticle = z.infer<typeof topArticle>;

/** An article that a highlight cites. */
export const briefEvidence = z.object({
  title: z.string(),
  url: z.string(),
  /** The publisher, if known. */
  source: z.string(),
  published_at: z.string().nullable(),
  relevance_score: z.number(),
});
export type BriefEvidence = z.infer<typeof briefEvidence>;

export const briefHighlight = z.object({
  title: z.string(),
  significance: z.string().describe("What it says of its weight, in the articles' words; empty where nothing says so"),
  strategic_implications: z.string().describe('What follows from it, likewise'),
  url: z.string(),
  relevance_score: z.number(),
  categories: z.array(z.string()),
  evidence: z.array(briefEvidence).describe('All articles of this story, the one it is told from first'),
});
export type BriefHighlight = z.infer<typeof briefHighlight>;

/** The stored brief of a day. */
export const brief = z.object({
  brief_id: z.string(),
  version: z.number().int(),
  run_id: z.string(),
  date: z.string(),
  executive_summary: z.string(),
  highlights: z.array(briefHighlight),
  topic_breakdown: z.record(z.string(), z.number()),
  total_articles_analyzed: z.number().int(),
  generated_at: z.string(),
  model: z.string().nullable().describe("null: in the articles' own sentences"),
  dropped_statements: z.number().int().describe('Of a language model, as the articles do not bear them'),
  warnings: z.array(z.string()),
});
export type Brief = z.infer<typeof brief>;

export const briefTopic = z.object({
  name: z.string().min(1).max(100),
  keywords: z.array(z.string().min(1).max(100)).max(50).default([]).describe('Further words for it'),
  weight: z.number().min(0.1).max(10).default(1).describe('Beside the other topics'),
});
export type BriefTopic = z.infer<typeof briefTopic>;

const timeZone = z
  .string()
  .max(64)
  .describe('IANA name, e.g. Europe/Berlin')
  .meta({ examples: ['Europe/Berlin'] });

/** Topics, schedule and readers of a tenant's daily brief. */
export const briefSettings = z.object({
  enabled: z.boolean().describe('Made every day without being asked'),
  time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .describe('HH:MM in the time zone')
    .meta({ examples: ['07:00'] }),
  time_zone: timeZone,
  topics: z.array(briefTopic).max(50).describe('What articles are judged by; none: by freshness and by how many tell the story'),
  recipients: z.array(recipient).max(50).describe('Told when the brief is ready'),
  sources: z.array(feedId).max(1_000).describe('Feeds it is made from; none named: all that are enabled'),
  lookback_hours: z.number().int().min(1).max(720).describe('Older articles are left out'),
  max_highlights: z.number().int().min(1).max(20),
  min_relevance: z.number().min(0).max(10).describe('Articles below it are stored and not in the brief'),
});
export type BriefSettings = z.infer<typeof briefSettings>;

/** The settings to change; the others stay. */
export type GivenSettings = { [K in keyof BriefSettings]?: BriefSettings[K] | undefined };

export const defaultSettings: BriefSettings = {
  enabled: false,
  time: '07:00',
  time_zone: 'UTC',
  topics: [],
  recipients: [],
  sources: [],
  lookback_hours: 36,
  max_highlights: 5,
  min_relevance: 3,
};

/** The outcome for one source of a run. */
export const briefSource = z.object({
  feed_id: z.string(),
  ok: z.boolean(),
  articles: z.number().int(),
  attempts: z.number().int(),
  duration_ms: z.number().int(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type BriefSource = z.infer<typeof briefSource>;
