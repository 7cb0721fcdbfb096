import type { Embedder } from '../../adapters/models/embedder.ts';
import { AppError } from '../../contracts/errors.ts';

export interface Classified {
  label: string;
  /** 0 to 1; the sum over all labels is 1. */
  confidence: number;
  alternatives: { label: string; confidence: number }[];
}

/** Typical words of the usual kinds of document. */
const described: Record<string, string> = {
  meeting_transcript: 'transcript of a meeting or call: people speak in turns, greet each other, discuss, agree on next steps',
  customer_email: 'an e-mail from a customer: greeting, request or complaint about the product, regards, signature',
  product_spec: 'product specification: requirements, user stories, acceptance criteria, scope, functional behaviour',
  competitive_analysis: 'competitive analysis: competitors compared by features, pricing, strengths and weaknesses, market position',
  market_research: 'market research: survey results, market size, customer segments, trends, respondents',
  internal_report: 'internal report: status, results of the quarter, metrics, findings and recommendations for management',
  technical_documentation: 'technical documentation: installation, configuration, API reference, code examples, commands',
  presentation: 'presentation: slides with short bullet points, agenda, key messages',
  spreadsheet: 'spreadsheet: rows and columns of numbers, totals, dates and amounts',
  contract: 'contract: parties, terms and conditions, obligations, liability, termination, governing law',
  support_ticket: 'support ticket: a problem reported, steps to reproduce, error message, troubleshooting, resolution',
  news_article: 'news article: a recent event reported with quotes, names, places and dates',
};

/** Bonus of similarity from a file's format. */
const byFormat: Record<string, string> = {
  pptx: 'presentation',
  xlsx: 'spreadsheet',
  csv: 'spreadsheet',
  vtt: 'meeting_transcript',
  srt: 'meeting_transcript',
  eml: 'customer_email',
};
const formatBonus = 0.2;
/** Cosines of this family of models are close together: differences of a few hundredths matter. */
const temperature = 0.03;

/**
 * The label whose description is closest in meaning to the beginning of a document.
 * @param labels as the caller names them; underscores count as spaces. None: the usual kinds of document.
 * @throws AppError SERVICE_UNAVAILABLE without an embedding model
 */
export async function classify(
  embedder: Embedder | null,
  document: { title: string; format: string; text: string },
  labels?: readonly string[],
): Promise<Classified> {
  if (!embedder) {
    throw new AppError('SERVICE_UNAVAILABLE', 'Classifying needs an embedding model, and none is available.', {
      hint: 'Set EMBEDDING_MODEL_DIR.',
    });
  }
  const wanted = [...new Set(labels?.length ? labels : Object.keys(described))];
  const descriptions = wanted.map((label) => described[label] ?? label.replaceAll('_', ' '));
  // The model reads about 500 tokens: two windows, so that a cover page does not decide alone.
  const windows = [`${document.title}\n${document.text.slice(0, 2_000)}`, document.text.slice(2_000, 4_000)].filter(
    (text) => text.trim() !== '',
  );
  const vectors = await embedder.embed([...windows, ...descriptions], { priority: 'query' });
  const texts = vectors.slice(0, windows.length);
  const scored = wanted.map((label, i) => {
    const similarity = texts.reduce((sum, text) => sum + dot(text, vectors[windows.length + i]!), 0) / texts.length;
    return { label, score: similarity + (byFormat[document.format] === label ? formatBonus : 0) };
  });
  const best = Math.max(...scored.map(({ score }) => score));
  const weights = scored.map(({ score }) => Math.exp((score - best) / temperature));
  const total = weights.reduce((a, b) => a + b, 0);
  const ranked = scored
    .map(({ label }, i) => ({ label, confidence: Math.round((weights[i]! / total) * 1000) / 1000 }))
    .sort((a, b) => b.confidence - a.confidence);
  const [first, ...rest] = ranked;
  return { ...first!, alternatives: rest.slice(0, 5) };
}

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
