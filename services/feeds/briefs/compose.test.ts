import { describe, expect, it } from 'vitest';
import { breakdownOf, composed, overview } from './compose.ts';
import { newsAt, newsOfTheDay, newsTopics } from './news.fixture.ts';
import { scoresOf } from './relevance.ts';
import { sentencesOf } from './sentences.ts';
import { chosen, storiesOf } from './stories.ts';
import type { BriefArticle } from './types.ts';

const none = new Map<string, Float32Array>();
const scores = scoresOf(newsOfTheDay, newsTopics, newsAt);
const relevant = newsOfTheDay
  .map((each) => ({ ...each, relevance: scores.get(each.key)!.relevance }))
  .filter((each) => each.relevance >= 3);
const brief = composed(relevant, chosen(storiesOf(relevant, none), 5, none));
const everything = newsOfTheDay.map(({ summary }) => summary).join('\n');

const article = (title: string, content: string): BriefArticle => ({
  key: title,
  url: 'https://one.test/a',
  title,
  summary: '',
  content,
  source: 'one',
  publishedAt: null,
  categories: [],
  relevance: 5,
});
const single = (title: string, content: string) => {
  const one = article(title, content);
  return composed([one], [{ articles: [one], relevance: 5 }]);
};

describe('a brief in the articles’ own sentences', () => {
  it('has nothing that no article says', () => {
    expect(brief.highlights.length).toBeGreaterThan(3);
    for (const { significance, strategic_implications } of brief.highlights) {
      for (const text of [significance, strategic_implications]) expect(everything).toContain(text);
      expect(significance === '' || significance !== strategic_implications).toBe(true);
    }
  });

  it('tells each story once, with everybody who tells it', () => {
    const orion = brief.highlights.filter(({ title }) => title.includes('Orion 5'));
    expect(orion).toHaveLength(1);
    expect(new Set(orion[0]!.evidence.map(({ source }) => source))).toEqual(new Set(['northwire', 'techpost', 'dailybyte']));
    expect(orion[0]).toMatchObject({
      significance: 'It is the largest context of any commercial model, and costs 40 percent less than its predecessor.',
      strategic_implications: 'Rivals will have to cut prices or lose enterprise customers, analysts at Brightmoor said.',
    });
  });

  it('sums up: figures that were counted, then the news with who tells it, then what follows', () => {
    expect(brief.executive_summary).toMatch(
      /^AI leads with 3 of 8 articles, ahead of Security \(2\) and Health \(1\)\. Halden Labs (?:released|launched) Orion 5.* \(\w+ and 2 more sources\)\. Rivals will have to cut prices/,
    );
    expect(brief.total_articles_analyzed).toBe(8);
    expect(Object.values(brief.topic_breakdown).reduce((sum, count) => sum + count, 0)).toBe(8);
  });

  it('leaves empty what nothing says, and says so', () => {
    const bare = single('Quarterly report of Varda', 'Varda has published the quarterly report on its pages.');
    expect(bare.highlights[0]).toMatchObject({ strategic_implications: '' });
    expect(bare.warnings).toContain('No article says what follows from “Quarterly report of Varda”.');
    const title = single('Only a title here', '');
    expect(title.highlights[0]).toMatchObject({ significance: '', strategic_implications: '' });
    expect(title.warnings).toHaveLength(2);
    expect(title.executive_summary).toBe('1 article read; one story stands out.');
  });

  it('takes no furniture of a page for news, and cuts no sentence at an abbreviation', () => {
    const texts = sentencesOf(
      article(
        'Nimbus buys Varda Inc.',
        'Read more about our newsletter and subscribe today for free.\nNimbus Corp. buys Varda Inc. for $2.5 billion, the companies said on Nov. 3 in the U.S. Senate hearing. Does this help anybody at all in the end? The post Nimbus buys appeared first on Pages. Sign up for alerts about this and other stories…',
      ),
    ).map(({ text }) => text);
    expect(texts).toEqual(['Nimbus Corp. buys Varda Inc. for $2.5 billion, the companies said on Nov. 3 in the U.S. Senate hearing.']);
  });

  it('counts each article once, for its first category, however that is spelt', () => {
    const filed = (...categories: string[]): BriefArticle => ({ ...article('t', ''), categories });
    expect(breakdownOf([filed('AI', 'Tech'), filed('ai'), filed('Tech'), filed()])).toEqual({ AI: 2, Other: 1, Tech: 1 });
    expect(overview(23, 5, { AI: 12, Technology: 8, Business: 3 })).toBe(
      'AI leads with 12 of 23 articles, ahead of Technology (8) and Business (3).',
    );
    expect(overview(2, 1, { AI: 1, Tech: 1 })).toBe('AI leads with 1 of 2 articles, beside Tech (1).');
    expect(overview(3, 2, { AI: 3 })).toBe('All 3 articles are on AI.');
  });
});
