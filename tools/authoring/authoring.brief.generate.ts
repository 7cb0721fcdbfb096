import { z } from 'zod';
import { briefDate, topArticle } from '../../contracts/feeds/briefs.ts';
import { defineTool } from '../catalogue/define.ts';
import { briefAnswer, briefResult, runId, type BriefAnswer } from './authoring.brief.shared.ts';

const input = z.object({
  run_id: runId,
  date: briefDate,
  top_articles: z.array(topArticle).max(500).describe('What it is made of, at least one'),
  max_highlights: z.number().int().min(1).max(20).default(5),
});

export default defineTool({
  name: 'authoring.brief.generate',
  title: 'Generate a brief of given articles',
  description:
    "Makes an executive brief of articles: summary, highlights with significance and implications, topics. Near-duplicates are told once; each statement is an article's own or was held against them, and what nothing says stays empty. The same articles again give the same version. authoring.brief.run reads feeds itself.",
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['authoring:write'],
  latency: 'L4',
  input,
  output: briefAnswer,
  intents: [
    'executive summary of these articles',
    'write the daily news brief',
    'summarise the news of today for leadership',
    'what do these articles mean for us',
    'highlights with strategic implications',
  ],
  aliases: [
    {
      name: 'generate_brief',
      system: 'perception',
      input,
      toInput: (args) => args as z.input<typeof input>,
      toAnswer: (data: BriefAnswer, args) =>
        data.brief_id === undefined
          ? { run_id: args['run_id'], date: args['date'], job_id: data.job_id, status: data.status }
          : {
              run_id: data.run_id,
              date: data.date,
              executive_summary: data.executive_summary,
              highlights: data.highlights!.map(({ title, significance, strategic_implications, url }) => ({
                title,
                significance,
                strategic_implications,
                url,
              })),
              topic_breakdown: data.topic_breakdown,
              total_articles_analyzed: data.total_articles_analyzed,
              generated_at: data.generated_at,
            },
    },
  ],
  observes: ({ run_id, top_articles }) => ({ 'run.id': run_id, 'articles.count': top_articles.length }),
  async handler({ run_id, date, top_articles, max_highlights }, { caller, services, callKey, progress }) {
    const wanted = { runId: run_id, date, articles: top_articles, maxHighlights: max_highlights };
    return briefResult(services, await services.briefs.generate(caller, wanted, { callKey, onProgress: progress }));
  },
});
