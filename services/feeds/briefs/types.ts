import type { BriefHighlight } from '../../../contracts/feeds/briefs.ts';

/** An article as input of a brief. All text is untrusted. */
export interface BriefArticle {
  /** Hash of its address. */
  key: string;
  url: string;
  title: string;
  summary: string;
  /** Empty: only the summary is known. */
  content: string;
  /** The publisher. */
  source: string;
  /** ISO 8601. */
  publishedAt: string | null;
  categories: string[];
  /** 0 to 10. */
  relevance: number;
}

/** Articles about the same news, main article first. */
export interface Story {
  articles: BriefArticle[];
  /** Of the most relevant one. */
  relevance: number;
}

/** Content of a brief; `contracts/feeds/briefs.ts` adds place and time. */
export interface BriefContent {
  executive_summary: string;
  highlights: BriefHighlight[];
  topic_breakdown: Record<string, number>;
  total_articles_analyzed: number;
  warnings: string[];
}

/** Unit vectors by article key; empty without a model. */
export type Vectors = ReadonlyMap<string, Float32Array>;

export const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
