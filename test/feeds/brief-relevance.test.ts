import { describe, expect, inject, it } from 'vitest';
import { createLocalEmbedder } from '../../adapters/models/embedder.ts';
import { newsAt, newsOfTheDay, newsTopics } from '../../services/feeds/briefs/news.fixture.ts';
import { articleText, scoresOf, topicText } from '../../services/feeds/briefs/relevance.ts';
import { storiesOf } from '../../services/feeds/briefs/stories.ts';

const scores = scoresOf(newsOfTheDay, newsTopics, newsAt);
const of = (title: RegExp): number => scores.get(newsOfTheDay.find((each) => title.test(each.title))!.key)!.relevance;

describe('relevance without a model', () => {
  it('puts what is of a topic before everything else, and says by which words', () => {
    const hearts = newsOfTheDay.filter(({ mark }) => mark === 'heart').map(({ key }) => scores.get(key)!);
    const others = newsOfTheDay.filter(({ mark }) => mark === 'off').map(({ key }) => scores.get(key)!);
    expect(Math.min(...hearts.map(({ relevance }) => relevance))).toBeGreaterThan(5);
    expect(Math.max(...others.map(({ relevance }) => relevance))).toBeLessThan(2);
    for (const { factors } of hearts) expect(factors).toMatchObject({ words: 1, meaning: null });
    for (const { relevance } of scores.values()) expect(relevance).toBeGreaterThanOrEqual(0);
    for (const { relevance } of scores.values()) expect(relevance).toBeLessThanOrEqual(10);
  });

  it('counts a heavier topic for more, and fresh news for more than old ones', () => {
    expect(of(/^Halden Labs releases/)).toBeGreaterThan(of(/^Data breach/));
    const [first] = newsOfTheDay;
    const old = { ...first!, key: 'old', publishedAt: new Date(newsAt.getTime() - 72 * 3_600_000).toISOString() };
    const pair = scoresOf([first!, old], newsTopics, newsAt);
    expect(pair.get('old')!.relevance).toBeLessThan(pair.get(first!.key)!.relevance);
    expect(pair.get('old')!.relevance).toBeGreaterThan(5);
  });

  it('takes a word for the word it is, not for a part of another', () => {
    const base = { summary: '', categories: [], publishedAt: null };
    const topics = [{ name: 'AI', keywords: [], weight: 1 }];
    const found = scoresOf(
      [
        { ...base, key: 'a', title: 'New AI rules' },
        { ...base, key: 'b', title: 'Paint the chairs again: a maid explains' },
      ],
      topics,
      newsAt,
    );
    expect(found.get('a')!.relevance).toBeGreaterThan(7);
    expect(found.get('b')!.relevance).toBe(0);
  });

  it('goes by freshness and substance where no topic is configured', () => {
    const plain = scoresOf(newsOfTheDay, [], newsAt);
    expect(plain.get(newsOfTheDay[0]!.key)!.factors).toMatchObject({ topic: null });
    expect(Math.min(...[...plain.values()].map(({ relevance }) => relevance))).toBeGreaterThan(3);
  });
});

describe('relevance with meanings', () => {
  const unit = (...values: number[]): Float32Array => Float32Array.from(values);
  const article = {
    key: 'a',
    title: 'Neural networks learn sign language',
    summary: '',
    categories: [],
    publishedAt: newsAt.toISOString(),
  };

  it('finds what says none of the words and means the topic', () => {
    const judged = scoresOf([article], newsTopics, newsAt, new Map([['a', unit(1, 0)]]), [unit(0.74, 0.67), unit(0, 1)]);
    expect(judged.get('a')).toMatchObject({ factors: { topic: 'artificial intelligence', words: 0, meaning: 1 } });
    expect(judged.get('a')!.relevance).toBeGreaterThan(7);
  });

  it('trusts a word less that stands in a text about something else', () => {
    const other = { ...article, title: 'A cake called AI wins the contest' };
    const topics = [{ name: 'AI', keywords: [], weight: 1 }];
    const alone = scoresOf([other], topics, newsAt).get('a')!.relevance;
    const known = scoresOf([other], topics, newsAt, new Map([['a', unit(1, 0)]]), [unit(0.4, 0.9)]).get('a')!.relevance;
    expect(known).toBeLessThan(alone - 3);
  });
});

const { modelDir } = inject('servers');

describe.skipIf(modelDir === null)('with the shipped model', () => {
  it('judges by meaning, and finds the same stories', async () => {
    const embedder = createLocalEmbedder({ dir: modelDir! });
    try {
      const topicVectors = await embedder.embed(newsTopics.map(topicText));
      const found = await embedder.embed(newsOfTheDay.map(articleText));
      const vectors = new Map(newsOfTheDay.map(({ key }, i) => [key, found[i]!]));
      const judged = scoresOf(newsOfTheDay, newsTopics, newsAt, vectors, topicVectors);
      const of = (mark: string): number[] => newsOfTheDay.filter((each) => each.mark === mark).map(({ key }) => judged.get(key)!.relevance);
      expect(Math.min(...of('heart'))).toBeGreaterThan(5);
      expect(Math.max(...of('off'))).toBeLessThan(1);
      // Contains none of the topic's words, but has its meaning.
      expect(Math.max(...of('beside'))).toBeGreaterThan(3);
      const stories = storiesOf(
        newsOfTheDay.map((each) => ({ ...each, relevance: judged.get(each.key)!.relevance })),
        vectors,
      );
      expect(stories).toHaveLength(new Set(newsOfTheDay.map(({ told }) => told)).size);
      for (const { articles } of stories) expect(new Set((articles as typeof newsOfTheDay).map(({ told }) => told)).size).toBe(1);
    } finally {
      await embedder.close();
    }
  });
});
