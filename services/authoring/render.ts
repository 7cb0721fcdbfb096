/** Pure: drafts as Markdown and as plain text. Untrusted text is escaped. */
import type { DraftFreshness, DraftIssue, DraftSection, DraftSource } from '../../contracts/authoring/authoring.ts';
import { dateOf } from './names.ts';
import { shortened } from './phrases.ts';
import type { Issue, Section, Statement } from './types.ts';
import { clean, escaped } from '../../engines/text/markdown.ts';

export interface Print {
  title: string;
  sections: Section[];
  issues: Issue[] | null;
  sources: DraftSource[];
  freshness: DraftFreshness;
  /** Whether sources and their numbers are printed. */
  provenance: boolean;
  /** Its audience and coverage. */
  about: string;
}

type Numbers = ReadonlyMap<string, number>;

const marks = ({ sources }: Statement, numbers: Numbers | null): string =>
  numbers === null ? '' : ` ${sources.map((ref) => `[${numbers.get(ref)}]`).join('')}`;

export const numbered = (sources: readonly DraftSource[]): Numbers => new Map(sources.map(({ ref, number }) => [ref, number]));

export function sectionViews({ sections, sources, provenance }: Pick<Print, 'sections' | 'sources' | 'provenance'>): DraftSection[] {
  const numbers = numbered(sources);
  return sections.map(({ heading, statements, toFill }) => ({
    heading,
    text:
      toFill === null
        ? bullets(statements, provenance ? numbers : null).join('\n')
        : `_To be written by the product manager: ${escaped(toFill)}_`,
    statements: statements.map(({ text, sources: refs }) => ({ text: clean(text), sources: refs.map((ref) => numbers.get(ref)!) })),
    to_fill: toFill !== null,
  }));
}

const bullets = (statements: readonly Statement[], numbers: Numbers | null): string[] =>
  statements.map((each) => `- ${escaped(each.text)}${marks(each, numbers)}`);

export function issueViews({ issues, sources, provenance }: Pick<Print, 'issues' | 'sources' | 'provenance'>): DraftIssue[] | null {
  const numbers = provenance ? numbered(sources) : null;
  return (
    issues?.map(({ description, criteria, title, ...issue }) => {
      const cited = new Set([...description, ...criteria].flatMap(({ sources: refs }) => refs));
      const list = provenance ? ['', 'Sources', '', ...sources.filter(({ ref }) => cited.has(ref)).map(sourceLine)] : [];
      return {
        ...issue,
        title: clean(title),
        description: [...bullets(description, numbers), ...list].join('\n'),
        acceptance_criteria: criteria.map((each) => `${clean(each.text)}${marks(each, numbers)}`),
      };
    }) ?? null
  );
}

const sourceLine = ({ number, kind, excerpt, occurred_at, ref }: DraftSource): string =>
  `- [${number}] ${kind}, ${dateOf(occurred_at)}: ${escaped(`“${shortened(excerpt, 200)}”`)} (${escaped(ref)})`;

export function markdown(print: Print): string {
  const { title, about, freshness, provenance, sources } = print;
  const issues = issueViews({ ...print, provenance: false });
  const numbers = provenance ? numbered(sources) : null;
  return [
    `# ${escaped(title)}`,
    '',
    `${escaped(about)} ${escaped(freshnessLine(freshness))}`,
    ...sectionViews(print).flatMap(({ heading, text }) => ['', `## ${escaped(heading)}`, '', text]),
    ...(print.issues ?? []).flatMap((issue, i) => [
      '',
      `## ${escaped(issue.title)}`,
      '',
      `${issue.issue_type}, priority ${issue.priority}, labels: ${escaped(issues![i]!.labels.join(', '))}`,
      '',
      ...bullets(issue.description, numbers),
      '',
      'Acceptance criteria:',
      '',
      ...bullets(issue.criteria, numbers),
    ]),
    ...(provenance ? ['', '## Sources', '', ...sources.map(sourceLine)] : []),
    '',
  ].join('\n');
}

/** The same for e-mail and chat. */
export function plainText(print: Print): string {
  const { title, about, freshness, provenance, sources } = print;
  const numbers = provenance ? numbered(sources) : null;
  const lines = (statements: readonly Statement[]): string[] => statements.map((each) => `* ${clean(each.text)}${marks(each, numbers)}`);
  return [
    clean(title).toUpperCase(),
    '',
    `${clean(about)} ${freshnessLine(freshness)}`,
    ...print.sections.flatMap(({ heading, statements, toFill }) => [
      '',
      clean(heading),
      '',
      ...(toFill === null ? lines(statements) : [`(To be written by the product manager: ${toFill})`]),
    ]),
    ...(print.issues ?? []).flatMap((issue) => [
      '',
      clean(issue.title),
      `${issue.issue_type}, priority ${issue.priority}, labels: ${issue.labels.join(', ')}`,
      '',
      ...lines(issue.description),
      '',
      'Acceptance criteria:',
      ...lines(issue.criteria),
    ]),
    ...(provenance
      ? [
          '',
          'Sources',
          '',
          ...sources.map(
            ({ number, kind, excerpt, occurred_at }) => `[${number}] ${kind}, ${dateOf(occurred_at)}: "${clean(shortened(excerpt, 200))}"`,
          ),
        ]
      : []),
    '',
  ].join('\n');
}

const freshnessLine = ({ newest_signal_at, oldest_signal_at, generated_at }: DraftFreshness): string =>
  `Evidence from ${dateOf(oldest_signal_at)} to ${dateOf(newest_signal_at)}; generated on ${dateOf(generated_at)}.`;

/**
 * A draft's Markdown without its sources and their numbers. Brackets and headings within texts are escaped, so these
 * marks are the draft's own.
 */
export function withoutSources(content: string): string {
  const end = content.lastIndexOf('\n## Sources\n');
  return (end === -1 ? content : content.slice(0, end)).replaceAll(/^(- .*?)(?: (?:\[\d+\])+)$/gm, '$1').trimEnd() + '\n';
}
