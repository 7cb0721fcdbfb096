/** Pure: a brief from the articles' own sentences. */
import type { BriefEvidence, BriefHighlight } from '../../../contracts/feeds/briefs.ts';
import { best, leadsOn, leastConsequence, leastWeight, sameWords, sentencesOfStory, tells, weighs, type Sentence } from './sentences.ts';
import { topicOf } from './stories.ts';
import type { BriefArticle, BriefContent, Story } from './types.ts';

/** Stories in the summary, beside its first sentence with figures. */
const summarised = 3;

/** Bonus of the story's main article. */
const tellingFirst = 0.75;

/** The sentences about one story. */
export interface Told {
  story: Story;
  /** The event; null: no article has such a sentence. */
  news: Sentence | null;
  significance: Sentence | null;
  implications: Sentence | null;
}

export function toldOf(story: Story): Told {
  const all = sentencesOfStory(story);
  const first = (sentence: Sentence): number => (sentence.article === story.articles[0] ? tellingFirst : 0);
  const news = best(all, (sentence) => tells(sentence) + first(sentence), 0.5);
  const others = all.filter((sentence) => news === null || !sameWords(sentence, news));
  // If two fields have the same sentence, it is used once.
  const implications = best(others, leadsOn, leastConsequence);
  const weighty = others.filter((sentence) => implications === null || !sameWords(sentence, implications));
  const significance = best(weighty, weighs, leastWeight) ?? (news && weighs(news) >= leastWeight ? news : null);
  return { story, news, significance, implications };
}

export const highlightOf = ({ story, significance, implications }: Told): BriefHighlight => {
  const [lead] = story.articles;
  return {
    title: lead!.title,
    significance: significance?.text ?? '',
    strategic_implications: implications?.text ?? '',
    url: lead!.url,
    relevance_score: story.relevance,
    categories: lead!.categories,
    evidence: story.articles.map(evidenceOf),
  };
};

const evidenceOf = ({ title, url, source, publishedAt, relevance }: BriefArticle): BriefEvidence => ({
  title,
  url,
  source,
  published_at: publishedAt,
  relevance_score: relevance,
});

/**
 * @param articles all analysed articles
 * @param stories those in the brief
 */
export function composed(articles: readonly BriefArticle[], stories: readonly Story[]): BriefContent {
  const told = stories.map(toldOf);
  const breakdown = breakdownOf(articles);
  return {
    executive_summary: [overview(articles.length, told.length, breakdown), ...summaryOf(told)].join(' '),
    highlights: told.map(highlightOf),
    topic_breakdown: breakdown,
    total_articles_analyzed: articles.length,
    warnings: told.flatMap(silent),
  };
}

/** Fields without a sentence are left empty, with a warning. */
export function silent({ story, significance, implications }: Told): string[] {
  const title = story.articles[0]!.title;
  return [
    ...(significance ? [] : [`No article says why “${title}” matters.`]),
    ...(implications ? [] : [`No article says what follows from “${title}”.`]),
  ];
}

/** Articles per topic, most first; each counts for its first category. */
export function breakdownOf(articles: readonly BriefArticle[]): Record<string, number> {
  const counts = new Map<string, { name: string; count: number }>();
  for (const article of articles) {
    const name = topicOf(article);
    const known = counts.get(name.toLowerCase());
    if (known) known.count += 1;
    else counts.set(name.toLowerCase(), { name, count: 1 });
  }
  const most = [...counts.values()].sort((a, b) => b.count - a.count || a.name.localeCompare(b.name));
  return Object.fromEntries(most.map(({ name, count }) => [name, count]));
}

/** Counted by us, so it needs no source. */
export function overview(articles: number, stories: number, breakdown: Record<string, number>): string {
  const topics = Object.entries(breakdown).filter(([name]) => name !== 'Other');
  const [first, ...others] = topics;
  const what = `${articles} ${articles === 1 ? 'article' : 'articles'}`;
  if (articles === 0) return 'Nothing relevant was published.';
  if (!first) return `${what} read; ${stories === 1 ? 'one story stands' : `${stories} stories stand`} out.`;
  if (first[1] === articles) return articles === 1 ? `One article was read, on ${first[0]}.` : `All ${what} are on ${first[0]}.`;
  const behind = others.slice(0, 2).map(([name, count]) => `${name} (${count})`);
  const ahead = behind.length === 0 ? '' : `, ${others[0]![1] === first[1] ? 'beside' : 'ahead of'} ${behind.join(' and ')}`;
  return `${first[0]} leads with ${first[1]} of ${what}${ahead}.`;
}

/** The news of the first stories with their sources, and for the first one also its implications. */
function summaryOf(told: readonly Told[]): string[] {
  const news = told.filter(({ news: one }) => one !== null).slice(0, summarised);
  return news.flatMap(({ news: one, implications, story }, i) => {
    const line = attributed(one!.text, story);
    return i === 0 && implications ? [line, implications.text] : [line];
  });
}

/** A story of several sources names several. */
function attributed(sentence: string, { articles }: Story): string {
  const more = new Set(articles.map(({ source }) => source)).size - 1;
  if (more < 1) return sentence;
  const by = `(${articles[0]!.source} and ${more === 1 ? 'one more source' : `${more} more sources`})`;
  return sentence.endsWith('.') ? `${sentence.slice(0, -1)} ${by}.` : `${sentence} ${by}`;
}
