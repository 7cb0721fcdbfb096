import { z } from 'zod';
import type { AppError } from '../../../contracts/errors.ts';
import type { Embedder } from '../../../adapters/models/embedder.ts';
import { unsupported, type SourceText } from '../../authoring/index.ts';
import { firstCharacters } from '../plain.ts';
import { fence, visible } from '../../kernel/language/fence.ts';
import type { LanguageService } from '../../kernel/language/index.ts';
import { prompt } from '../../kernel/language/prompts.ts';
import { dot, type BriefArticle, type Story } from './types.ts';

const instructions = prompt('write-brief@1');
/** Identifies the prompt in a brief's input. */
export const briefPrompt = instructions.id;

const said = z.object({ text: z.string(), refs: z.array(z.string()) });
const answer = z.object({
  executive_summary: z.array(said),
  highlights: z.array(z.object({ story: z.string(), significance: said, strategic_implications: said })),
});
type Said = z.infer<typeof said>;

/** Articles shown per story, and maximum characters of each. */
const articlesEach = 3;
const longestText = 1_800;
const longestStatement = 600;
const mostStatements = 5;
const tokensBefore = 3_000;
const tokensEach = 260;

export interface Worded {
  /** The supported sentences of the model's summary; may be empty. */
  summary: string[];
  /** In the order of the stories; null without a supported sentence. */
  highlights: { significance: string | null; implications: string | null }[];
  dropped: number;
  model: string;
}

/**
 * A brief in a language model's words. Each statement is compared with the articles it names; unsupported ones are
 * dropped and counted.
 * @returns `worded` null: the model gave nothing, `error` says why
 */
export async function worded(
  language: Pick<LanguageService, 'ask'>,
  embedder: Embedder | null,
  { tenant, date, stories, signal }: { tenant: string; date: string; stories: readonly Story[]; signal?: AbortSignal | undefined },
): Promise<{ worded: Worded | null; warning: string | null; error: AppError | null }> {
  const shown = stories.flatMap(({ articles }, s) => articles.slice(0, articlesEach).map((article) => ({ article, story: s })));
  const sources = new Map(shown.map(({ article }, i) => [`a${i + 1}`, sourceOf(`a${i + 1}`, article)]));
  const reply = await language.ask({
    tenant,
    purpose: 'brief',
    prompt: instructions,
    content: [
      `Day: ${date}`,
      '',
      fence(
        shown.map(({ article, story }, i) => ({
          id: `a${i + 1}`,
          story: `s${story + 1}`,
          source: article.source,
          published: article.publishedAt,
          title: article.title,
          text: textOf(article),
        })),
      ),
    ].join('\n'),
    schema: answer,
    maxOutputTokens: tokensBefore + tokensEach * stories.length,
    signal,
  });
  if (!reply.ok) return { worded: null, warning: reply.warning, error: reply.error };

  const { executive_summary, highlights } = reply.value;
  const ofStory = stories.map((_, s) => highlights.find(({ story }) => story.trim() === `s${s + 1}`));
  const given = [...executive_summary, ...ofStory.flatMap((each) => (each ? [each.significance, each.strategic_implications] : []))];
  const near = await cosines(embedder, given, sources);
  let dropped = highlights.length - ofStory.filter(Boolean).length;
  const standing = (statement: Said | undefined, ids: ReadonlySet<string> | null): string | null => {
    if (!statement || statement.text.trim() === '') return null;
    const text = visible(statement.text).replaceAll(/\s+/g, ' ').trim();
    const refs = [...new Set(statement.refs.map((ref) => ref.trim()))];
    const stands =
      text.length <= longestStatement &&
      !/\bhttps?:|\bwww\.|\]\(|<[a-z/!]/i.test(text) &&
      (ids === null || refs.some((ref) => ids.has(ref))) &&
      unsupported(
        { text, sources: refs, figures: [], written: true },
        { sources, counted: new Map(), windowDays: Number.NaN, written: true, cosine: near.get(statement.text) },
      ) === null;
    if (stands) return text;
    dropped += 1;
    return null;
  };
  const summary = executive_summary.map((statement) => standing(statement, null)).filter((text) => text !== null);
  const told = ofStory.map((each, s) => {
    const ids = new Set(shown.flatMap(({ story }, i) => (story === s ? [`a${i + 1}`] : [])));
    return { significance: standing(each?.significance, ids), implications: standing(each?.strategic_implications, ids) };
  });
  return {
    worded: { summary: [...new Set(summary)].slice(0, mostStatements), highlights: told, dropped, model: reply.model },
    warning: dropped > 0 ? `${dropped} statements of the language model were dropped, as the articles do not bear them.` : null,
    error: null,
  };
}

const textOf = ({ summary, content }: BriefArticle): string =>
  firstCharacters(content.startsWith(summary.slice(0, 80)) ? content : `${summary}\n${content}`, longestText);

const sourceOf = (ref: string, article: BriefArticle): SourceText => ({
  ref,
  kind: 'fact',
  excerpt: `${article.title}. ${textOf(article)}`,
  context: [article.source, ...article.categories, article.publishedAt?.slice(0, 10) ?? ''].join(' · '),
  at: article.publishedAt ?? '',
  weight: 1,
});

/** Cosine of each statement and its nearest source; without a model only words count. */
async function cosines(
  embedder: Embedder | null,
  statements: readonly Said[],
  sources: ReadonlyMap<string, SourceText>,
): Promise<Map<string, number>> {
  const near = new Map<string, number>();
  const cited = [...new Set(statements.flatMap(({ refs }) => refs))].filter((ref) => sources.has(ref));
  if (!embedder || cited.length === 0) return near;
  const texts = [...statements.map(({ text }) => text), ...cited.map((ref) => sources.get(ref)!.excerpt)];
  const vectors = await embedder.embed(texts, { priority: 'batch' }).catch(() => null);
  if (!vectors) return near;
  for (const [i, { text, refs }] of statements.entries()) {
    const places = refs.map((ref) => cited.indexOf(ref)).filter((place) => place >= 0);
    near.set(text, Math.max(0, ...places.map((place) => dot(vectors[i]!, vectors[statements.length + place]!))));
  }
  return near;
}
