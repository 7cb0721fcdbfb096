import type { Embedder } from '../../adapters/models/embedder.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { AppError } from '../../contracts/errors.ts';
import type { BasisDeps } from './basis.ts';
import { figureKey, sourceOfOther, sourceOfSignal, unsupported, type SourceText } from './check.ts';
import { cite } from './evidence-sql.ts';
import { counted } from './figures-sql.ts';
import { factsOf } from './facts-sql.ts';
import { nameNews } from './news.ts';
import { summaryOf } from './evidence.ts';
import type { Evidence, Filter, Issue, NameNews, Section, Statement, Written } from './types.ts';

export interface Verified {
  sections: Section[];
  issues: Issue[] | null;
  /** In order of first citation. */
  sources: SourceText[];
  dropped: { text: string; reason: string }[];
}

/** Checks every statement against the current state of its sources; unsupported ones are dropped. */
export async function verify(
  deps: BasisDeps & { embedder: Embedder | null },
  evidence: Evidence,
  { sections, issues, plain }: Written,
): Promise<Verified> {
  const all = [
    ...[...sections, ...(plain ?? [])].flatMap(({ statements }) => statements),
    ...(issues ?? []).flatMap(({ description, criteria }) => [...description, ...criteria]),
  ];
  const sources = await reread(deps, evidence, [...new Set(all.flatMap((each) => each.sources))]);
  const numbers = await recount(deps.db, evidence.filter, all);
  const near = await cosines(
    deps.embedder,
    all.filter(({ written }) => written),
    sources,
  );
  const dropped: Verified['dropped'] = [];
  const standing = (statements: readonly Statement[]): Statement[] =>
    statements.filter((each) => {
      const reason = unsupported(each, {
        sources,
        counted: numbers,
        windowDays: evidence.windowDays,
        written: each.written ?? false,
        cosine: near.get(each.text),
      });
      if (reason !== null) dropped.push({ text: each.text, reason });
      return reason === null;
    });
  const kept = sections
    .map((section, i) => {
      const statements = standing(section.statements);
      // No statement of the model's section passed: use the assembled section.
      return statements.length > 0 || !plain?.[i] ? { ...section, statements } : { ...section, statements: standing(plain[i].statements) };
    })
    .filter(({ statements, toFill }) => statements.length > 0 || toFill !== null);
  const drafts =
    issues
      ?.map((issue) => ({ ...issue, description: standing(issue.description), criteria: standing(issue.criteria) }))
      .filter(({ description }) => description.length > 0) ?? null;
  const cited = new Set([
    ...kept.flatMap(({ statements }) => statements.flatMap((each) => each.sources)),
    ...(drafts ?? []).flatMap(({ description, criteria }) => [...description, ...criteria].flatMap((each) => each.sources)),
  ]);
  return { sections: kept, issues: drafts, sources: [...cited].map((ref) => sources.get(ref)!), dropped };
}

/** Current texts of the sources; deleted ones are missing. */
async function reread(
  deps: BasisDeps,
  { filter, opportunities, facts, news }: Evidence,
  refs: readonly string[],
): Promise<Map<string, SourceText>> {
  const { query } = deps.db;
  const found = Object.values(await cite(query, filter, refs)).map(sourceOfSignal);
  const wanted = facts.map(({ ref }) => ref).filter((ref) => refs.includes(ref));
  found.push(...(await factsOf(query, filter, wanted)).map(sourceOfOther));
  if (news.some(({ ref }) => refs.includes(ref))) found.push(...mergedByRef(await nameNews(query, filter), refs).map(sourceOfOther));
  for (const { id } of opportunities) {
    const now = refs.includes(id) ? await deps.opportunities.get(filter.tenant, id) : null;
    if (now) found.push(sourceOfOther({ ref: id, kind: 'opportunity', excerpt: summaryOf(now), at: now.createdAt, weight: 1 }));
  }
  return new Map(found.map((source) => [source.ref, source]));
}

/** A passage may tell of several names. */
const mergedByRef = (news: readonly NameNews[], refs: readonly string[]): NameNews[] =>
  [...Map.groupBy(news, ({ ref }) => ref).values()]
    .map((same) => ({ ...same[0]!, text: same.map(({ text }) => text).join(' ') }))
    .filter(({ ref }) => refs.includes(ref));

async function recount(db: Database, filter: Filter, statements: readonly Statement[]): Promise<Map<string, number>> {
  const figures = new Map(statements.flatMap((each) => each.figures).map((figure) => [figureKey(figure), figure]));
  const numbers = new Map<string, number>();
  for (const [key, figure] of figures) numbers.set(key, await counted(db.query, filter, figure));
  return numbers;
}

/** Cosine of each statement and its nearest source; empty without a model. */
async function cosines(
  embedder: Embedder | null,
  statements: readonly Statement[],
  sources: ReadonlyMap<string, SourceText>,
): Promise<Map<string, number>> {
  const near = new Map<string, number>();
  if (!embedder || statements.length === 0) return near;
  const excerpts = [...new Set(statements.flatMap((each) => each.sources))].flatMap((ref) => sources.get(ref) ?? []);
  const texts = [...statements.map(({ text }) => text), ...excerpts.map(({ excerpt }) => excerpt)];
  let vectors: Float32Array[];
  try {
    vectors = await embedder.embed(texts);
  } catch (error) {
    // Then only words are compared.
    if (error instanceof AppError && error.retryable) return near;
    throw error;
  }
  const places = new Map(excerpts.map(({ ref }, i) => [ref, statements.length + i]));
  for (const [i, { text, sources: refs }] of statements.entries()) {
    const best = Math.max(0, ...refs.flatMap((ref) => (places.has(ref) ? dot(vectors[i]!, vectors[places.get(ref)!]!) : [])));
    near.set(text, best);
  }
  return near;
}

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
