/** Pure: groups articles by story, and selects the stories of a brief. */
import { terms } from '../../../engines/retrieval/terms.ts';
import { dot, type BriefArticle, type Story, type Vectors } from './types.ts';

const hour = 3_600_000;
/** Similar articles further apart in time are different news. */
const apart = 96 * hour;

/** Minimum cosine of title and summary for the same story: alone, or with overlapping titles. */
const sameMeaning = 0.93;
const nearMeaning = 0.82;
/** Minimum share of common title words, with a similar meaning, and alone. */
const nearTitle = 0.3;
const sameTitle = 0.6;
const sameText = 0.5;

interface Read {
  article: BriefArticle;
  title: ReadonlySet<string>;
  text: ReadonlySet<string>;
  /** Numbers and versions in the title: different ones are different news. */
  numbers: ReadonlySet<string>;
  at: number | null;
}

/**
 * Articles by story, the most relevant story first. Each article joins the first story whose main article it
 * resembles, so that stories are not chained together.
 */
export function storiesOf(articles: readonly BriefArticle[], vectors: Vectors): Story[] {
  const ordered = articles.toSorted((a, b) => b.relevance - a.relevance || a.key.localeCompare(b.key)).map(read);
  const stories: Read[][] = [];
  for (const one of ordered) {
    const known = stories.find(([lead]) => same(lead!, one, vectors));
    if (known) known.push(one);
    else stories.push([one]);
  }
  return stories.map((members) => {
    const told = members.map(({ article }) => article).toSorted((a, b) => richness(b) - richness(a) || a.key.localeCompare(b.key));
    return { articles: told, relevance: Math.max(...told.map(({ relevance }) => relevance)) };
  });
}

/** Whether two articles report the same. */
export const sameStory = (a: BriefArticle, b: BriefArticle, vectors: Vectors): boolean => same(read(a), read(b), vectors);

function same(a: Read, b: Read, vectors: Vectors): boolean {
  if (a.article.key === b.article.key) return true;
  if (a.at !== null && b.at !== null && Math.abs(a.at - b.at) > apart) return false;
  const titles = shared(a.title, b.title);
  // The same release note for another version is another story.
  if (a.numbers.size > 0 && b.numbers.size > 0 && ![...a.numbers].some((number) => b.numbers.has(number))) return false;
  const [left, right] = [vectors.get(a.article.key), vectors.get(b.article.key)];
  const meaning = left && right ? dot(left, right) : null;
  if (meaning !== null && meaning < nearMeaning - 0.1) return false;
  if (titles >= sameTitle && Math.min(a.title.size, b.title.size) >= 3) return true;
  if (meaning === null) return titles >= nearTitle && shared(a.text, b.text) >= sameText;
  return meaning >= sameMeaning || (meaning >= nearMeaning && titles >= nearTitle);
}

function read(article: BriefArticle): Read {
  const title = terms(article.title);
  return {
    article,
    title: new Set(title),
    text: new Set(terms(`${article.title} ${article.summary.slice(0, 1_000)}`)),
    numbers: new Set(title.filter((term) => /\d/.test(term))),
    at: article.publishedAt === null ? null : Date.parse(article.publishedAt),
  };
}

/** Share of the smaller set in both, reduced if the other is much larger. */
function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  if (small.size === 0) return 0;
  let both = 0;
  for (const term of small) if (large.has(term)) both += 1;
  return both / Math.sqrt(small.size * large.size);
}

/** Choice of the main article: relevant and with enough text. */
const richness = ({ relevance, summary, content }: BriefArticle): number =>
  relevance + Math.min(1.5, (summary.length + content.length) / 2_000);

/** Penalty for similarity to a selected story, and for each selected story of the same topic. */
const likeness = 3;
const sameTopic = 0.4;

/** The stories of a brief: relevant and diverse. */
export function chosen(stories: readonly Story[], most: number, vectors: Vectors): Story[] {
  const left = [...stories];
  const told: Story[] = [];
  while (told.length < most && left.length > 0) {
    const values = left.map((story) => story.relevance + Math.min(1, 0.25 * (story.articles.length - 1)) - cost(story, told, vectors));
    told.push(left.splice(values.indexOf(Math.max(...values)), 1)[0]!);
  }
  // Ordered by relevance, not by selection.
  return told.toSorted((a, b) => b.relevance - a.relevance);
}

function cost(story: Story, told: readonly Story[], vectors: Vectors): number {
  const [lead] = story.articles;
  const titles = new Set(terms(lead!.title));
  const like = told.map(({ articles: [other] }) => {
    const [a, b] = [vectors.get(lead!.key), vectors.get(other!.key)];
    const meaning = a && b ? Math.max(0, (dot(a, b) - 0.6) / 0.4) : 0;
    return Math.max(meaning, shared(titles, new Set(terms(other!.title))));
  });
  const topic = topicOf(lead!);
  return likeness * Math.max(0, ...like) ** 2 + sameTopic * told.filter(({ articles }) => topicOf(articles[0]!) === topic).length;
}

export const topicOf = ({ categories }: Pick<BriefArticle, 'categories'>): string => categories[0]?.trim() || 'Other';
