import { describe, expect, it } from 'vitest';
import { newsOfTheDay } from './news.fixture.ts';
import { chosen, sameStory, storiesOf } from './stories.ts';
import type { BriefArticle } from './types.ts';

const none = new Map<string, Float32Array>();
const article = (key: string, title: string, more: Partial<BriefArticle> = {}): BriefArticle => ({
  key,
  url: `https://${key}.test/`,
  title,
  summary: '',
  content: '',
  source: key,
  publishedAt: null,
  categories: [],
  relevance: 5,
  ...more,
});

describe('stories', () => {
  it('are told by those who were written for one and nobody else, without a model', () => {
    const stories = storiesOf(newsOfTheDay, none);
    const told = stories.map(({ articles }) => new Set((articles as typeof newsOfTheDay).map((each) => each.told)));
    for (const names of told) expect(names.size).toBe(1);
    expect(stories).toHaveLength(new Set(newsOfTheDay.map((each) => each.told)).size);
  });

  it('keep versions, numbers and days apart', () => {
    const release = 'Halden Labs releases Orion 5 language model';
    expect(sameStory(article('a', release), article('b', 'Halden Labs releases Orion 6 language model'), none)).toBe(false);
    const at = (day: string) => ({ publishedAt: `2026-11-${day}T08:00:00Z` });
    expect(sameStory(article('a', release, at('01')), article('b', release, at('02')), none)).toBe(true);
    expect(sameStory(article('a', release, at('01')), article('b', release, at('09')), none)).toBe(false);
  });

  it('need more than a near meaning: the titles have to speak of the same', () => {
    const vectors = (cosine: number) =>
      new Map([
        ['a', Float32Array.from([1, 0])],
        ['b', Float32Array.from([cosine, Math.sqrt(1 - cosine ** 2)])],
      ]);
    const [one, other] = [article('a', 'Ministry opens inquiry into Nimbus breach'), article('b', 'Court fines Lumen for hidden fees')];
    expect(sameStory(one, other, vectors(0.85))).toBe(false);
    expect(sameStory(one, other, vectors(0.95))).toBe(true);
    expect(sameStory(one, article('b', 'Inquiry into breach at Nimbus'), vectors(0.85))).toBe(true);
    expect(sameStory(one, article('b', 'Inquiry into breach at Nimbus'), vectors(0.5))).toBe(false);
  });

  it('are told from the article that says most, the others stand beside it', () => {
    const [story] = storiesOf(
      [
        article('short', 'Port of Harbour City closed by storm', { relevance: 6 }),
        article('long', 'Storm: port of Harbour City closed', { relevance: 5.5, summary: 'A storm closed the port. '.repeat(80) }),
      ],
      none,
    );
    expect(story!.articles.map(({ key }) => key)).toEqual(['long', 'short']);
    expect(story!.relevance).toBe(6);
  });

  it('are chosen so that a brief is not all about one thing', () => {
    const stories = storiesOf(
      [
        ...['Alpha', 'Beta', 'Gamma'].map((name, i) =>
          article(name, `Chip maker ${name} raises its forecast`, { relevance: 9 - i / 10, categories: ['Chips'] }),
        ),
        article('law', 'Parliament passes a law on repairs', { relevance: 7.5, categories: ['Policy'] }),
      ],
      none,
    );
    expect(chosen(stories, 2, none).map(({ articles }) => articles[0]!.key)).toEqual(['Alpha', 'law']);
    expect(chosen(stories, 10, none)).toHaveLength(stories.length);
  });
});
