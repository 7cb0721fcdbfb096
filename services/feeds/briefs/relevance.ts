/** Pure: an article's relevance to a tenant, 0 to 10, with reasons. */
import type { BriefTopic } from '../../../contracts/feeds/briefs.ts';
import { terms } from '../../../engines/retrieval/terms.ts';
import { dot, type Vectors } from './types.ts';

export interface Judged {
  key: string;
  title: string;
  summary: string;
  categories: string[];
  publishedAt: string | null;
}

/** Factors of a score, each 0 to 1. */
export interface Factors {
  /** The topic that matched best; null: none is configured. */
  topic: string | null;
  /** Match of the topic's words. */
  words: number;
  /** Closeness in meaning; null: no vectors. */
  meaning: number | null;
  recency: number;
  /** The topic's weight relative to the highest. */
  weight: number;
}

export interface Score {
  relevance: number;
  factors: Factors;
}

const hour = 3_600_000;
/** Age at which freshness is halved. */
const halfLife = 24 * hour;
/** Range of the shipped model's cosines: unrelated, and as close as a short topic gets to an article. */
const far = 0.5;
const near = 0.74;

interface Prepared {
  topic: BriefTopic;
  /** Terms of each wording of the topic. */
  wordings: string[][];
  weight: number;
  vector: Float32Array | undefined;
}

/** The text embedded for a topic. */
export const topicText = ({ name, keywords }: BriefTopic): string => [name, ...keywords].join(', ');
/** The text embedded for an article. */
export const articleText = ({ title, summary }: Pick<Judged, 'title' | 'summary'>): string => `${title}\n${summary.slice(0, 400)}`;

/**
 * @param at reference time for freshness
 * @param vectors of articles by key
 * @param topicVectors in the order of the topics, empty without a model
 */
export function scoresOf(
  articles: readonly Judged[],
  topics: readonly BriefTopic[],
  at: Date,
  vectors: Vectors = new Map(),
  topicVectors: readonly Float32Array[] = [],
): Map<string, Score> {
  const heaviest = Math.max(...topics.map(({ weight }) => weight), 0);
  const prepared = topics.map((topic, i): Prepared => ({
    topic,
    wordings: [topic.name, ...topic.keywords].map(terms).filter((words) => words.length > 0),
    weight: topic.weight / heaviest,
    vector: topicVectors[i],
  }));
  return new Map(articles.map((article) => [article.key, scoreOf(article, prepared, at, vectors.get(article.key))]));
}

function scoreOf(article: Judged, topics: readonly Prepared[], at: Date, vector: Float32Array | undefined): Score {
  const recency = recencyOf(article.publishedAt, at);
  const title = terms(article.title);
  const text = [...title, ...terms(article.summary.slice(0, 3_000))];
  const filed = article.categories.flatMap(terms);
  if (topics.length === 0) {
    const substance = Math.min(1, text.length / 60);
    const relevance = rounded(10 * (0.65 * recency + 0.35 * substance));
    return { relevance, factors: { topic: null, words: 0, meaning: null, recency: rounded(recency), weight: 1 } };
  }
  const judged = topics.map(({ topic, wordings, weight, vector: of }) => {
    const words = Math.max(0, ...wordings.map((wording) => wordsOf(wording, title, text, filed)));
    const meaning = of && vector ? Math.min(1, Math.max(0, (dot(of, vector) - far) / (near - far))) : null;
    // A text with the topic's words rarely has another meaning; a text with its meaning often has other words.
    const match = meaning === null ? words : Math.max(0.45 * words + 0.55 * meaning, 0.75 * words * (0.4 + 0.6 * meaning), 0.85 * meaning);
    return { topic: topic.name, words, meaning, weight, match, value: match * (0.6 + 0.4 * weight) };
  });
  const top = judged.toSorted((a, b) => b.value - a.value || a.topic.localeCompare(b.topic))[0]!;
  const others = judged.filter(({ topic, match }) => topic !== top.topic && match >= 0.5).length;
  const value = Math.min(1, top.value + 0.05 * others) * (0.8 + 0.2 * recency);
  return {
    relevance: rounded(10 * value),
    factors: {
      topic: top.topic,
      words: rounded(top.words),
      meaning: top.meaning === null ? null : rounded(top.meaning),
      recency: rounded(recency),
      weight: rounded(top.weight),
    },
  };
}

/** How well one wording of a topic matches an article: title and repetition count more. */
function wordsOf(wording: readonly string[], title: readonly string[], text: readonly string[], filed: readonly string[]): number {
  if (contains(title, wording)) return 1;
  const times = timesIn(text, wording);
  if (times >= 2) return 0.85;
  if (times === 1) return 0.6;
  if (contains(filed, wording)) return 0.6;
  // Words of the wording, not adjacent: reduced by missing words, zero if half are missing.
  const there = wording.filter((word) => text.includes(word)).length / wording.length;
  return wording.length > 1 && there > 0.5 ? 0.45 * there : 0;
}

const contains = (text: readonly string[], wording: readonly string[]): boolean => timesIn(text, wording) > 0;

function timesIn(text: readonly string[], wording: readonly string[]): number {
  let times = 0;
  for (let i = 0; i + wording.length <= text.length; i += 1) if (wording.every((word, j) => text[i + j] === word)) times += 1;
  return times;
}

/** 1 now, halved each day; an undated article counts as one day old. */
function recencyOf(publishedAt: string | null, at: Date): number {
  const age = publishedAt === null ? halfLife : Math.max(0, at.getTime() - Date.parse(publishedAt));
  return 0.5 ** (age / halfLife);
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
