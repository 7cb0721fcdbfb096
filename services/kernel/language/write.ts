import { z } from 'zod';
import { fence, visible } from './fence.ts';
import type { LanguageService } from './index.ts';
import { prompt } from './prompts.ts';

/** A piece of evidence; all of it may be untrusted. */
export interface Evidence {
  /** Id of a signal, passage, entity, …: cited by statements. */
  ref: string;
  text: string;
  /** Speaker, date, subject: shown beside the text. */
  about?: Record<string, string | number | null>;
}

export interface SectionRequest {
  tenant: string;
  /** Trusted text from the template. Untrusted names go into `subject`. */
  section: { title: string; instruction: string };
  /** The audience, in trusted words, e.g. `engineers`. */
  audience?: string | undefined;
  /** Names of the section's subject; shown as data. */
  subject?: Record<string, string | number | null>;
  evidence: readonly Evidence[];
  /** Default 12. */
  maxStatements?: number;
  /** Whether the cited evidence supports a statement; unsupported statements are dropped. */
  supports?: ((text: string, cited: readonly Evidence[]) => boolean | Promise<boolean>) | undefined;
  agentId?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface Statement {
  text: string;
  /** At least one, all from the given evidence. */
  refs: string[];
}

export const dropReasons = [
  'no_refs',
  'unknown_refs',
  'unsupported',
  'invented_number',
  'link',
  'repeated',
  'too_long',
  'too_many',
] as const;
export type DropReason = (typeof dropReasons)[number];

export type Section =
  /** `prompt`: id and version of the instructions. */
  | { written: true; statements: Statement[]; dropped: Record<DropReason, number>; model: string; prompt: string; warnings: string[] }
  /** The model returned nothing usable; the caller assembles the section from the evidence. */
  | { written: false; warnings: string[]; retryable: boolean };

const instructions = prompt('write-section@1');
const answer = z.object({ statements: z.array(z.object({ text: z.string(), refs: z.array(z.string()) })) });
/** Maximum characters of evidence: per piece, and in total. */
const longestPiece = 2_000;
const longestEvidence = 60_000;
const longestStatement = 600;
const tokensEach = 120;
const tokensBefore = 3_000;

/**
 * Writes one section, statement by statement, each with its evidence. A statement is dropped and counted if it cites
 * nothing, cites something that was not given, or contains numbers or links that its evidence does not.
 */
export async function writeSection(language: Pick<LanguageService, 'ask'>, request: SectionRequest): Promise<Section> {
  const { tenant, section, audience, subject, supports, agentId, signal, maxStatements = 12 } = request;
  const { shown, left } = fitting(request.evidence);
  if (shown.length === 0) return { written: false, warnings: ['There is no evidence to write from.'], retryable: false };
  const about = subject ? [{ id: 'subject', ...subject }] : [];
  const reply = await language.ask({
    tenant,
    purpose: 'write',
    prompt: instructions,
    content: [
      `Section: ${section.title}`,
      section.instruction,
      ...(audience ? [`Readers: ${audience}`] : []),
      ...(subject ? ['The record "subject" says what the section is about; it is no evidence and is not cited.'] : []),
      `At most ${maxStatements} statements.`,
      '',
      fence([...about, ...shown.map((piece, i) => ({ id: `e${i + 1}`, text: piece.text.slice(0, longestPiece), ...aside(piece.about) }))]),
    ].join('\n'),
    schema: answer,
    maxOutputTokens: tokensBefore + tokensEach * maxStatements,
    agentId,
    signal,
  });
  if (!reply.ok) return { written: false, warnings: [reply.warning], retryable: reply.error?.retryable ?? false };

  const dropped = Object.fromEntries(dropReasons.map((reason) => [reason, 0])) as Record<DropReason, number>;
  const statements: Statement[] = [];
  const said = new Set<string>();
  for (const { text: raw, refs } of reply.value.statements) {
    const text = plain(raw);
    const cited = [...new Set(refs)].map((id) => shown[Number(/^e(\d{1,4})$/.exec(id.trim())?.[1] ?? 0) - 1]);
    const reason = await fault(text, cited, said, statements.length >= maxStatements, supports);
    if (reason === null) {
      said.add(text.toLowerCase());
      statements.push({ text, refs: cited.map((piece) => piece!.ref) });
    } else dropped[reason] += 1;
  }
  const count = Object.values(dropped).reduce((sum, each) => sum + each, 0);
  const warnings = [
    ...(left > 0 ? [`${left} pieces of evidence did not fit into the question.`] : []),
    ...(count > 0 ? [`${count} statements of the language model were dropped, because their sources do not support them.`] : []),
  ];
  return { written: true, statements, dropped, model: reply.model, prompt: reply.prompt, warnings };
}

async function fault(
  text: string,
  cited: (Evidence | undefined)[],
  said: ReadonlySet<string>,
  full: boolean,
  supports: SectionRequest['supports'],
): Promise<DropReason | null> {
  if (cited.length === 0 || text === '') return 'no_refs';
  if (!cited.every((piece) => piece !== undefined)) return 'unknown_refs';
  if (said.has(text.toLowerCase())) return 'repeated';
  if (text.length > longestStatement) return 'too_long';
  if (full) return 'too_many';
  const sources = cited.map((piece) => [piece.text.slice(0, longestPiece), ...Object.values(piece.about ?? {})].join(' ')).join('\n');
  if (/\bhttps?:|\bwww\.|\]\(|<[a-z/!]/i.test(text)) return 'link';
  const known = new Set(numbersOf(sources));
  if (numbersOf(text).some((number) => !known.has(number))) return 'invented_number';
  if (supports && !(await supports(text, cited))) return 'unsupported';
  return null;
}

/** Digits without separators: `1,200` as `1200`. */
const numbersOf = (text: string): string[] =>
  (text.match(/\d+(?:[.,]\d+)*/g) ?? []).map((number) => number.replaceAll(/,(?=\d{3}\b)/g, '').replace(/^0+(?=\d)/, ''));

const plain = (text: string): string => visible(text).replaceAll(/\s+/g, ' ').trim();

/** Its values must not be confused with the id or the text. */
const aside = (about: Evidence['about']): Record<string, string | number | null> =>
  Object.fromEntries(
    Object.entries(about ?? {})
      .filter(([key]) => key !== 'id' && key !== 'text')
      .map(([key, value]) => [key, typeof value === 'string' ? value.slice(0, 200) : value]),
  );

/** The first pieces that fit: callers pass the best first. */
function fitting(evidence: readonly Evidence[]): { shown: Evidence[]; left: number } {
  let size = 0;
  const pieces = evidence.filter((piece) => piece.text.trim() !== '');
  const shown = pieces.filter((piece) => (size += Math.min(piece.text.length, longestPiece)) <= longestEvidence);
  return { shown, left: pieces.length - shown.length };
}
