import type { Embedder } from '../../../adapters/models/embedder.ts';
import { AppError } from '../../../contracts/errors.ts';
import { hashOf } from '../../../contracts/ids.ts';
import { reasonOf } from '../../../contracts/language.ts';
import type { LanguageService } from '../../kernel/language/index.ts';
import { composed, overview } from './compose.ts';
import { briefPrompt, worded } from './model.ts';
import type { BriefRecords, Kept } from './records.ts';
import type { BriefArticle, BriefContent, Story } from './types.ts';

export interface MakingDeps {
  briefs: BriefRecords;
  embedder: Embedder | null;
  language: Pick<LanguageService, 'ask' | 'model'>;
}

export interface Making {
  tenant: string;
  runId: string;
  date: string;
  /** All analysed articles. */
  articles: readonly BriefArticle[];
  /** Those in the brief, in order. */
  stories: readonly Story[];
  warnings: readonly string[];
  /** Further input that would change the brief; the stories' articles count anyway. */
  input: unknown;
  createdBy: string;
  /** True: a rate-limited provider is an error, false: the brief is made without it. */
  insists: boolean;
  signal?: AbortSignal | undefined;
}

/**
 * Makes and stores a brief, unless the last one of its run and day had the same input.
 * @throws AppError RATE_LIMIT_EXCEEDED with `details.provider_error` from the language model, if the caller insists
 */
export async function makeBrief(deps: MakingDeps, making: Making): Promise<Kept & { content: BriefContent; dropped: number }> {
  const { tenant, runId, date, articles, stories, createdBy, insists, signal } = making;
  const { language, embedder } = deps;
  let content = composed(articles, stories);
  let model: string | null = null;
  let dropped = 0;
  const warnings = [...making.warnings];
  if (language.model !== null && stories.length > 0) {
    const { worded: words, warning, error } = await worded(language, embedder, { tenant, date, stories, signal });
    if (!words && error && reasonOf(error) === 'rate_limited' && insists) throw overAsked(error);
    if (warning) warnings.push(warning);
    if (words) {
      ({ model, dropped } = words);
      content = inWords(content, words.summary, words.highlights);
    }
  }
  content = { ...content, warnings: [...warnings, ...content.warnings] };
  const told = stories.map(({ articles: of }) => of.map(({ key, title, summary, content: text }) => [key, hashOf([title, summary, text])]));
  // A brief made without an unavailable model is made again when the model is back.
  const input = { date, runId, told, input: making.input, model: model === null ? null : [model, briefPrompt] };
  const kept = await deps.briefs.keep({ tenant, runId, date, content, input, model, dropped, createdBy });
  return { ...kept, content, dropped };
}

/** Replaces the articles' sentences by the model's supported statements. */
function inWords(
  content: BriefContent,
  summary: readonly string[],
  highlights: readonly { significance: string | null; implications: string | null }[],
): BriefContent {
  const said = highlights.map(({ significance, implications }, i) => ({
    ...content.highlights[i]!,
    ...(significance === null ? {} : { significance }),
    ...(implications === null ? {} : { strategic_implications: implications }),
  }));
  const first = overview(content.total_articles_analyzed, said.length, content.topic_breakdown);
  return {
    ...content,
    executive_summary: summary.length > 0 ? [first, ...summary].join(' ') : content.executive_summary,
    highlights: said,
    warnings: said.flatMap(({ title, significance, strategic_implications }) => [
      ...(significance === '' ? [`No article says why “${title}” matters.`] : []),
      ...(strategic_implications === '' ? [`No article says what follows from “${title}”.`] : []),
    ]),
  };
}

/** In the form of perception's clients. */
function overAsked(error: AppError): AppError {
  const seconds = error.retryAfterSeconds ?? 30;
  return new AppError('RATE_LIMIT_EXCEEDED', error.message, {
    hint: 'Try again after the pause.',
    retryAfterSeconds: seconds,
    details: { gemini_error: 'RESOURCE_EXHAUSTED', provider_error: 'rate_limited', retry_after_seconds: seconds },
    cause: error,
  });
}
