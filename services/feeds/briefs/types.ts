import type { BriefHighlight } from '../../../contracts/feeds/briefs.ts';

/** An article as a brief is made from it. All text is a stranger's. */
export interface BriefArticle {
  /** Hash of its address. */
  key: string;
  url: string;
  title: string;
  summary: string;
  /** Empty: the summary is all there is. */
  content: string;
  /** Whoever published it. */
  source: string;
  /** ISO 8601. */
  publishedAt: string | null;
  categories: string[];
  /** 0 to 10. */
  relevance: number;
}

/** Articles that tell the same, the one it is told from first. */
export interface Story {
  articles: BriefArticle[];
  /** Of the most relevant one. */
  relevance: number;
}

/** What a brief says; `contracts/feeds/briefs.ts` has it with where and when it was made. */
export interface BriefContent {
  executive_summary: string;
  highlights: BriefHighlight[];
  topic_breakdown: Record<string, number>;
  total_articles_analyzed: number;
  warnings: string[];
}

/** Unit vectors by an article's key; empty without a model. */
export type Vectors = ReadonlyMap<string, Float32Array>;

export const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
